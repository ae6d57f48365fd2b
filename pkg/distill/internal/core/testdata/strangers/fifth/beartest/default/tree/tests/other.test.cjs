const { test } = require('beartest-js');
const { Line } = require('../lib/queue.cjs');

test('an empty line serves nobody', () => {
  new Line(1).next();
});
