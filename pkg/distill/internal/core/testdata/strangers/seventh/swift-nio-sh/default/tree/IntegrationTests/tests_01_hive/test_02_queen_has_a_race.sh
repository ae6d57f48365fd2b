#!/bin/bash
source "$(dirname "$test")/defines.sh"
"$hive" queen > "$tmp/queen"
assert_equal "buckfast" "$(cat "$tmp/queen")"
