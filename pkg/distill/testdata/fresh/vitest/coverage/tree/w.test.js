import { test, expect } from "vitest";
import { w } from "./w.js";
test("w", () => { expect(w(4)).toBe(1); });
