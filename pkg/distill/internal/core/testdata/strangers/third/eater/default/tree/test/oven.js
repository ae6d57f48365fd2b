const test = require('eater/runner').test;
const assert = require('assert');
const oven = require('../src/oven');
test('stops at the limit', () => {
  assert.strictEqual(oven.heat(300), 250);
});
test('takes an hour and a half', () => {
  assert.strictEqual(oven.minutes(2), 90); // roast
});
