const assert = require("assert");
const { total, label } = require("../lib/price");
describe("price", () => {
  it("adds quantities", () => {
    assert.strictEqual(total([{ price: 2, qty: 3 }]), 6);
  });
  it("labels anonymous users", () => {
    assert.equal(label(null), "ANON");
  });
  it("empty is zero", () => {
    assert.equal(total([]), 0);
  });
  it("slow one", function (done) {
    this.timeout(30);
  });
  it("later");
});
