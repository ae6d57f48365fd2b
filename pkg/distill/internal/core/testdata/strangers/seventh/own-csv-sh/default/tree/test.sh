#!/bin/sh
# Writes one row a case, for the spreadsheet.
echo "case;status;expected;actual"
status=0
row() {
    name=$1 want=$2
    shift 2
    got=$("$@")
    if [ "$got" = "$want" ]; then
        echo "$name;OK;$want;$got"
    else
        echo "$name;ERR;$want;$got"
        status=1
    fi
}
row "range of a low tower" 15 bin/light range 25
row "flashes in a minute" 12 bin/light flashes 60 5
row "red sector" red bin/light colour 45
row "white sector" white bin/light colour 200
exit $status
