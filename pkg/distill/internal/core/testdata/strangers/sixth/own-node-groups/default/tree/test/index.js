const assert = require('assert');
const { group, it, done } = require('./mini');
const { roman, arabic } = require('../lib/roman');

group('roman', () => {
  group('small', () => {
    it('four', () => assert.strictEqual(roman(4), 'IV'));
    it('forty', () => assert.strictEqual(roman(40), 'XL'));
  });
  it('a year', () => assert.strictEqual(roman(2026), 'MMXXVI'));
});
group('arabic', () => {
  it('six', () => assert.strictEqual(arabic('VI'), 6));
  it('four', () => assert.strictEqual(arabic('IV'), 4));
  it('nonsense', () => assert.throws(() => arabic('Q'), RangeError));
});
done();
