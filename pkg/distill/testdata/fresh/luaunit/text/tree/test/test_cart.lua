package.path = './src/?.lua;' .. package.path
local lu = require('luaunit')
local rounding = require('shop.rounding')

TestCart = {}

function TestCart:testWhole()
  lu.assertEquals(rounding.cents(2.0), 2)
end

function TestCart:testHalf()
  lu.assertEquals(rounding.cents(7.5), 8)
end

function TestCart:testNil()
  lu.assertEquals(rounding.cents(nil), 0)
end

os.exit(lu.LuaUnit.run())
