const test = require('baretest')('glaze');
const assert = require('assert');
const { melts, label } = require('../lib/glaze');
test('melts at 1000', function () {
  assert.strictEqual(melts(1000), true);
});
test('cold stays hard', function () {
  assert.strictEqual(melts(20), false);
});
test.run().then(ok => process.exit(ok ? 0 : 1));
