total() { local s=0 p; for p in "$@"; do s=$((s + p)); done; echo $((s + 1)); }
tva() { echo $(($1 * 20 / 100)); }
rendu() { [ "$1" -ge "$2" ] && echo $(($1 - $2)); }
