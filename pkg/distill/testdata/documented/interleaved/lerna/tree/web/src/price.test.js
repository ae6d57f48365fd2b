import { total } from "./price";
test("adds", () => {
  expect(total([2, 4])).toBe(6);
});
