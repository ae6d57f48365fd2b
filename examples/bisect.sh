#!/bin/sh
# Find the commit that broke the checks, skipping those where they cannot run.
#
#   git bisect start BAD GOOD && git bisect run examples/bisect.sh
booty check --quiet
code=$?
case $code in
2 | 9) exit 125 ;;
esac
exit $code
