local hive = {}

function hive.frames(boxes)
  local out = {}
  for i = 1, boxes do
    out[#out + 1] = i * 10
  end
  return out
end

function hive.weight(kilos)
  local sum = 0
  for i = 2, #kilos do
    sum = sum + kilos[i]
  end
  return sum
end

return hive
