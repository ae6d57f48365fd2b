local M = {}
function M.total(items)
  local s = 0
  for _, i in ipairs(items) do s = s + i.price end
  return s
end
function M.label(u) return u.name:upper() end
return M
