const { k } = require("./k");
test("k", () => { expect(k(1)).toBe(1); });
