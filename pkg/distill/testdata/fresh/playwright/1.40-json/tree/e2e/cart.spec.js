const { test, expect } = require('@playwright/test');
const { round } = require('../lib/money/round');

test.describe('cart', () => {
  test('whole', () => {
    expect(round(2)).toBe(2);
  });
  test('rounds half cents up', async () => {
    await test.step('adding', async () => {
      expect(round(7.5)).toBe(8);
    });
  });
  test.skip('later', () => {});
});
