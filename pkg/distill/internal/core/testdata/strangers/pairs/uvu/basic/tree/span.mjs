export const span = (a, b) => a - b;
