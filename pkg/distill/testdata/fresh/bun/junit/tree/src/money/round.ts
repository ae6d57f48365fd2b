export const round = (x: number): number => Math.floor(x);
