import { test } from 'zora';
import oven from '../src/oven.js';

test('oven', (t) => {
  t.test('heat', (t) => {
    t.equal(oven.heat(300), 250, 'stops at the limit');
  });
  t.test('roast', (t) => {
    t.equal(oven.minutes(2), 90, 'takes an hour and a half'); // roast
  });
});
test('cools', (t) => {
  t.ok(true, 'slowly');
});
