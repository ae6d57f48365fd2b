local hive = require 'hive'
local asserteq = require 'pl.test'.asserteq

asserteq(hive.frames(2), {10, 20})
asserteq(hive.frames(0), {})
