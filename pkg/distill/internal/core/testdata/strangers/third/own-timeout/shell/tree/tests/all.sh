#!/bin/sh
cd "$(dirname "$0")/.."
rc=0
for t in tests/t-*; do
  printf '%s: ' "$(basename $t)"
  timeout 1 sh $t > out.log 2>&1; s=$?
  case $s in
    0) echo good ;;
    124) echo "no answer within 1 second"; rc=1 ;;
    *) echo "exit $s"; sed 's/^/    /' out.log; rc=1 ;;
  esac
done
exit $rc
