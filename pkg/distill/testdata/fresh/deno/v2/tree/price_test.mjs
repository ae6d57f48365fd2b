import { total, label } from "./price.mjs";
function eq(a, b) {
  if (a !== b) throw new Error(`not equal: ${a} and ${b}`);
}
Deno.test("adds quantities", () => {
  eq(total([{ price: 2, qty: 3 }]), 6);
});
Deno.test("labels anonymous users", () => {
  eq(label(null), "ANON");
});
Deno.test("empty is zero", async (t) => {
  await t.step("plain", () => eq(total([]), 0));
  await t.step("nested", () => eq(total([]), 1));
});
Deno.test.ignore("later", () => {});
