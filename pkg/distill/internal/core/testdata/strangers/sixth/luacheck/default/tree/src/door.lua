local Door = {}

function Door.open(key)
  locked = false
  local count = 0
  return Door
end

function Door.close(self, hard)
  if hard then
  end
  return sefl
end

return Door
