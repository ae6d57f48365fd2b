const { describe, it, test } = require('node:test');
const assert = require('node:assert/strict');
const { Cart } = require('../lib/cart');
const { label } = require('../lib/account/label');

describe('Cart', () => {
  it('is free when empty', () => {
    assert.equal(new Cart().total(), 0);
  });
  describe('total', () => {
    it('rounds half cents up', () => {
      const sum = new Cart().add('tea', 2.5, 3).total();
      assert.equal(sum, 8);
    });
    it('handles refunds', { skip: 'later' }, () => {});
  });
});

test('names people', () => {
  assert.equal(label({ name: 'Ann' }), 'Ann');
});

test('calls nobody anonymous', async (t) => {
  await t.test('with null', () => {
    assert.equal(label({ name: null }), 'anonymous');
  });
});
