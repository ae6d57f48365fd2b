import { test } from 'kizu'
import { fare } from '../src/route.js'

test('two zones', (assert) => {
  assert.equal(fare(2), 240)
})
