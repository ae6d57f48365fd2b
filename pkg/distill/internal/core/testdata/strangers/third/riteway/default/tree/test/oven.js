const { describe } = require('riteway');
const oven = require('../src/oven');

describe('heat()', async (assert) => {
  assert({ given: 'too much', should: 'stop at the limit', actual: oven.heat(300), expected: 250 });
});

describe('minutes()', async (assert) => {
  assert({ given: 'two kilos', should: 'take an hour and a half', actual: oven.minutes(2), expected: 90 }); // roast
});
