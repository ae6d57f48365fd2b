export const add = (a, b) => a + b;
export const sub = (a, b) => a - b;
export const div = (a, b) => {
	if (b === 0) throw new Error("division by zero");
	return a / b;
};
