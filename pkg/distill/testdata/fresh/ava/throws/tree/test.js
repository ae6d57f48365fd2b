import test from "ava";
import { parse } from "./parse.js";
test("splits", t => {
  t.deepEqual(parse("a,b"), ["a", "b"]);
});
test("refuses nothing", t => { t.throws(() => parse("")); });
