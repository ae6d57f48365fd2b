local M = {}

function M.range(metres)
  return math.floor(metres ^ 0.5 * 3)
end

function M.flashes(seconds, period)
  return seconds // period + 1
end

function M.colour(bearing)
  if bearing < 90 then return "red" end
  return "white"
end

return M
