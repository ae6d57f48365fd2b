#!/bin/sh
# From cron, twice an hour: turns pending tests green, one pull request after the
# other, until nothing is left that needs no person (docs/queue.md):
#
#   7,37 * * * * /path/to/cron.sh /path/to/clone >>"$HOME/booty-queue.log" 2>&1
#
# Give it a clone of its own, in which nobody works. Two at once are no harm: the
# second one ends at once. cron gives no more than a bare PATH: name what the tests
# and booty need, and keep the keys in a file that only you can read.
set -u
cd "$1" || exit 2
PATH=${QUEUE_PATH:-$HOME/.local/bin:/usr/local/bin:/usr/bin:/bin}
[ ! -r "$HOME/.config/booty/key.env" ] || . "$HOME/.config/booty/key.env"
git pull --quiet --ff-only || exit 7
code=0
booty run --next --all || code=$?
case $code in
0) echo "$(date): nothing is left" ;;
3) echo "$(date): a spec needs a person; booty status --queue names it" ;;
4) echo "$(date): nothing to do; booty status --queue" ;;
5) echo "$(date): a limit of spending is reached" ;;
*) echo "$(date): exit code $code; see booty status latest" ;;
esac
exit $code
