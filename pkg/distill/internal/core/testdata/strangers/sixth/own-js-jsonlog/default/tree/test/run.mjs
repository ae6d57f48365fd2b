import assert from 'node:assert';
import { Queue } from '../src/queue.mjs';

const log = (level, o) => console.log(JSON.stringify({ level, logger: 'checks', ...o }));
const checks = {
  'a queue starts empty': () => assert.equal(new Queue().length, 0),
  'first in, first out': () => assert.equal(new Queue().push('a').push('b').pop(), 'a'),
  'length counts': () => assert.equal(new Queue().push(1).length, 1),
  'pop of nothing throws': () => assert.throws(() => new Queue().pop()),
};
let passed = 0, failed = 0;
log('info', { msg: 'starting', total: Object.keys(checks).length });
for (const [check, fn] of Object.entries(checks)) {
  try {
    fn();
    passed++;
    log('info', { check, outcome: 'success' });
  } catch (e) {
    failed++;
    log('error', { check, outcome: 'failure', reason: e.message, stack: e.stack.split('\n').slice(-6).join('\n') });
  }
}
log(failed ? 'error' : 'info', { msg: 'done', passed, failed });
process.exit(failed ? 1 : 0);
