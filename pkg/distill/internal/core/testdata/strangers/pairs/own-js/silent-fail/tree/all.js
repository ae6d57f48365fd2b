const w = require("./w");
for (let i = 1; i <= 30; i++) console.log(`weighing sack ${i}: got ${w(i)} kg, expected ${i * 2} kg`);
let bad = 0; for (let i = 1; i <= 30; i++) if (w(i) !== i * 2) bad++;
console.log("weighed everything");
process.exitCode = bad ? 1 : 0;
