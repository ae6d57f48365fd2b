local Stack = require("stack")
local ok, ko = 0, 0
local function section(s) print("\n## " .. s) end
local function eq(a, b)
  if a ~= b then error(("got %s, expected %s"):format(tostring(a), tostring(b)), 2) end
end
local function test(name, f)
  local good, err = pcall(f)
  if good then ok = ok + 1; print("OK   " .. name)
  else ko = ko + 1; print("KO   " .. name); print("     " .. err) end
end

section("push")
test("push grows the stack", function()
  local s = Stack.new(); s:push(1); s:push(2)
  eq(s:size(), 2)
end)
test("nil cannot be pushed", function()
  local s = Stack.new(); s:push(nil)
  eq(s:size(), 0)
end)

section("pop")
test("pop gives the last", function()
  local s = Stack.new(); s:push(1); s:push(2)
  eq(s:pop(), 2)
end)
test("pop of an empty stack keeps the size", function()
  local s = Stack.new(); s:pop()
  eq(s:size(), 0)
end)

print(("\n%d OK, %d KO"):format(ok, ko))
os.exit(ko == 0)
