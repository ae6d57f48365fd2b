const table = [[1000, 'M'], [500, 'D'], [100, 'C'], [90, 'XC'], [50, 'L'], [10, 'X'], [9, 'IX'], [5, 'V'], [4, 'IV'], [1, 'I']];
function roman(n) {
  let out = '';
  for (const [v, s] of table) while (n >= v) { out += s; n -= v; }
  return out;
}
function arabic(s) {
  return [...s].reduce((sum, c) => sum + table.find(([, t]) => t === c)[0], 0);
}
module.exports = { roman, arabic };
