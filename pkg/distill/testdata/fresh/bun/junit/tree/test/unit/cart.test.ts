import { describe, expect, it, test } from 'bun:test';
import { label } from '../../src/label';
import { round } from '../../src/money/round';

describe('cart', () => {
  it('keeps whole', () => {
    expect(round(2)).toBe(2);
  });
  it('rounds half cents up', () => {
    expect(round(7.5)).toBe(8);
  });
  it.skip('later', () => {});
});

test('labels nobody', () => {
  expect(label({ name: null })).toBe('anonymous');
});
