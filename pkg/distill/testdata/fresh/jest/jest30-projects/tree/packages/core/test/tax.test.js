const { tax } = require('../src/tax');

test('tax of 100 at 20%', () => {
  expect(tax(100, 0.2)).toBeCloseTo(20);
});

test('tax of nothing', () => {
  expect(tax(0, 0)).toBe(0);
});
