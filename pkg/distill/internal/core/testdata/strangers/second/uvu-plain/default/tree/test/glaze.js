const { suite } = require('uvu');
const assert = require('uvu/assert');
const { melts } = require('../lib/glaze');
const glaze = suite('glaze');
glaze('melts at 1000', () => {
  assert.is(melts(1000), true);
});
glaze('cold stays hard', () => {
  assert.is(melts(20), false);
});
glaze.run();
