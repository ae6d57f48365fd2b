const { slug, initials, count } = require('../src/slug');

const cases = [
  ['slug of two words', () => slug('Old Mill'), 'old-mill'],
  ['slug keeps digits', () => slug('Mill 7'), 'mill-7'],
  ['initials', () => initials('Old Mill'), 'OM'],
  ['no words in nothing', () => count(''), 0],
  ['two words', () => count('old mill'), 2],
];
const rows = cases.map(([name, fn, want]) => {
  const have = fn();
  return { name, result: have === want ? 'ok' : 'FAILED', want, have };
});
console.table(rows);
const bad = rows.filter((r) => r.result !== 'ok').length;
console.log(`${rows.length} cases, ${rows.length - bad} ok, ${bad} failed`);
process.exitCode = bad ? 1 : 0;
