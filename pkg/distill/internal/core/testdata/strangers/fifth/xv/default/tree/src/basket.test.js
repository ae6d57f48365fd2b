import assert from 'node:assert/strict'
import { total, label } from './basket.js'

export function testNothing() {
  assert.equal(total([]), 0)
}

export function testCount() {
  assert.equal(total([{ price: 3, count: 2 }]), 6)
}

export function testLabel() {
  assert.equal(label({ name: 'tea', price: 2 }), 'tea: 2.0')
}
