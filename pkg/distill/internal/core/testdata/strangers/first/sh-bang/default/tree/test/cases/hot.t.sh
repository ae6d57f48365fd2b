r=$(sh tools/kiln 10)
[ "$r" = 100 ] || { echo "kiln 10 printed $r instead of 100"; exit 1; }
