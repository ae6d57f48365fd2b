import { expectType, expectError } from 'tsd';
import { fare, zones } from './index.js';

expectType<number>(fare(2));
expectType<number[]>(zones());
expectError(fare(3));
