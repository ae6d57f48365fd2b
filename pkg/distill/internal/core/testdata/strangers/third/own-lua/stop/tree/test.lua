local till = require 'till'
local function try(name, fn)
  io.write(name, string.rep('.', 40 - #name))
  local ok, err = xpcall(fn, debug.traceback)
  print(ok and 'passed' or 'NOT PASSED')
  if not ok then print(err); FAILED = (FAILED or 0) + 1 end
end
try('nothing in the basket', function() assert(till.total {} == 0) end)
try('three of a kind', function()
  local got = till.total { { cents = 100, n = 3 } }
  assert(got == 300, 'expected 300, was ' .. got)
end)
try('a nameless item', function() till.name {} end)
print(FAILED .. ' not passed'); os.exit(1)
