const test = require('brittle')
const Ring = require('../lib/ring')

test('a ring keeps its size', function (t) {
  const r = new Ring(2)
  r.add('a')
  r.add('b')
  t.is(r.items.length, 2, 'two are kept')
  t.alike(r.items, ['a', 'b'], 'in order')
})

test('the index goes round', (t) => {
  const r = new Ring(3)
  r.add('a')
  r.add('b')
  t.is(r.at(2), 'a')
  t.is(r.at(-1), 'b', 'backwards, too')
})

test('an empty ring is empty', (t) => {
  t.is(new Ring(1).items.length, 0)
})
