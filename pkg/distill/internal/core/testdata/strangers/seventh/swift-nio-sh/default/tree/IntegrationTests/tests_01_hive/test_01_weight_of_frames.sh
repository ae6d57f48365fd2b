#!/bin/bash
source "$(dirname "$test")/defines.sh"
[[ "$("$hive" weight 4)" == "8 kilos" ]]
