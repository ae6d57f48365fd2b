const oven = require('../src/oven');
module.exports = {
  'stops at the limit': (test) => {
    test.equal(oven.heat(300), 250);
    test.done();
  },
  roast: {
    'takes an hour and a half': (test) => {
      test.expect(1);
      test.equal(oven.minutes(2), 90, 'two kilos'); // roast
      test.done();
    },
  },
  'opens the door': (test) => {
    oven.door({});
    test.done();
  },
};
