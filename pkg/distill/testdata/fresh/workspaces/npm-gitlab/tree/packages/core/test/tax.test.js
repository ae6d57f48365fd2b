const assert = require('assert');
const { tax } = require('../src/tax');

describe('tax', () => {
  it('is a fifth', () => {
    assert.strictEqual(tax(100, 0.2), 20);
  });
  it('of nothing is nothing', () => {
    assert.strictEqual(tax(0, 0), 0);
  });
});
