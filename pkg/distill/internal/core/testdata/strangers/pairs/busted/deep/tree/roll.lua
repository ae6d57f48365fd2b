local M = {}
function M.pair(a) return { a, a + 2 } end
return M
