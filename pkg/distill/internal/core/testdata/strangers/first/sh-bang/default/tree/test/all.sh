#!/bin/sh
n=0; bad=0
for t in test/cases/*.t.sh; do
  n=$((n+1))
  if out=$(sh $t 2>&1); then echo "PASSED  $t"; else bad=$((bad+1)); echo "FAILED  $t"; echo "$out" | sed 's/^/    | /'; fi
done
echo "$((n-bad))/$n passed"
[ $bad = 0 ]
