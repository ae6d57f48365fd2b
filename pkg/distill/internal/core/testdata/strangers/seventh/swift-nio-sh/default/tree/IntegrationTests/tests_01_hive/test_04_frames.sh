#!/bin/bash
source "$(dirname "$test")/defines.sh"
assert_equal 3 "$("$hive" frames 3)"
