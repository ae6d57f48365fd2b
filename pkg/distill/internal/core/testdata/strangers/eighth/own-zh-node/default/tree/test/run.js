const assert = require('assert');
const till = require('../src/till');

const cases = {
  '合计价格': () => assert.strictEqual(till.total([2, 3]), 5),
  '计算增值税': () => assert.strictEqual(till.vat(10), 1.3),
  '找零': () => assert.strictEqual(till.change(10, 7), 3),
  '空购物车': () => assert.strictEqual(till.total([]), 0),
};

let good = 0;
const bad = [];
for (const [name, fn] of Object.entries(cases)) {
  try {
    fn();
    good++;
    console.log(`  ${name}: 通过`);
  } catch (e) {
    bad.push(name);
    console.log(`  ${name}: 失败`);
    console.log(e.stack.split('\n').map((l) => '      ' + l).join('\n'));
  }
}
console.log(`\n共 ${good + bad.length} 个测试, 通过 ${good}, 失败 ${bad.length}`);
process.exit(bad.length ? 1 : 0);
