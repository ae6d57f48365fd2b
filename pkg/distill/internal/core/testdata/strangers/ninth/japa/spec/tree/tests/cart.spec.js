import { test } from '@japa/runner';
import { round } from '../lib/money/round.js';

test.group('Cart', () => {
  test('whole', ({ assert }) => {
    assert.equal(round(2), 2);
  });
  test('rounds half cents up', ({ assert }) => {
    assert.equal(round(7.5), 8);
  });
});
