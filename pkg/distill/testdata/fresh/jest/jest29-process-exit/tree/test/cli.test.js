const { leave } = require('../src/cli');

describe('cli', () => {
  test('adds', () => {
    expect(1 + 1).toBe(2);
  });
  describe('when it fails', () => {
    it('leaves with a code', async () => {
      const code = 1;
      leave(code);
    });
  });
});
