export function w(n) {
  if (n > 3) {
    return 1;
  }
  if (n > 2) {
    return 4;
  }
  return 2;
}
