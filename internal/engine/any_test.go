package engine

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/fault"
)

// anyHistory makes a script out of bytes. It is text, so that one that fails
// can be kept as a file beside the others. Faults are left out on request.
func anyHistory(data []byte, faults bool) string {
	var b strings.Builder
	next := func(n int) int {
		if len(data) == 0 {
			return 0
		}
		x := int(data[0])
		data = data[1:]
		return x % n
	}
	pick := func(words ...string) string { return words[next(len(words))] }
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	maybe := func(lines ...string) {
		if s := pick(append(lines, "")...); s != "" {
			line("%s", s)
		}
	}
	line("max %d", 1+next(4))
	maybe("refine")
	maybe("publish")
	maybe("setup passes", "setup fails")
	maybe("proof A=proven B=vacuous", "proof A=proven B=vacuous require")
	maybe("review APPROVED", "review BLOCKED", "review BLOCKED blocking")
	maybe("candidates 2", "")
	maybe("tight", "")
	maybe("looking", "looking", "")
	maybe("answer yes", "")
	line("check start %s", pick("green passed=9", "green", "failing=3", "gates", "broken", "failing=1 gates"))
	for _, tree := range []string{"A", "B", "C", "D", "E"} {
		line("check %s %s", tree, pick("failing=1", "failing=2 gates", "failing=4", "gates", "broken", "green", "green passed=5",
			"failing=2 signature=x", "failing=2 again=1", "obscure", "gates signature=x", "green flaky=T leaves=log"))
	}
	word := func() string {
		tree := pick("A", "B", "C", "D", "E")
		return pick(tree, tree+" cut", "same", tree, tree+" protected=p", "protected=p", tree+" problem=x", "problem=x", tree+" docs", "limit=f", tree, "fail", tree, tree+" aside=h", "aside=h",
			"SHOW a", "SHOW b:1-2 ; FIND c", "SHOW secret", "ASK which?", "SHOW a ; ASK which?")
	}
	for range 1 + next(40) {
		if reply := word(); next(3) == 0 {
			line("reply %s | %s", reply, word())
		} else {
			line("reply %s", reply)
		}
	}
	maybe("challenge A=caught B=holds", "challenge A=caught B=caught upheld merges", "challenge A=holds B=caught unproven", "challenge A=holds B=holds keep")
	for faults && len(data) > 0 && next(3) > 0 {
		line("run-time 1h")
		line("at %s %d %s", pick("prepare", "setup", "check", "compose", "model", "resolve", "apply", "checkpoint", "restore",
			"tidy", "keep", "leave", "save", "begin", "publish", "prove", "review", "challenge", "dispute", "kept", "arena"), 1+next(5),
			pick("plain", "model", "budget", "git", "usage", "refused", "context-length", "interrupt", "2h"))
	}
	return b.String()
}

func FuzzAnyHistoryEndsWell(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(someBytes(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		script := anyHistory(data, true)
		h, err := parseHistory(script)
		if err != nil {
			t.Fatalf("%v in\n%s", err, script)
		}
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(h)
			out := w.play()
			if err := endsWell(w, out); err != nil {
				t.Errorf("%v\n%s----\n%s", err, script, w.story())
			}
		})
	})
}

