const { test } = require('beartest-js');
const assert = require('assert');
const { Line } = require('../lib/queue.cjs');

test.describe('a line', () => {
  test('serves in order', () => {
    const l = new Line(2);
    l.join('ann');
    l.join('bo');
    assert.strictEqual(l.next(), 'ANN');
  });

  test('has room for two', () => {
    const l = new Line(2);
    l.join('ann');
    l.join('bo');
    assert.throws(() => l.join('cy'), /full/);
  });
});
