ok=0; bad=0
check() { # name want got
  if [ "$2" = "$3" ]; then ok=$((ok+1)); printf "%-20s fine\n" "$1"
  else bad=$((bad+1)); printf "%-20s DIFFERS: wanted %s, have %s\n" "$1" "$2" "$3"; fi
}
. ./calc.sh
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do check "double $i" $((i*2)) $(double $i); done
check "square 4" 16 $(square 4)
echo "good $ok bad $bad"
[ $bad = 0 ]
