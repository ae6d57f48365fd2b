import test from "ava";
test("is true", t => {
  t.true(1 > 2, "one is less");
});
test("other", t => { t.pass(); });
