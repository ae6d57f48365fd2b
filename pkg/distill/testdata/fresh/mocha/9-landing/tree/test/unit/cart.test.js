const assert = require('node:assert');
const { Cart } = require('../../lib/cart');

describe('Cart', () => {
  it('is free when empty', () => {
    assert.strictEqual(new Cart().total(), 0);
  });

  describe('total', () => {
    it('rounds half cents up', () => {
      const cart = new Cart().add('tea', 2.5, 3);
      assert.strictEqual(cart.total(), 8);
    });

    it.skip('handles refunds', () => {
      assert.strictEqual(new Cart().add("tea", -1).total(), -1);
    });
  });
});
