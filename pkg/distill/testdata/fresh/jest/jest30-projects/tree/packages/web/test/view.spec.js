const { view } = require('../src/view');

describe('view', () => {
  it.each([[10, 'Tax: 1.00'], [0, 'Tax: 0.00']])('shows %d', (net, want) => {
    expect(view(net)).toEqual(want);
  });
});
