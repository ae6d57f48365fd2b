const assert = require('node:assert');
const { label } = require('../../lib/account/label');

describe('label', () => {
  it('names people', () => {
    assert.strictEqual(label({ name: ' Ann ' }), 'Ann');
  });

  it('calls nobody anonymous', () => {
    assert.strictEqual(label({ name: null }), 'anonymous');
  });
});
