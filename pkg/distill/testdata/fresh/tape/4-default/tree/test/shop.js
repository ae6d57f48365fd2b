const test = require('tape');
const { Cart } = require('../lib/cart');
const { label } = require('../lib/account/label');

test('rounds half cents up', (t) => {
  t.equal(new Cart().total(), 0, 'free when empty');
  const sum = new Cart().add('tea', 2.5, 3).total();
  t.equal(sum, 8, 'sum is rounded');
  t.end();
});

test('names', (t) => {
  t.plan(2);
  t.equal(label({ name: 'Ann' }), 'Ann', 'names people');
  t.deepEqual({ l: label({ name: '' }) }, { l: 'nobody' }, 'blank is nobody');
});
