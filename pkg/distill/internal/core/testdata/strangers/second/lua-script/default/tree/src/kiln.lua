local M = {}
function M.heat(m) return m * 9 end
function M.label(pot) return pot.name:upper() end
return M
