package format

import (
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reNextest = text.Lazy(`^ *(?:TRY \d+ )?(PASS|FAIL|FLAKY \d+/\d+|TIMEOUT|LEAK|LEAK-FAIL|ABORT|SIG[A-Z]+)` +
		` \[ *[\d.]+s\] (?:\([^)]*\) *)?(\S+) +(\S.*)$`)
	reNextestSum = text.Lazy(`^ +Summary \[ *[\d.]+s\] +\d+(?:/\d+)? tests? run: (\d+) passed(?: \([^)]*\))?` +
		`(?:, (\d+) failed(?: \([^)]*\))?)?(?:, (\d+) timed out)?(?:, (\d+) exec failed)?(?:, (\d+) skipped)?`)
	reNextestOut = text.Lazy(`^(?:(?:---|────) (?:STDOUT|STDERR): +|  (?:stdout|stderr) ───)`)
	reLibtest    = text.Lazy(`^\s*(?:running \d+ tests?|test \S.* \.\.\. FAILED|failures:|\S+|test result: .*)?$`)
)

// readNextest reads cargo nextest. A test may have several status lines: one per try, and
// one in the list at the end. The last one counts.
func readNextest(d *stream.Stream, f *core.Result) {
	r := &nextest{f: f, at: map[string]int{}, out: map[string][]string{}}
	for i := range d.Lines {
		had := len(f.Totals)
		if l := &d.Lines[i]; !l.Used && r.line(l.S) {
			l.Used = true
		}
		if len(f.Totals) > had {
			f.CountedAt(d.Lines[i].No)
		}
	}
	for i := range r.ran {
		core.Explain(&r.ran[i].Failures[0], r.out[r.ran[i].Program+" "+r.ran[i].Name])
	}
	f.File(r.ran)
}

type nextest struct {
	f     *core.Result
	ran   []core.Ran     // the tests of which a try failed
	at    map[string]int // where they stand there
	out   map[string][]string
	now   string // the test whose output this is, by program and name
	ended bool   // the list at the end says all once more
}

// line reads one line and reports whether it belongs to nextest or to the output of a
// failing test.
func (r *nextest) line(s string) bool {
	if !strings.Contains(s, "s] ") {
		return r.output(s)
	}
	if m := reNextestSum().FindStringSubmatch(s); m != nil {
		bad := text.Atoi(m[2]) + text.Atoi(m[3]) + text.Atoi(m[4])
		r.f.Total(text.Atoi(m[1]), bad, text.Atoi(m[5]))
		r.ended, r.now = true, ""
		return true
	}
	if m := reNextest().FindStringSubmatch(s); m != nil {
		r.status(m[1], m[2], m[3])
		return true
	}
	return r.output(s)
}

// output reads a line without a status.
func (r *nextest) output(s string) bool {
	switch {
	case reNextestOut().MatchString(s):
		if words := strings.Fields(strings.TrimSuffix(s, " ---")); s[0] != ' ' {
			r.now = strings.Join(words[max(len(words)-2, 0):], " ")
		}
		return true
	case strings.HasPrefix(s, "────"), strings.HasPrefix(s, "error: test run failed"):
		r.now = ""
		return true
	case r.now == "" || r.ended:
		return false
	}
	if _, failed := r.at[r.now]; !failed {
		return false
	}
	if !reLibtest().MatchString(s) && len(r.out[r.now]) < 1000 {
		r.out[r.now] = append(r.out[r.now], s)
	}
	return true
}

// status reads the result of a test, or of one try of it. Programs may have tests of one name.
func (r *nextest) status(said, program, name string) {
	key := program + " " + name
	i, failed := r.at[key]
	good := strings.HasPrefix(said, "PASS") || strings.HasPrefix(said, "FLAKY") || said == "LEAK"
	if r.now = key; good {
		if failed {
			r.ran[i].Outcome = testreport.Passed
		}
		return
	}
	if !failed {
		i, r.at[key] = len(r.ran), len(r.ran)
		r.ran = append(r.ran, core.Ran{Test: testreport.Test{Program: program, Name: name},
			Failures: []core.Failure{{Test: name, Runner: "cargo nextest"}}})
	}
	r.ran[i].Outcome = testreport.Failed
	x := &r.ran[i].Failures[0]
	if !r.ended {
		r.out[key] = nil // the last try explains
	}
	switch x.Kind = core.KindTest; {
	case said == "TIMEOUT":
		x.Kind, x.Message = core.KindTimeout, "timed out"
	case strings.HasPrefix(said, "SIG") || said == "ABORT":
		x.Kind, x.Message = core.KindCrash, said
	case said == "LEAK-FAIL":
		x.Message = "passed, but left a process behind (LEAK-FAIL)"
	}
}
