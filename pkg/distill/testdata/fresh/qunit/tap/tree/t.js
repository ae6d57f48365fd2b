QUnit.test("sorts", a => {
  a.deepEqual(require("./s").s([2, 1]), [1, 2], "in order");
});
QUnit.test("throws", a => {
  a.throws(() => require("./s").s(null), /nothing/, "refuses null");
});
