. src/lock.sh
[ "$(fill 4)" = 4 ]
