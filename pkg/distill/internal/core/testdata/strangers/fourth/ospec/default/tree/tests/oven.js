const o = require('ospec');
const oven = require('../src/oven');

o.spec('oven', () => {
  o.spec('heat', () => {
    o('stops at the limit', () => {
      o(oven.heat(300)).equals(250);
    });
  });
  o.spec('roast', () => {
    o('takes an hour and a half', () => {
      o(oven.minutes(2)).equals(90)('two kilos'); // roast
    });
    o('opens the door', () => {
      oven.door({});
    });
  });
});
