//go:build unix

package main

import (
	"os"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// suite is a shell repository whose checks pass; a task adds to it.
var suite = map[string]string{
	".booty.yml": "test_command: sh run_tests.sh\n",
	"run_tests.sh": `n=0 bad=0
for f in tests/*_test.sh; do
	n=$((n+1))
	if sh "$f"; then echo "ok $n - $f"; else echo "not ok $n - $f"; bad=1; fi
done
echo "1..$n"
exit $bad
`,
	"tests/start_test.sh": "[ -e greet.sh ]\n",
	"greet.sh":            "echo bye\n",
	"crlf.txt":            "one\r\ntwo\r\n",
	"no_newline.txt":      "end",
}

const (
	wrongReply = "Summary: feat: greet\n\ngreet.sh\n```sh\necho hullo\n```\n\ntests/greet_test.sh\n```sh\n[ \"$(sh greet.sh)\" = hello ]\n```\n"
	rightReply = "Summary: feat: greet\n\ngreet.sh\n```sh\necho hello\n```\n"
)

// wrongThenRight answers a first attempt wrongly, any later one rightly.
func wrongThenRight(request string) string {
	if strings.Contains(request, "This is attempt 1 of") {
		return wrongReply
	}
	return rightReply
}

var runArgs = []string{"run", "--task", "greet with hello", "--json"}

// all asks for every case; the usual number is a choice, so that the whole
// suite stays short where programs start slowly.
func all() bool { return os.Getenv("BOOTY_KILL_ALL") != "" }

// every is true where a case is to be run: each n-th one, with -short half as many,
// with BOOTY_KILL_ALL all.
func every(i, n int) bool {
	if testing.Short() {
		n *= 2
	}
	return all() || i%n == 0
}

// turn is true where a deed is to be tried at a place, or after an ending: each in one of n
// in turn, with -short each third of them, with BOOTY_KILL_ALL in all.
func turn(deed, place, n int) bool {
	return all() || deed%n == place && (!testing.Short() || deed%3 == 0)
}

func write(files map[string]string) func(l *lab) {
	return func(l *lab) { testkit.Write(l.t, l.repo, files) }
}
