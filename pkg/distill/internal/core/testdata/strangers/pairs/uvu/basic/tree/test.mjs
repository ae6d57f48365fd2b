import { test } from "uvu";
import * as assert from "uvu/assert";
import { span } from "./span.mjs";
test("measures a span", () => {
  assert.is(span(2, 7), 5, "five apart");
});
test("zero", () => { assert.is(span(1, 1), 0); });
test.run();
