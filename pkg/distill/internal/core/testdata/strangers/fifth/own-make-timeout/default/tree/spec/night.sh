. src/lock.sh
echo "filling to 7"
[ "$(fill 7)" = 7 ]
