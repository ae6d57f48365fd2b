local hive = require 'hive'
local asserteq = require 'pl.test'.asserteq

asserteq(hive.weight {}, 0)
asserteq(hive.weight {4, 5, 6}, 15)
