package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

// textCap is the most that a verdict's text may have in bytes.
const textCap = 6000

// conclude puts together what the results say.
func (v *verification) conclude() {
	v.Green = len(v.failed) == 0
	v.add()
	if v.Green {
		return
	}
	hash := sha256.New()
	var ours []Result // what holds more than known failures
	v.Unread = true
	for _, res := range v.failed {
		if v.Environment == "" {
			v.Environment, v.Hint = res.Environment, res.Hint
		}
		if v.Hung == "" && res.End == TimedOut {
			v.Hung = fmt.Sprintf("%s did not end within %s", res.Name, res.Timeout)
		}
		v.Unread = v.Unread && unread(res)
		v.Missing = v.Missing || missing(res)
		if !v.allKnown(res) {
			ours = append(ours, res)
		}
		v.Failures = append(v.Failures, res.Summary.Failures...)
		for _, f := range res.Summary.Files {
			if !slices.Contains(v.Files, f) {
				v.Files = append(v.Files, f)
			}
		}
		said := signature(res, v.r.c.Dir)
		if res.Environment != "" {
			said = "environment\x00" + res.Environment
		}
		fmt.Fprintf(hash, "%s\x00%s\x00", res.baseName(), said)
	}
	v.Signature = hex.EncodeToString(hash.Sum(nil)[:16])
	v.Text = compose(ours, textCap)
	v.count()
}

// unread reports whether nothing was understood of a failing step's output: no test, no file.
func unread(res Result) bool {
	s := res.Summary
	return s.nameless() && len(s.Files) == 0 && !positive(s.Failed) &&
		(res.End == Exited || res.End == NotStarted)
}

// nameless says that no failure names a test or a file.
func (s Summary) nameless() bool {
	return !slices.ContainsFunc(s.Failures,
		func(f failure.Failure) bool { return f.Test != "" || f.File != "" })
}

// add sums up what the full runs of the test commands count.
func (v *verification) add() {
	var counts []testreport.Counts
	for _, res := range v.full {
		counts = append(counts, res.Summary.Counts)
		if res.Passed && res.silent {
			v.Silent = append(v.Silent, res.Command)
		}
		v.NoTests, v.AlwaysCounts = v.NoTests || res.End == NoTests,
			v.AlwaysCounts || res.Summary.AlwaysCounts
	}
	v.Counts = testreport.Sum(counts...)
	v.ranInAll()
}

// allKnown says that a result holds nothing new for whoever has to fix it.
func (v *verification) allKnown(res Result) bool {
	return v.o.Known != nil && len(res.Summary.Failures) > 0 && !uncounted(res) &&
		!slices.ContainsFunc(res.Summary.Failures, func(f failure.Failure) bool { return !v.o.Known(f) })
}

// count sets how many tests fail or, if that is not known, why.
func (v *verification) count() {
	for _, res := range v.failed {
		if res.Kind == GateK && !failsTests(res) {
			v.Findings = append(v.Findings, res.Summary.Failures...)
			if len(res.Summary.Failures) == 0 {
				v.UnnamedGates = append(v.UnnamedGates, res.Name)
			}
			continue
		}
		if res.Kind != Test && res.Kind != Rerun && res.Kind != GateK {
			continue
		}
		n := failure.CountTests(res.Summary.Failures)
		if f := res.Summary.Failed; f != nil && *f > n {
			n = *f
			v.Tally = max(v.Tally, failure.Unnamed)
		}
		v.Failing += n
		if uncounted(res) {
			v.Tally, v.Trouble = max(v.Tally, failure.Uncounted), trouble(res)
			if n == 0 && !res.Summary.Recognised {
				v.Tally = failure.Unparsed
			}
		}
	}
}

// uncounted reports whether a test command failed without reporting all failing tests: some did not
// build, none was loaded, or it did not end. A file that does not load beside others that do is a
// failure of its own.
func uncounted(res Result) bool {
	failures := res.Summary.Failures
	return failure.CountTests(failures) == 0 && (res.Summary.Failed == nil || *res.Summary.Failed == 0) ||
		res.End.stopped() || slices.ContainsFunc(failures, func(f failure.Failure) bool {
		return unloaded(f) && !(f.Kind == testreport.Load && f.Test != "" && ranBeside(res))
	})
}

// ranBeside reports whether tests ran beside what failed to load.
func ranBeside(res Result) bool {
	return positive(res.Summary.Passed) || slices.ContainsFunc(res.Summary.Failures, func(f failure.Failure) bool {
		return f.Test != "" && !unloaded(f)
	})
}

