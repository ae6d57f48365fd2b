const { label } = require('../../lib/account/label');

describe('label', () => {
  it('names people', () => {
    expect(label({ name: ' Ann ' })).toBe('Ann');
  });

  it('calls nobody anonymous', () => {
    expect(label({ name: null })).toBe('anonymous');
  });
});
