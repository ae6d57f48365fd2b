package distill

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// eachLine changes every line of an output.
func eachLine(b []byte, change func(i int, line []byte) []byte) []byte {
	lines := bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	var out []byte
	for i, l := range lines {
		out = append(append(out, change(i, l)...), '\n')
	}
	return out
}

// prefixed puts the same in front of each line.
func prefixed(p string) func([]byte) []byte {
	return func(b []byte) []byte {
		return eachLine(b, func(_ int, l []byte) []byte { return append([]byte(p), l...) })
	}
}

// stamped puts a stamp in front of each line.
func stamped(layout string) func([]byte) []byte {
	return func(b []byte) []byte {
		return eachLine(b, func(i int, l []byte) []byte { return append(fmt.Appendf(nil, layout, i%60), l...) })
	}
}

// TestScoreHoldsHoweverTheOutputIsWrapped runs the scorer over samples of the outputs as
// they come out of terminals, build services and task runners.
func TestScoreHoldsHoweverTheOutputIsWrapped(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every output many times")
	}
	for seed, c := range []struct {
		name   string
		change func([]byte) []byte
		loss   float64 // how much of each share may be lost
	}{
		{"with carriage returns at the ends of lines", func(b []byte) []byte {
			return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n"))
		}, 0},
		{"coloured", func(b []byte) []byte {
			return eachLine(b, func(i int, l []byte) []byte {
				return []byte(fmt.Sprintf("\x1b[0m\x1b[%dm%s\x1b[39m\x1b[K", 31+i%6, l))
			})
		}, 0},
		{"with time stamps of GitHub Actions", func(b []byte) []byte {
			return eachLine(b, func(i int, l []byte) []byte {
				return []byte(fmt.Sprintf("2026-11-21T02:%02d:%02d.%07dZ %s", i/60%60, i%60, i*977%10000000, l))
			})
		}, 0},
		{"as gh run view prints it", func(b []byte) []byte {
			return eachLine(b, func(i int, l []byte) []byte {
				return []byte(fmt.Sprintf("build (ubuntu)\tRun tests\t2026-11-21T02:%02d:%02d.0000000Z %s", i/60%60, i%60, l))
			})
		}, 0},
		{"with time stamps of Jenkins", prefixed("[2026-11-21T02:21:53.027Z] "), 0},
		{"with time stamps of GitLab", stamped("2026-11-21T02:21:%02d.027000Z 01O "), 0.01},
		{"with the marks of Buildkite", prefixed("\x1b_bk;t=1763691713027\x07"), 0},
		{"with a clock", stamped("[10:00:%02d] "), 0.01},
		{"with the stamps of log4j", stamped("2026-11-21 02:21:%02d,123 "), 0.01},
		{"behind the label of nx", prefixed("shop:test: "), 0.03},
		{"below the head of npm workspaces", func(b []byte) []byte {
			return append([]byte("\n> @shop/web@1.0.0 test\n> runner\n\n"), b...)
		}, 0},
		{"behind the label of turbo", prefixed("web:test: "), 0.03},
		{"behind the label of docker compose", prefixed("web-1  | "), 0.03},
		{"behind the label of concurrently", prefixed("[api] "), 0.03},
		{"behind the label of lerna", prefixed("shop: "), 0.03},
		{"behind the label of pnpm", prefixed("packages/shop test: "), 0.03},
		{"behind a progress bar", func(b []byte) []byte {
			return eachLine(b, func(_ int, l []byte) []byte {
				if len(bytes.TrimSpace(l)) == 0 {
					return l
				}
				return append([]byte("\r 10% [==>        ]\r 50% [=====>     ]\r"), l...)
			})
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dirs, how := sample(t, 50, uint64(seed), "corpus", "fresh"), settings{stream.DefaultLimits, format.Formats()}
			dirs = slices.DeleteFunc(dirs, func(d string) bool { // these have labels already, or are one document
				return strings.Contains(d, "workspaces") || strings.Contains(d, "gitlab") || strings.HasSuffix(d, "json")
			})
			_, plain := scoreCases(quiet{t}, dirs, asIs, how, exitKnown)
			_, got := scoreCases(quiet{t}, dirs, c.change, how, exitKnown)
			for _, s := range []struct {
				what     string
				got, all int
				was      int
			}{
				{"tests found", got.testsFound, got.testsTrue, plain.testsFound},
				{"places", got.places, got.placesTrue, plain.places},
				{"must keep", got.kept, got.keepTrue, plain.kept},
				{"culprits", got.culprit[1], got.culpritTrue, plain.culprit[1]},
				{"counts", got.counts, got.countsTrue, plain.counts},
			} {
				if lost := ratio(s.was-s.got, s.all); s.all > 0 && lost > c.loss+0.03 {
					t.Errorf("%s: %d of %d, %d without the wrapping", s.what, s.got, s.all, s.was)
				}
			}
			if got.falseAlarm > 0 {
				t.Errorf("%d false alarms", got.falseAlarm)
			}
		})
	}
}

