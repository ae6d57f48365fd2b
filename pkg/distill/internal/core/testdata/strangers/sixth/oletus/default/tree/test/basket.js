import test from 'oletus';
import { total, label, cheapest } from '../src/basket.js';

test('nothing costs nothing', (t) => {
  t.equal(total([]), 0);
});

test('two of a kind cost twice', (t) => {
  t.equal(total([{ price: 3, count: 2 }]), 6);
});

test('label has two decimals', (t) => {
  t.equal(label({ name: ' tea ', price: 2.5 }), 'tea: 2.50');
});

test('cheapest of two', (t) => {
  t.equal(cheapest([{ name: 'tea', price: 3 }, { name: 'bun', price: 2 }]), 'bun');
});
