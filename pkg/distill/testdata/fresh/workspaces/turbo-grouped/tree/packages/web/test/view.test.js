const assert = require('assert');
const { view } = require('../src/view');

describe('view', () => {
  it('greets nobody', () => {
    assert.strictEqual(view({}), 'Hello');
  });
});
