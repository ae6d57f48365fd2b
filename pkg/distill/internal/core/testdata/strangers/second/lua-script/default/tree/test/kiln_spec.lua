package.path = "src/?.lua;" .. package.path
local kiln = require "kiln"
local bad, n = 0, 0
local function it(name, f)
  n = n + 1
  local ok, err = xpcall(f, debug.traceback)
  if ok then print("  \u{2714} " .. name) else bad = bad + 1; print("  \u{2716} " .. name); print("    " .. err:gsub("\n", "\n    ")) end
end
print("kiln")
it("starts cold", function() assert(kiln.heat(0) == 0) end)
it("ten minutes", function() assert(kiln.heat(10) == 100, "heat is " .. kiln.heat(10)) end)
it("labels nameless pots", function() assert(kiln.label({}) == "NAMELESS") end)
print(("%d of %d failed"):format(bad, n))
os.exit(bad == 0)
