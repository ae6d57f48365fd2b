import { test } from 'kizu'
import { stops, reverse, fare } from '../src/route.js'

test('stops are counted', (assert) => {
  assert.equal(stops('a-b-c'), 3)
})

test('a route can be reversed', (assert) => {
  assert.equal(reverse('b-c-a'), 'a-c-b', 'the last stop comes first')
})

test('the fare grows with zones', (assert) => {
  assert.isTrue(fare(2) > fare(1))
})
