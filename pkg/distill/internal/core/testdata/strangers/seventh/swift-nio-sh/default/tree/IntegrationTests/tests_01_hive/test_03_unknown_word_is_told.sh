#!/bin/bash
source "$(dirname "$test")/defines.sh"
"$hive" honey 2> "$tmp/err" || true
grep -q "unknown word" "$tmp/err"
