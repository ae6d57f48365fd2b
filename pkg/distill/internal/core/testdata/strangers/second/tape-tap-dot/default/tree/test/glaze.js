const test = require('tape');
const { melts, label } = require('../lib/glaze');
test('melts at 1000', (t) => {
  t.equal(melts(1000), true, 'is runny');
  t.end();
});
test('cold stays hard', (t) => {
  t.equal(melts(20), false, 'is hard');
  t.end();
});
