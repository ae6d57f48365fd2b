const { describe, it, assert } = require('poku');
const oven = require('../src/oven');

describe('oven', () => {
  it('stops at the limit', () => {
    assert.strictEqual(oven.heat(300), 250, 'the limit');
  });
  it('roasts for an hour and a half', () => {
    assert.strictEqual(oven.minutes(2), 90, 'two kilos'); // roast
  });
});
