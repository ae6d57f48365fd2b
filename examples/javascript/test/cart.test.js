import test from 'node:test';
import assert from 'node:assert/strict';
import { total } from '../src/cart.js';

test('total of whole prices', () => {
  assert.equal(total([{ price: 2, quantity: 3 }]), 600);
});

test('total of prices that binary fractions cannot hold', () => {
  assert.equal(total([{ price: 19.99, quantity: 3 }]), 5997);
});

test('a discount gives whole cents', () => {
  assert.equal(total([{ price: 0.99, quantity: 1 }], 50), 50);
});
