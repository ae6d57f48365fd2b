import test from 'ava';
import {total, label} from '../lib/price.js';

test('nothing is true', t => {
  t.true(total([]) === 1);
});

test('throws without a user', t => {
  t.throws(() => label({name: 'ann'}), {message: /no user/});
});

test('matches', t => {
  t.regex(label({name: 'ann'}), /^B/);
});

test('rejects', async t => {
  await Promise.reject(new Error('gone'));
});
