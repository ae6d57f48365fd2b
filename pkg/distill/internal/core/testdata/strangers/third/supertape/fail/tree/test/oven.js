const { test } = require('supertape');
const oven = require('../src/oven');

test('oven: stops at the limit', (t) => {
  t.equal(oven.heat(300), 250);
  t.end();
});
test('oven: roast: an hour and a half', (t) => {
  t.equal(oven.minutes(2), 90); // roast
  t.end();
});
test('oven: roast: opens the door', (t) => {
  oven.door({});
  t.end();
});
