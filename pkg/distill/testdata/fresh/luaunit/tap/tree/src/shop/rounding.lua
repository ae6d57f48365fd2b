local M = {}

function M.cents(x)
  return math.floor(x)
end

return M
