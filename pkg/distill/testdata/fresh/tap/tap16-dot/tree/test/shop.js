const t = require('tap');
const { Cart } = require('../lib/cart');
const { label } = require('../lib/account/label');

t.test('cart', t => {
  t.equal(new Cart().total(), 0, 'free when empty');
  t.test('rounds half cents up', t => {
    const sum = new Cart().add('tea', 2.5, 3).total();
    t.equal(sum, 8, 'sum is rounded');
    t.end();
  });
  t.test('handles refunds', { skip: true }, t => t.end());
  t.end();
});

t.test('label', t => {
  t.equal(label({ name: 'Ann' }), 'Ann');
  t.test('calls nobody anonymous', t => {
    t.equal(label({ name: null }), 'anonymous');
    t.end();
  });
  t.end();
});
