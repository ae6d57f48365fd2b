import test from 'ava';
import {add, sub} from './src/calc.js';

test('adds', t => {
	t.is(add(1, 2), 3);
});

test('subtracts', t => {
	t.is(sub(3, 1), 2);
});
