const test = require('baretest')('Oven tests'), assert = require('assert');
const oven = require('../src/oven');

test('stops at the limit', () => {
  assert.equal(oven.heat(300), 250);
});

test('roasts for an hour and a half', () => {
  assert.equal(oven.minutes(2), 90); // roast
});

test('cools', () => {});

(async () => {
  process.exit((await test.run()) ? 0 : 1);
})();
