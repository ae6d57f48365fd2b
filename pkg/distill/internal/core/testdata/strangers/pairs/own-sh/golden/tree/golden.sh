for f in cases/*.in; do
  echo "== $f"
  sh conv.sh < $f > out.txt 2>err.txt
  if diff -u ${f%.in}.out out.txt; then echo "same"; else rc=1; fi
done
echo "done with $(ls cases/*.in | wc -l) cases, errors are listed above"
exit ${rc:-0}