func FuzzAnyInterruptionIsHealed(f *testing.F) {
	for seed := range uint64(60) {
		f.Add(someBytes(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		script := anyHistory(data, false)
		h, err := parseHistory(script)
		if err != nil {
			t.Fatalf("%v in\n%s", err, script)
		}
		synctest.Test(t, func(t *testing.T) {
			whole := newWorld(h)
			if whole.play().Outcome == "model_failed" || strings.Contains(whole.story(), "could not be continued") ||
				whole.saidOf("notice", "got no reply") || whole.saidOf("notice", "the call failed") {
				t.Skip("resume asks a model that failed once more, so it may end otherwise")
			}
			for i := range whole.events {
				w := newWorld(h)
				w.cut = i
				if out := w.play(); out.Outcome == "interrupted" {
					if err := endsWell(w, out); err != nil {
						t.Fatalf("interrupted at event %d: %v\n%s----\n%s", i, err, script, w.story())
					}
					w.play()
				}
				if got, want := w.end(), whole.end(); got != want {
					t.Fatalf("interrupted at event %d and resumed:\n%s\nin one go:\n%s\n%s----\n%s\n-- in one go\n%s",
						i, got, want, script, w.story(), whole.story())
				}
			}
		})
	})
}

func someBytes(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, 40+r.IntN(120))
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// saidOf reports whether an event of this name was told with these words.
func (w *world) saidOf(name, words string) bool {
	return slices.ContainsFunc(w.events, func(e string) bool {
		return strings.HasPrefix(e, name) && strings.Contains(e, words)
	})
}

// end is what became of the run, events aside.
func (w *world) end() string {
	f := w.finished[len(w.finished)-1]
	return fmt.Sprintf("%s; kept %s; public %s; files %s; calls %d", tell(f), w.kept, w.public, w.tree, w.calls)
}

// endsWell checks what must hold of every run.
func endsWell(w *world, out Outcome) error {
	o := w.s.options
	each := ((maxNoEdit+maxNoEditWide)*(1+maxQuality) + maxLooks) * (1 + maxContinuations) * max(1, o.Candidates)
	switch {
	case len(w.finished) != 1 || !strings.HasPrefix(w.events[len(w.events)-1], "run.finished"):
		return fmt.Errorf("run.finished came %d times, or not as the last event", len(w.finished))
	case w.left != w.prepared:
		return fmt.Errorf("prepared %d times, left %d times", w.prepared, w.left)
	case out.Attempts > o.MaxAttempts:
		return fmt.Errorf("%d attempts of %d", out.Attempts, o.MaxAttempts)
	case w.calls > o.MaxAttempts*each+1+1+maxContinuations:
		return fmt.Errorf("%d calls in %d attempts", w.calls, out.Attempts)
	case out.ExitCode != fault.ExitCode(out.Err):
		return fmt.Errorf("exit code %d for %w", out.ExitCode, out.Err)
	}
	codes := map[string][]int{
		"green": {0}, "exhausted": {3}, "needs_review": {3}, "question": {3}, "stuck": {3}, "budget": {5}, "model_failed": {6}, "nothing_to_do": {4},
		"interrupted": {130}, "refused": {8}, "environment": {9}, "error": {1, 2, 7},
	}
	if !strings.Contains(fmt.Sprint(codes[out.Outcome]), fmt.Sprint(out.ExitCode)) {
		return fmt.Errorf("outcome %s with exit code %d", out.Outcome, out.ExitCode)
	}
	if out.Outcome == "interrupted" {
		return nil
	}
	for at := range w.s.faults { // what could not be put in order is not asked about
		for _, step := range []string{"restore", "keep", "prepare"} {
			if strings.HasPrefix(at, step+" ") && w.s.faults[at].kind != "" {
				return nil
			}
		}
	}
	if out.Outcome == "needs_review" { // what passes with what was set aside is kept
		return nil
	}
	return keepsTheBest(w, out)
}

// keepsTheBest finds the best attempt anew, by the contract's words: fewest
// failing tests, the latest on a tie.
func keepsTheBest(w *world, out Outcome) error {
	want, score := "start", 1<<30
	if w.s.options.Refine && out.Memory.Baseline != nil {
		score = points(*out.Memory.Baseline)
	}
	for _, a := range out.Memory.Attempts {
		if a.Verdict.Partial && a.State.Tree == w.tree && out.Outcome != "budget" {
			return fmt.Errorf("attempt %d is kept, and was never checked in full", a.N)
		}
		if len(a.Files) > 0 && points(a.Verdict) <= score {
			want, score = a.State.Tree, points(a.Verdict)
		}
	}
	if w.tree != want {
		return fmt.Errorf("the files are %s, the best is %s", w.tree, want)
	}
	if want == "start" != (w.kept == "") || w.kept != "" && !strings.HasPrefix(w.kept, want+",") {
		return fmt.Errorf("kept %q, the best is %s", w.kept, want)
	}
	if out.Outcome == "green" && score != 0 {
		return fmt.Errorf("called green with %+v", out.Memory.Standing)
	}
	if _, err := json.Marshal(out.Memory); err != nil {
		return err
	}
	return nil
}

// points of a verdict: less is better.
func points(v Verdict) int {
	p := 0
	switch {
	case v.Tally == failure.Unparsed:
		return 2 << 20
	case v.Tally == failure.Uncounted:
		return 1 << 20
	case v.TestsFailed:
		p += 10 * v.Failing
	}
	if v.GatesFailed {
		p++
	}
	return p
}
