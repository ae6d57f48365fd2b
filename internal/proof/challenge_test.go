package proof

import (
	"context"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// scripted is a Challenger that gives replies in turn.
type scripted struct {
	replies []Written
	briefs  []ChallengeBrief
	err     error
}

func (s *scripted) Write(_ context.Context, b ChallengeBrief) (Written, error) {
	s.briefs = append(s.briefs, b)
	if s.err != nil {
		return Written{}, s.err
	}
	return s.replies[len(s.briefs)-1], nil
}

// written are tests of a challenge: each asserts what the code says of a key.
func written(lines ...string) Written {
	w := Written{Path: "test_more.py", Reply: strings.Join(lines, "\n"), CostUSD: 0.5}
	for _, l := range lines {
		name, body, _ := strings.Cut(l, ": ")
		w.Tests = append(w.Tests, challenge.Test{Name: name, Quote: "sentence of " + name})
		w.Text += "def " + name + "():\n    " + body + "\n\n"
	}
	return w
}

var assertion = regexp.MustCompile(`def (\w+)\(\):\n    (?:assert get\("(\w+)"\) == (\d+)|(\w+))`)

// challenged runs what is written of the texts: "code" holds words such as a=5.
func runTexts(runs *int) func(files map[string]string) Result {
	return func(files map[string]string) Result {
		*runs++
		r := Result{Passed: true, As: "names", Passing: []string{"test_old"}}
		fails := func(name, message string) {
			r.Passed = false
			r.Failures = append(r.Failures, failure.Failure{Test: name, Message: message})
			r.Text += name + ": " + message + "\n"
		}
		if strings.Contains(files["code"], "old=broken") {
			fails("test_broken", "no such database")
		}
		for _, m := range assertion.FindAllStringSubmatch(files["test_more.py"], -1) {
			switch {
			case m[4] == "load" || m[4] == "load_new" && strings.Contains(files["code"], "a=5"):
				return Result{Failures: []failure.Failure{{Kind: "load", File: "test_more.py", Message: "no such name"}}, Text: "no such name"}
			case m[4] == "gone" && strings.Contains(files["code"], "a=5"): // the new code ends the process
			case m[4] == "crash":
				fails(m[1], "panic")
				r.Counts = counted(len(r.Passing) + len(r.Failures))
				return r
			case m[4] == "chance" && *runs%2 == 0:
				fails(m[1], "too slow")
			case m[4] == "database":
				fails(m[1], "no such database")
			case m[2] == "" || strings.Contains(files["code"], m[2]+"="+m[3]+" "):
				r.Passing = append(r.Passing, m[1])
			default:
				fails(m[1], "want "+m[3])
			}
		}
		r.Counts = counted(len(r.Passing) + len(r.Failures))
		return r
	}
}

// TestChallenge: the old code says a=1 b=2 c=3, the new one a=5 b=2 c=4; test_broken fails on both.
func TestChallenge(t *testing.T) {
	for _, c := range []struct {
		what    string
		written []Written
		states  string
		claim   string
		reason  string
	}{
		{"the table", []Written{written(`test_a: assert get("a") == 5`, `test_b: assert get("b") == 2`, `test_c: assert get("c") == 3`, `test_d: assert get("d") == 7`)},
			"test_a proves, test_b guards, test_c regression, test_d open", event.StateDisproven, "it fails 2 of 4 tests, 1 of them passes without it"},
		{"all hold", []Written{written(`test_a: assert get("a") == 5`, `test_b: assert get("b") == 2`)},
			"test_a proves, test_b guards", event.StateProven, "it holds in 2 of 2 tests, 1 of them fails without it"},
		{"one cannot fail, one is by chance, one fails as another test did before", []Written{written(`test_a: assert get("a") == 5`, "test_empty: pass", "test_chance: chance", "test_db: database")},
			"test_a proves, test_empty cannot_fail, test_chance flaky, test_db old_failure", event.StateProven, "it holds in 1 of 1 test, which fails without it; 3 more not counted"},
		{"what one expects cannot be made wrong", []Written{written(`test_a: assert get("a") == 5`, "test_raises: raises")},
			"test_a proves, test_raises guards", event.StateProven, "it holds in 2 of 2 tests, 1 of them fails without it"},
		{"one ends the process before the others ran", []Written{written("test_crash: crash", `test_a: assert get("a") == 5`, `test_b: assert get("b") == 2`)},
			"test_crash open, test_a proves, test_b guards", event.StateDisproven, "it fails 1 of 3 tests"},
		{"the new code ends the process", []Written{written("test_gone: gone", `test_b: assert get("b") == 2`)},
			"test_gone regression, test_b guards", event.StateDisproven, "it fails 1 of 2 tests, which passes without it"},
		{"a file that does not load is written again", []Written{written("test_x: load"), written(`test_a: assert get("a") == 5`)},
			"test_a proves", event.StateProven, "it holds in 1 of 1 test, which fails without it"},
		{"once", []Written{written("test_x: load"), written("test_x: load")},
			"test_x not_run", event.StateUntried, "its tests could not be used: None of the tests ran. The checks say:"},
		{"it loads before the change alone", []Written{written("test_x: load_new"), written("test_x: load_new")},
			"test_x regression", event.StateDisproven, "it fails 1 of 1 test, which passes without it"},
		{"a reply that cannot be read", []Written{{Reply: "x", Wrong: "there is no file"}, {Reply: "x", Wrong: "there is no file"}},
			"", event.StateUntried, "its tests could not be used: there is no file"},
		{"nothing to test", []Written{{Suite: challenge.Suite{None: "it says nothing"}}},
			"", event.StateUntried, "there are no tests: it says nothing"},
	} {
		runs := 0
		run := runTexts(&runs)
		ch := &scripted{replies: c.written}
		p := Prover{
			Subject: Subject{Sources: []Source{{Path: "code", Old: []byte("a=1"), New: []byte("a=5")}}}, Now: time.Now, Challenger: ch,
			Read:  func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
			Sides: sides{&textTree{files: map[string]string{"code": "a=1 b=2 c=3 old=broken "}, tests: run}, &textTree{files: map[string]string{"code": "a=5 b=2 c=4 old=broken "}, tests: run}},
		}
		got, err := p.Prove(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		var states []string
		for _, x := range got.Challenge.Tests {
			states = append(states, x.Name+" "+x.State)
		}
		if s := strings.Join(states, ", "); s != c.states {
			t.Errorf("%s: got %s, want %s", c.what, s, c.states)
		}
		i := slices.IndexFunc(got.Claims, func(x event.Claim) bool { return x.Claim == event.ClaimChallenged })
		if claim := got.Claims[i]; claim.State != c.claim || claim.Reason != c.reason {
			t.Errorf("%s: got %s: %s", c.what, claim.State, claim.Reason)
		}
		if caught := c.claim == event.StateDisproven; caught != (got.Verdict == event.VerdictCaught) {
			t.Errorf("%s: got verdict %s", c.what, got.Verdict)
		}
		if len(ch.briefs) != len(c.written) || got.Challenge.CostUSD != 0.5*float64(len(c.written)) && c.written[0].CostUSD > 0 {
			t.Errorf("%s: %d requests, %v USD", c.what, len(ch.briefs), got.Challenge.CostUSD)
		}
		if !slices.Equal(ch.briefs[0].Old, []string{"test_broken"}) || len(ch.briefs) > 1 && (ch.briefs[1].Wrong == "" || ch.briefs[1].Last != c.written[0].Reply) {
			t.Errorf("%s: got briefs %+v", c.what, ch.briefs)
		}
		if left := slices.Sorted(maps.Keys(p.new.(*textTree).files)); !slices.Equal(left, []string{"code"}) {
			t.Errorf("%s: left in the tree: %q", c.what, left)
		}
	}
}

func TestCaughtTestsSayHowAndWhere(t *testing.T) {
	w := written(`test_c: assert get("c") == 3`)
	run := func(files map[string]string) Result {
		r := runTexts(new(int))(files)
		for i := range r.Failures {
			r.Failures[i].Frames = []failure.Frame{{File: "test_more.py", Line: 2}, {File: "code", Line: 7}}
			r.Failures[i].Expected, r.Failures[i].Actual = "3", "4"
		}
		return r
	}
	p := Prover{Subject: Subject{Sources: []Source{{Path: "code", Old: []byte("a"), New: []byte("b")}}}, Now: time.Now, Challenger: &scripted{replies: []Written{w}},
		Sides: sides{&textTree{files: map[string]string{"code": "c=3 "}, tests: run}, &textTree{files: map[string]string{"code": "c=4 "}, tests: run}}}
	got, err := p.Prove(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	x := got.Challenge.Tests[0]
	if x.Message != "want 3\nexpected 3, got 4" || x.File != "code" || x.Line != 7 || !strings.Contains(x.Code, "def test_c") {
		t.Errorf("got %+v", x)
	}
}

func TestAChallengeThatFails(t *testing.T) {
	broken := errors.New("the disk is full")
	p := Prover{Subject: Subject{Sources: []Source{{Path: "code"}}}, Now: time.Now, Challenger: &scripted{err: broken},
		Sides: sides{&textTree{files: map[string]string{}, tests: runTexts(new(int))}, &textTree{files: map[string]string{}, tests: runTexts(new(int))}}}
	if got, err := p.Prove(t.Context()); !errors.Is(err, broken) || got.Challenge != nil {
		t.Errorf("got %+v, %v", got.Challenge, err)
	}
}

// TestAChallengeEndsWithItsTime: what was known before is the result, and what was left is told.
func TestAChallengeEndsWithItsTime(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	tests := runTexts(new(int))
	p := Prover{Subject: Subject{Sources: []Source{{Path: "code", Old: []byte("a"), New: []byte("b")}}}, Now: time.Now, Mutants: 3,
		Sides: sides{&textTree{files: map[string]string{"code": "c=3 "}, tests: tests}, &textTree{files: map[string]string{"code": "c=4 "}, tests: tests}}}
	p.Challenger = timeUp(func() { stop(ErrTimeUp) })
	got, err := p.Prove(ctx)
	if err != nil || got.Challenge != nil || len(got.Claims) < 2 {
		t.Errorf("got %+v, %v", got, err)
	}
	if left := strings.Join(got.LeftOut, "; "); !strings.Contains(left, "the time was up: a challenge; small changes") {
		t.Errorf("left out: %q", left)
	}
}

// timeUp is a Challenger in which the time is up.
type timeUp func()

func (end timeUp) Write(ctx context.Context, _ ChallengeBrief) (Written, error) {
	end()
	return Written{}, ctx.Err()
}

func TestTitlesThatEndAlike(t *testing.T) {
	r := challengeRun{p: &Prover{}, w: Written{Suite: challenge.Suite{Tests: []challenge.Test{{Name: "keeps zero"}, {Name: "never keeps zero"}}}}}
	ran := Result{Passing: []string{"more.test.js::keeps zero"}, Failures: []failure.Failure{{Test: "never keeps zero"}}}
	for i, want := range []challenge.Outcome{challenge.Passes, challenge.Fails} {
		if got, _ := r.ended(r.w.Tests[i], ran); got != want {
			t.Errorf("%s: got %s, want %s", r.w.Tests[i].Name, got, want)
		}
	}
}

func TestSpoilEach(t *testing.T) {
	text := "import \"a\"\nx(\"ab\", 7)\ny(\"abc\")\n# 5\nz(3)\n"
	got, n := spoilEach([]byte(text), map[int]bool{1: true, 2: true, 3: true, 4: true})
	if want := "import \"a\"\nx(\"ab\", 8)\ny(\"abcx\")\n# 5\nz(3)\n"; string(got) != want || n != 2 {
		t.Errorf("got %d places:\n%s", n, got)
	}
}

// TestASmallChangeShowsThatATestCanFail: what it expects is no literal. One that no change makes fail,
// nor its comparison turned round, is not counted.
func TestASmallChangeShowsThatATestCanFail(t *testing.T) {
	old, now := "def f(n):\n    return n\n", "def f(n):\n    if n < 0:\n        raise ValueError\n    return n\n"
	for _, c := range []struct {
		fails bool
		state string
	}{{true, "guards"}, {false, "cannot_fail"}} {
		run := func(files map[string]string) Result {
			r := Result{Passed: true, Passing: []string{"test_old"}, As: "names"}
			if files["test_more.py"] == "" {
				r.Counts = counted(1)
				return r
			}
			if c.fails && files["f.py"] != old && files["f.py"] != now {
				r.Passed, r.Failures = false, []failure.Failure{{Test: "test_raises", Message: "it raises nothing"}}
			} else {
				r.Passing = append(r.Passing, "test_raises")
			}
			r.Counts = counted(2)
			return r
		}
		p := Prover{Subject: Subject{Sources: []Source{{Path: "f.py", Old: []byte(old), New: []byte(now)}}}, Now: time.Now,
			Challenger: &scripted{replies: []Written{written("test_raises: assert raises(f) == ERROR")}},
			Sides:      sides{&textTree{files: map[string]string{"f.py": old}, tests: run}, &textTree{files: map[string]string{"f.py": now}, tests: run}}}
		got, err := p.Prove(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if x := got.Challenge.Tests[0]; x.State != c.state {
			t.Errorf("fails on mutants %t: got %s, want %s", c.fails, x.State, c.state)
		}
	}
}
