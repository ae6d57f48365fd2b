#!/bin/sh
# name | arguments | expected
n=0 bad=
t() {
  n=$((n + 1))
  printf '%s\n' "----------------------------------------" "Test $n. $1" "----------------------------------------"
  got=$(sh ./greet $2 2>&1)
  if [ "$got" = "$3" ]; then echo "okay"; else
    echo "output differs:"; echo "  < $3"; echo "  > $got"; bad="$bad $n"
  fi
}
t "greets by name" Ann "Hello, Ann"
t "asks nobody" "" "who are you?"
t "greets two" "Ann Bo" "Hello Ann and Bo"
echo "========================================"
echo "$n tests, trouble with$bad"
[ -z "$bad" ]
