local M = require "lighthouse"

local rows, bad = {}, 0
local function check(name, got, want)
  local ok = got == want
  if not ok then bad = bad + 1 end
  rows[#rows + 1] = { name, ok and "ok" or "NG", tostring(want), tostring(got) }
end

check("range from 25 m", M.range(25), 15)
check("flashes per minute", M.flashes(60, 5), 12)
check("red sector", M.colour(45), "red")
check("green sector", M.colour(200), "green")

local function line(a, b, c, d) print(("│ %-20s │ %-6s │ %-7s │ %-7s │"):format(a, b, c, d)) end
print("┌" .. ("─"):rep(22) .. "┬" .. ("─"):rep(8) .. "┬" .. ("─"):rep(9) .. "┬" .. ("─"):rep(9) .. "┐")
line("check", "result", "wanted", "got")
print("├" .. ("─"):rep(22) .. "┼" .. ("─"):rep(8) .. "┼" .. ("─"):rep(9) .. "┼" .. ("─"):rep(9) .. "┤")
for _, r in ipairs(rows) do line(table.unpack(r)) end
print("└" .. ("─"):rep(22) .. "┴" .. ("─"):rep(8) .. "┴" .. ("─"):rep(9) .. "┴" .. ("─"):rep(9) .. "┘")
print(bad .. " of " .. #rows .. " checks are not as wanted")
os.exit(bad == 0)
