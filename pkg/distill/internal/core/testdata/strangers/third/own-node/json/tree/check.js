const oven = require('./src/oven');
const checks = [
  ['heat > stops at the limit', () => oven.heat(300), 250],
  ['roast > an hour and a half', () => oven.minutes(2), 90],
  ['door > is shut', () => oven.door({}), 'shut'],
];
let failures = 0;
for (const [name, run, want] of checks) {
  const rec = { name, status: 'green', ms: 0 };
  try {
    const got = run();
    if (got !== want) Object.assign(rec, { status: 'red', want, got });
  } catch (e) {
    Object.assign(rec, { status: 'red', error: e.stack.split('\n').slice(0, 2).join(' ') });
  }
  if (rec.status === 'red') failures++;
  console.log(JSON.stringify(rec));
}
console.log(JSON.stringify({ summary: { green: checks.length - failures, red: failures } }));
process.exit(1);
