const test = require('node:test');
const assert = require('node:assert');
const { label } = require('./label.js');

test('two places behind the point', () => {
  assert.strictEqual(label(1650), '16.50 EUR');
});
