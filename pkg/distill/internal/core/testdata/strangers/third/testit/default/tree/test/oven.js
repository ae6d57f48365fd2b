const test = require('testit');
const assert = require('assert');
const oven = require('../src/oven');

test('heat', () => {
  test('stops at the limit', () => {
    assert(oven.heat(300) === 250);
  });
});
test('roast', () => {
  test('takes an hour and a half', () => {
    assert.strictEqual(oven.minutes(2), 90); // roast
  });
});
test('cooling', () => {});
