const test = require('tape');
const { stops, reverse, fare } = require('../src/route');

test('a route counts its stops', (t) => {
  t.equal(stops('a-b-c'), 3, 'three of them');
  t.end();
});

test('a route can be reversed', (t) => {
  t.equal(reverse('b-c-a'), 'a-c-b');
  t.end();
});

test('the fare grows with zones', (t) => {
  t.ok(fare(2) > fare(1), 'two zones cost more');
  t.end();
});
