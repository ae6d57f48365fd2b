const { total, label } = require("../lib/price");
describe("price", () => {
  it("adds quantities", () => {
    expect(total([{ price: 2, qty: 3 }])).toBe(6);
  });
  it("labels anonymous users", () => {
    expect(label(null)).toBe("ANON");
  });
  it("empty is zero", () => {
    expect(total([])).toBe(0);
  });
  xit("later", () => {});
});
