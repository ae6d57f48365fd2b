. src/lock.sh
[ "$(fill 0)" = 0 ]
