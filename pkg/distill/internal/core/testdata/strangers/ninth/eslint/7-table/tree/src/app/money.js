export function round(x) {
  if (x == null) {
    debugger;
  }
  return Math.round(x);
}
