local hive = require 'hive'
local test = require 'pl.test'

test.asserteq(hive.queen("carnica").race, "carnica")
