#!/bin/bash
cd "$(dirname "$0")/.." && . lib/tide.sh
green=$'\e[32m' red=$'\e[31m' off=$'\e[0m'
good=0 bad=0
check() { # title want have
	if [ "$2" = "$3" ]; then
		echo "  ${green}✔${off} $1"; good=$((good + 1))
	else
		echo "  ${red}✘${off} $1"; bad=$((bad + 1))
		echo "      wanted: $2"
		echo "      but is: $3"
		echo "      (tests/run.sh line ${BASH_LINENO[0]})"
	fi
}
echo "Tides"
check "next high water is 12 h 25 min later" 745 "$(next_high 0)"
check "wraps at midnight — après minuit" 45 "$(next_high 740)"
check "neap tide is lower" 3 "$(height 2)"
echo "Seasons"
check "june is summer" summer "$(season 6)"
check "october is autumn" autumn "$(season 10)"
echo
echo "$good good, $bad bad"
[ $bad = 0 ]
