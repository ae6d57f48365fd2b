#!/bin/sh
fail=""
t() { if [ "$2" = "$3" ]; then echo "  $1 .. ok"; else echo "  $1 .. no: wanted $2, got $3"; fail="$fail $1"; fi; }
echo "kiln"
t heats_ten_minutes 100 "$(sh tools/kiln 10)"
t heats_none 0 "$(sh tools/kiln 0)"
t heats_twice 180 "$(sh tools/kiln 20)"
if [ -n "$fail" ]; then echo; echo "Failed tests:"; for f in $fail; do echo "  - $f"; done; exit 1; fi
