export const total = (a) => {
  return a.reduce((s, x) => s + x, 0;
};
