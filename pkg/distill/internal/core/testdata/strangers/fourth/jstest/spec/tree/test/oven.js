const JS = require('jstest');
const oven = require('../src/oven');

JS.Test.describe('Oven', function () { with (this) {
  it('stops at the limit', function () { with (this) {
    assertEqual(250, oven.heat(300));
  }});
  describe('roast', function () { with (this) {
    it('takes an hour and a half', function () { with (this) {
      assertEqual(90, oven.minutes(2)); // roast
    }});
    it('opens the door', function () { with (this) {
      oven.door({});
    }});
  }});
}});
JS.Test.autorun();
