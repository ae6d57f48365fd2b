import test, { is, ok, throws } from 'tst'
import { stops, reverse, fare } from './src/route.js'

test('stops are counted', () => {
  is(stops('a-b-c'), 3)
})

test('a route can be reversed', () => {
  is(reverse('b-c-a'), 'a-c-b')
})

test('the fare grows with zones', () => {
  ok(fare(2) > fare(1))
})

test('no zone is an error', () => {
  throws(() => fare(0))
})
