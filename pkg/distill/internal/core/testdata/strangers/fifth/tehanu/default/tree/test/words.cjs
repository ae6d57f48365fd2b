const test = require('tehanu')('words')
const { strictEqual } = require('assert')
const { plural, title } = require('../src/words.cjs')

test('plural of cat', () => strictEqual(plural('cat'), 'cats'))
test('plural of day', () => strictEqual(plural('day'), 'days'))
test('title keeps apostrophes', () => {
  strictEqual(title("miller's house"), "Miller's House")
})
