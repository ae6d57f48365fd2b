const tman = require('tman');
const assert = require('assert');
const oven = require('../src/oven');

tman.suite('oven', () => {
  tman.it('stops at the limit', () => {
    assert.strictEqual(oven.heat(300), 250);
  });
  tman.suite('roast', () => {
    tman.it('takes an hour and a half', () => {
      assert.strictEqual(oven.minutes(2), 90); // roast
    });
    tman.it('opens the door', () => {
      oven.door({});
    });
  });
});
