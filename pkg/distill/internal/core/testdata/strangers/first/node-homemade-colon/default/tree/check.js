const g = require('./lib/glaze');
const checks = {
  'cold stays hard': () => g.melts(20) === false,
  'melts at 1000': () => g.melts(1000) === true,
  'labels pots': () => g.label({ name: 'mug' }) === 'MUG',
};
let bad = 0;
for (const [name, f] of Object.entries(checks)) {
  const ok = f();
  if (!ok) bad++;
  console.log(name + ': ' + (ok ? 'good' : 'BAD'));
}
console.log(`\n${Object.keys(checks).length - bad} good, ${bad} bad`);
process.exit(bad ? 1 : 0);
