const { test } = require("uvu");
const assert = require("uvu/assert");
const { total, label } = require("../lib/price");
test("adds quantities", () => {
  assert.is(total([{ price: 2, qty: 3 }]), 6);
});
test("labels anonymous users", () => {
  assert.is(label(null), "ANON");
});
test("empty is zero", () => {
  assert.is(total([]), 0);
});
test.run();
