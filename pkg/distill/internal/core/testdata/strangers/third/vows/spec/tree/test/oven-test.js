const vows = require('vows'), assert = require('assert');
const oven = require('../src/oven');

vows.describe('Oven').addBatch({
  'when heated': {
    topic: () => oven.heat(300),
    'stops at the limit': (t) => assert.equal(t, 250),
  },
  'with a roast of two kilos': {
    topic: () => oven.minutes(2),
    'takes an hour and a half': (m) => assert.equal(m, 90), // roast
    'takes no more than a day': (m) => assert.isTrue(m < 1440),
  },
  'without a door': {
    topic: () => ({}),
    'says that it is shut': (o) => assert.equal(oven.door(o), 'shut'),
  },
}).export(module);
