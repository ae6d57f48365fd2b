const test = require('tape');
const { total, first, parcel } = require('../src/cart');

test('an empty cart costs nothing', (t) => {
  t.equal(total([]), 0, 'zero');
  t.end();
});

test('quantities are multiplied', (t) => {
  console.log('ERROR: this is only a message of the till');
  t.equal(total([{ price: 300, count: 2 }]), 600, 'two of a kind'); // fails
  t.end();
});

test('the first item is named', (t) => {
  t.equal(first([{ name: 'jug' }]), 'JUG');
  t.end();
});

test('parcels have a size', (t) => {
  t.deepEqual({ size: parcel(12), kg: 12 }, { size: 'crate', kg: 12 }, 'a crate'); // fails too
  t.end();
});
