const oven = require('../src/oven');

QUnit.module('oven', () => {
  QUnit.test('stops at the limit', (assert) => {
    assert.equal(oven.heat(300), 250);
  });
  QUnit.module('roast', () => {
    QUnit.test('takes an hour and a half', (assert) => {
      assert.equal(oven.minutes(2), 90, 'two kilos'); // roast
    });
    QUnit.test('opens the door', (assert) => {
      assert.timeout(500);
      oven.door({});
    });
  });
});
