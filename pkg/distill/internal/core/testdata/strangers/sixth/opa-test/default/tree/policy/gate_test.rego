package gate_test

import rego.v1

import data.gate

test_nobody_without_ticket if {
	not gate.allow with input as {}
}

test_one_zone_is_enough if {
	gate.allow with input as {"ticket": {"zones": 1}}
}

test_children_need_an_adult if {
	not gate.allow with input as {"child": true}
}

test_two_zones if {
	gate.allow with input as {"ticket": {"zones": 2}}
}
