const oven = require('../src/oven');

describe('an oven', () => {
  it('stops at the limit', () => {
    expect(oven.heat(300)).toBe(250);
  });
  describe('with a roast', () => {
    it('takes an hour and a half', () => {
      expect(oven.minutes(2)).toBe(90); // roast
    });
    it('opens the door', () => {
      oven.door({});
    });
    xit('smells good', () => {});
  });
});
