import { total } from "../src/price.js";
describe("price", () => {
  it("adds", () => {
    expect(total([2, 4])).toBe(6);
  });
});
