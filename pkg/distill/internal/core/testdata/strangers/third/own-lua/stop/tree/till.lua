local M = {}
function M.total(items)
  local t = 0
  for _, i in ipairs(items) do t = t + i.cents end
  return t
end
function M.name(i) return i.label.text end
return M
