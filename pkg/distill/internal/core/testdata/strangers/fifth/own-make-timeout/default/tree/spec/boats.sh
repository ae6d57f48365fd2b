. src/lock.sh
have=$(fee 12)
[ "$have" = 40 ] || { echo "spec/boats.sh:3: a boat of 12 m pays 40, not $have" >&2; exit 3; }
