const test = require('tape');
const { state, mix } = require('../src/water');

test('states', (t) => {
  t.equal(state(20), 'water', 'a room');
  t.equal(state(100), 'steam', 'boiling');
  t.equal(state(-1), 'ice', 'frost');
  t.end();
});

test('mixing', (t) => {
  const m = mix({ litres: 1, heat: 10 }, { litres: 3, heat: 50 });
  t.equal(m.litres, 4, 'litres add up');
  t.deepEqual(m, { litres: 4, heat: 40 }, 'heat is weighed');
  t.end();
});

test('nothing', (t) => {
  t.equal(state(0), 'ice');
  t.end();
});
