const { stops, reverse, fare } = require('../src/route');

describe('a route', () => {
  it('counts its stops', () => {
    expect(stops('a-b-c')).toBe(3);
  });

  it('can be reversed', () => {
    expect(reverse('b-c-a')).toBe('a-c-b');
  });
});

describe('the fare', () => {
  it('grows with zones', () => {
    expect(fare(2)).toBeGreaterThan(fare(1));
  });
});
