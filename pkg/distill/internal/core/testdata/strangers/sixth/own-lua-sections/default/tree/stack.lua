local Stack = {}
Stack.__index = Stack
function Stack.new() return setmetatable({ n = 0 }, Stack) end
function Stack:push(x) self.n = self.n + 1; self[self.n] = x end
function Stack:pop() local x = self[self.n]; self.n = self.n - 1; return x end
function Stack:size() return self.n end
return Stack
