export const round = (x) => Math.floor(x);
