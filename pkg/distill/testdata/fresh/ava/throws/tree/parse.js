export function parse(s) {
  if (!s) throw new TypeError("nothing to parse");
  return s.split(";");
}
