const test = require("ava");
const { total, label } = require("../lib/price");
test("adds quantities", (t) => {
  t.is(total([{ price: 2, qty: 3 }]), 6);
});
test("labels anonymous users", (t) => {
  t.is(label(null), "ANON");
});
test("empty is zero", (t) => {
  t.is(total([]), 0);
});
test.skip("later", (t) => t.pass());
