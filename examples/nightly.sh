#!/bin/sh
# From cron, each night, with outages waited for and a bound on the money:
#
#   0 1 * * * /path/to/nightly.sh /path/to/repository >>"$HOME/booty-nightly.log" 2>&1
#
# cron gives no more than a bare PATH: name what the tests and booty need, and
# keep the key in a file that only you can read.
set -u
cd "$1" || exit 2
PATH=${NIGHTLY_PATH:-$HOME/.local/bin:/usr/local/bin:/usr/bin:/bin}
[ ! -r "$HOME/.config/booty/key.env" ] || . "$HOME/.config/booty/key.env"
git fetch --quiet || exit 7
booty refine --patient --budget "${NIGHTLY_USD:-2}"
code=$?
case $code in
0) echo "$(date): fixed; see booty status latest" ;;
4) echo "$(date): nothing to do" ;;
*) echo "$(date): exit code $code; see booty status latest" ;;
esac
exit $code
