import test from 'ava';
import {total, label, parse, order} from '../lib/price.js';

test('adds quantities', t => {
  t.is(total([{price: 2, qty: 3}]), 6);
});

test('labels anonymous users', t => {
  t.is(label(null), 'ANON');
});

test('splits', t => {
  t.deepEqual(parse('a,b'), ['a', 'b']);
});

test('names the label', t => {
  t.is(label({name: 'ann'}), 'Ann', 'the label');
});

test('counts', t => {
  t.deepEqual(order(['a', 'b']), {first: 'a', count: 3});
});

test('empty is zero', t => {
  t.is(total([]), 0);
});

test.skip('later', t => {
  t.fail();
});
