const t = require("tap");
const { total, label } = require("../lib/price");
t.test("adds quantities", (t) => {
  t.equal(total([{ price: 2, qty: 3 }]), 6);
  t.end();
});
t.test("labels anonymous users", (t) => {
  t.equal(label(null), "ANON");
  t.end();
});
t.test("empty is zero", (t) => {
  t.equal(total([]), 0);
  t.end();
});