// quiet drops the notes of the scorer.
type quiet struct{ testing.TB }

func (quiet) Logf(string, ...any) {}

// TestScoreHoldsInAFloodOfNoise puts each output of the corpus into the middle
// of noise many times the size of what is kept.
func TestScoreHoldsInAFloodOfNoise(t *testing.T) {
	if testing.Short() {
		t.Skip("reads every output many times")
	}
	lim := stream.Limits{Head: 16 << 10, Hot: 256 << 10, Tail: 64 << 10, Line: 4 << 10}
	flood := func(b []byte) []byte {
		var out bytes.Buffer
		for i := range 4000 {
			fmt.Fprintf(&out, "2026-11-21 request %d served in %d ms, retries 0, cache hit\n", i, i%97)
			if i%50 == 0 {
				fmt.Fprintf(&out, "ERROR: could not ship hit %d: connection refused, will retry\n", i)
			}
		}
		noise := out.Bytes()
		return append(append(bytes.Clone(noise), b...), noise...)
	}
	_, sum := scoreAll(t, filepath.Join("testdata", "corpus"), flood, settings{lim, format.Formats()}, exitKnown)
	if r := ratio(sum.testsFound, sum.testsTrue); r < 0.9 {
		t.Errorf("%d of %d failing tests found", sum.testsFound, sum.testsTrue)
	}
	if r := ratio(sum.places, sum.placesTrue); r < 0.85 {
		t.Errorf("%d of %d places found", sum.places, sum.placesTrue)
	}
}

// checkReport holds what must be true of every report, whatever was read.
func checkReport(t *testing.T, in []byte, r *Report, budget int) {
	t.Helper()
	if len(r.Text) > budget {
		t.Errorf("text of %d bytes, budget %d", len(r.Text), budget)
	}
	if !utf8.ValidString(r.Text) {
		t.Error("text is not UTF-8")
	}
	if r.Text != "" && !strings.HasSuffix(r.Text, "\n") {
		t.Errorf("text ends within a line: %q", r.Text[max(0, len(r.Text)-40):])
	}
	if strings.ContainsAny(r.Text, "\x1b\x00\r") {
		t.Error("text holds control characters")
	}
	if r.Bytes != int64(len(in)) {
		t.Errorf("%d bytes read of %d", r.Bytes, len(in))
	}
	said := fold(string(in))
	for _, f := range r.Failures {
		for _, v := range []string{f.Expected, f.Actual} {
			if v = fold(text.FirstLine(v)); utf8.Valid(in) && !bytes.ContainsAny(in, "\x1b\\&\r") && !strings.Contains(said, v) {
				t.Errorf("the output does not hold the value %q", v)
			}
		}
		if !utf8.ValidString(f.Message) || !utf8.ValidString(f.Test) || f.Line < 0 {
			t.Errorf("bad failure %+v", f)
		}
	}
}

func TestReportsAreTheSameEachTimeAndWithinAnyBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("reads many outputs again")
	}
	budgets := []int{1, 80, 600, 60000}
	for i, dir := range sample(t, 200, 3, "") {
		in, one := loadOutput(t, dir), 1
		o := Options{Dir: filepath.Join(dir, "tree"), ExitCode: &one, Budget: budgets[i%len(budgets)]}
		again, err := Read(context.Background(), bytes.NewReader(in), o)
		if err != nil {
			t.Fatal(err)
		}
		checkReport(t, in, again, o.Budget)
		first := readWith(t, dir, 1)
		if first.Signature != again.Signature || again.TextWithin(DefaultBudget) != first.Text {
			t.Errorf("%s: two readings differ", dir)
		}
	}
}

func TestAKnownExitCodeIsNeverContradicted(t *testing.T) {
	for _, dir := range loadCases(t, "testdata") {
		r := readWith(t, dir, 0)
		if len(r.Failures) > 0 || r.Failed != nil && *r.Failed > 0 || strings.Contains(r.Text, "failed with exit code") {
			t.Errorf("%s: exit code 0, but %d failures and %q", dir, len(r.Failures), text.FirstLine(r.Text))
		}
		r = readWith(t, dir, 1)
		if len(r.Failures) == 0 && !strings.Contains(r.Text, "exit code 1") {
			t.Errorf("%s: exit code 1, but the text is %q", dir, text.FirstLine(r.Text))
		}
		if r.Failed != nil && *r.Failed == 0 {
			t.Errorf("%s: exit code 1, but 0 failed", dir)
		}
	}
}
