export const area = (k, n) => ({ square: n * n, circle: Math.PI * n * n, triangle: n * n / 3 })[k];
