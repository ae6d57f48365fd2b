import { area } from "./shape.mjs";
let bad = 0;
const say = (n, ok) => { console.log(`${n} .......... ${ok ? "good" : "NOT GOOD"}`); bad += ok ? 0 : 1; };
for (let i = 0; i < 40; i++) say(`square of ${i}`, area("square", i) === i * i);
say("circle", Math.round(area("circle", 1) * 100) === 314);
say("triangle", area("triangle", 4) === 8);
console.log(`error budget: ${bad} of 42 used in ${Date.now() % 97} ms`);
process.exitCode = bad ? 1 : 0;
