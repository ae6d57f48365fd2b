#!/bin/sh
# every golden/NAME.in goes through the program and must give golden/NAME.out
status=0
for in in golden/*.in; do
	name=$(basename "$in" .in)
	if bin/fmtlist < "$in" | diff -u --label "golden/$name.out" --label actual "golden/$name.out" - > /tmp/golden.$$; then
		echo "same     $name"
	else
		echo "differs  $name"
		cat /tmp/golden.$$
		status=1
	fi
done
rm -f /tmp/golden.$$
exit $status
