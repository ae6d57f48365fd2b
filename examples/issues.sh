#!/bin/sh
# Work off every open issue with the label "booty", one after the other, and
# tell at the end which need a person. Needs gh and a model; see docs/github.md.
#
#   issues.sh [LABEL]
set -u
label=${1:-booty}
left=""
for n in $(gh issue list --label "$label" --state open --json number --jq '.[].number'); do
	booty run --issue "$n"
	code=$?
	case $code in
	0) echo "#$n: done" ;;
	4) echo "#$n: nothing to do" ;;
	3) echo "#$n: needs a person" && left="$left #$n" ;;
	5) echo "#$n: the budget is used up, stopping" && exit 5 ;;
	130) echo "interrupted" && exit 130 ;;
	*) echo "#$n: exit code $code" && left="$left #$n" ;;
	esac
done
[ -z "$left" ] || { echo "left for people:$left"; exit 3; }
