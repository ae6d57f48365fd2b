package distill

import (
	"context"
	"strings"
	"testing"
)

// What failed and what passed are together what ran: else a correct change seems to lose tests.
func TestProveCountsWhatRan(t *testing.T) {
	t.Parallel()
	const verbose = "t/01-fire.t .. \nok 1 - lights\nnot ok 2 - burns\n1..2\nFailed 1/2 subtests \n" +
		"t/02-cool.t .. \nok 1 - cools\nok 2 - rests\n1..2\nok\n\nTest Summary Report\n-------------------\n" +
		"t/01-fire.t (Wstat: 256 (exited 1) Tests: 2 Failed: 1)\n  Failed test:  2\n" +
		"Files=2, Tests=4,  0 wallclock secs\nResult: FAIL\n"
	said := func(name, file string, line string) string {
		return "\n#   Failed test '" + name + "'\n#   at " + file + " line " + line +
			".\n#          got: '1'\n#     expected: '2'\n"
	}
	sum := func(file string, n string) string {
		return file + " (Wstat: 256 (exited 1) Tests: " + n + " Failed: " + n + ")\n  Failed tests:  1-" + n + "\n"
	}
	for name, c := range map[string]struct {
		output                string
		passed, failed, named int
	}{
		"two files with a test of one name": {said("burns", "t/01-fire.t", "6") + said("burns", "t/02-cool.t", "6") +
			"Test Summary Report\n" + sum("t/01-fire.t", "1") + sum("t/02-cool.t", "1") +
			"Files=3, Tests=3,  0 wallclock secs\nResult: FAIL\n", 1, 2, 2},
		"a test of one name in a loop": {said("burns", "t/01-fire.t", "6") + said("burns", "t/01-fire.t", "6") +
			"Test Summary Report\n" + sum("t/01-fire.t", "2") + "Files=1, Tests=9,  0 wallclock secs\nResult: FAIL\n", 7, 2, 1},
		"each result printed": {verbose, 3, 1, 1},
		"each result printed, all pass": {"t/02-cool.t .. \nok 1 - cools\nok 2 - rests\n1..2\nok\n" +
			"All tests successful.\nFiles=1, Tests=2,  0 wallclock secs\nResult: PASS\n", 2, 0, 0},
	} {
		r, err := Read(context.Background(), strings.NewReader(c.output), Options{})
		if err != nil || r.Passed == nil || *r.Passed != c.passed || len(r.Failures) != c.named {
			t.Errorf("%s: got %v passed, failures %v, %v; want %d passed and %d named",
				name, r.Passed, r.Failures, err, c.passed, c.named)
			continue
		}
		if r.Failed == nil || *r.Failed != c.failed {
			t.Errorf("%s: got %v failed, want %d", name, r.Failed, c.failed)
		}
	}
}
