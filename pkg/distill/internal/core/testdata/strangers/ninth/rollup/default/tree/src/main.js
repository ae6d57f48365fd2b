import { total } from './lib/sum.js';
import { x } from './lib/missing.js';
console.log(total, x);
