awk -f sum.awk data.csv | while read k v; do
  w=$(awk -F, -v k=$k '$1==k{print $2}' want.csv)
  s=ok; [ "$v" = "$w" ] || s="differs from $w"
  echo "| $k | $v | $s |"
done > out.txt
cat out.txt
! grep -q differs out.txt