// trouble says why the number of failing tests is not known.
func trouble(res Result) string {
	has := func(kinds ...string) bool {
		return slices.ContainsFunc(res.Summary.Failures,
			func(f failure.Failure) bool { return slices.Contains(kinds, f.Kind) })
	}
	switch {
	case res.End == TimedOut:
		return "the tests do not end in time"
	case res.End == FilledDisk:
		return "the tests fill the disk"
	case res.End == NoTests:
		return "no tests are run"
	case has("compile", "type"):
		return "it does not build"
	case has("vet"):
		return "go vet keeps tests from running"
	case has("load"):
		return "the tests cannot be loaded"
	case has("lint"):
		return "the test command reports problems"
	}
	return "the test command fails"
}

// baseName is the same for a test step and its rerun, so that the same failures
// have the same signature in both.
func (r Result) baseName() string {
	if r.Kind == Rerun {
		return strings.TrimSuffix(r.Name, failedOnly)
	}
	return r.Name
}

// signature is the distiller's, or one made of the last lines without what
// differs from run to run.
func signature(res Result, dir string) string {
	switch {
	case res.End != Exited && res.End != NotStarted:
		return string(res.End)
	case res.Summary.Signature != "":
		return res.Summary.Signature
	}
	tail := strings.ReplaceAll(endOf(res.Tail, 2000), dir+"/", "") // the project's own paths, wherever it lies
	return fmt.Sprint(res.ExitCode, " ", varying().ReplaceAllString(tail, "#"))
}

var varying = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`0x[0-9a-f]+|/tmp/\S+|[0-9]+`)
})

// compose makes one text of the failed results within max bytes. Each gets an equal share, and what
// one does not need goes to the others; a longer text is made again to fit its share.
func compose(failed []Result, max int) string {
	parts := make([]string, len(failed))
	order := make([]int, len(failed))
	for i, res := range failed {
		parts[i] = part(res, res.Summary.Text)
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(parts[a]) - len(parts[b]) })
	room := max - len(parts) // for the blank lines between
	for n, i := range order {
		share := room / (len(order) - n)
		parts[i] = within(failed[i], parts[i], share)
		room -= len(parts[i])
	}
	return strings.Join(parts, "\n")
}

func part(res Result, text string) string {
	return headline(res) + "\n" + strings.TrimRight(text, "\n") + "\n"
}

// within is a result's part of the text, at most share bytes long.
func within(res Result, whole string, share int) string {
	if len(whole) <= share {
		return whole
	}
	if room := share - len(headline(res)) - 2; res.Summary.Fit != nil && room > 0 {
		whole = part(res, res.Summary.Fit(room))
	}
	return shorten(whole, share) // a long command line, or a text that nobody can say anew
}

// headline says which step failed and how.
func headline(res Result) string {
	var b strings.Builder
	what := map[Kind]string{Setup: "Setup", GateK: "Gate", Fix: "Fix", Rerun: "Tests",
		Test: "Tests"}[res.Kind]
	b.WriteString(what)
	if res.Kind == GateK {
		fmt.Fprintf(&b, " %q", res.Name)
	}
	switch {
	case res.End == TimedOut:
		fmt.Fprintf(&b, " did not end within %s, and had to be stopped", res.Timeout)
	case res.End == FilledDisk:
		b.WriteString(" wrote more than a gigabyte, until the disk was nearly full, and was stopped")
	case res.End == NoTests:
		fmt.Fprintf(&b, " failed: no tests were run (exit code %d)", res.ExitCode)
	case res.Signal != "":
		fmt.Fprintf(&b, " ended by a signal: %s", res.Signal)
	default:
		fmt.Fprintf(&b, " failed (exit code %d)", res.ExitCode)
	}
	_, _ = io.WriteString(&b, ": $ "+firstLine(res.Command))
	return b.String()
}

// shorten cuts s to max bytes at the end of a line, saying so.
func shorten(s string, max int) string {
	const note = "[shortened]\n"
	if len(s) <= max {
		return s
	}
	if max <= len(note) {
		return ""
	}
	s = s[:max-len(note)]
	if i := strings.LastIndexByte(s, '\n'); i > len(s)/2 {
		s = s[:i+1]
	} else {
		s = strings.ToValidUTF8(s, "") + "\n"
		if len(s)+len(note) > max {
			s = s[:len(s)-2] + "\n"
		}
	}
	return s + note
}
