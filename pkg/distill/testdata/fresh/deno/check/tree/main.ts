export function twice(n: number): string {
  return n * 2;
}
