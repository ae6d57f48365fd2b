const stack = [], broken = [];
let good = 0;
exports.group = (title, fn) => { console.log('  '.repeat(stack.length) + title); stack.push(title); fn(); stack.pop(); };
exports.it = (title, fn) => {
  const pad = '  '.repeat(stack.length), t = Date.now();
  try { fn(); good++; console.log(`${pad}\x1b[32m+\x1b[39m ${title} \x1b[2m(${Date.now() - t}ms)\x1b[22m`); }
  catch (e) { broken.push([[...stack, title].join(' / '), e]); console.log(`${pad}\x1b[31m- ${title}\x1b[39m`); }
};
exports.done = () => {
  console.log(`\n${good} went well, ${broken.length} did not:\n`);
  for (const [name, e] of broken) console.log(`\x1b[31m${name}\x1b[39m\n${e.stack.replace(/^/gm, '    ')}\n`);
  process.exit(broken.length);
};
