package engine

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

var update = flag.Bool("update", false, "write what happened into testdata/histories")

// history is a scripted run. A file in testdata/histories holds one: the
// script, a line "----", and what must happen. The script's lines are
//
//	# a comment; the first says what is promised
//	max 3 | earlier 2 | refine | dry-run | candidates 3 | run-time 1h
//	own NAMES                   failing tests that have to do with the task
//	tests-may-go                after the first resume, if there is one
//	continued | all-green       the checks of the code from before are those of the tree "old"
//	setup passes|fails|environment
//	publish                     a pull request is asked for
//	task WORDS                  what the task says
//	agrees                      the reviewer agrees that it asks for other expectations of tests
//	challenge TREE=caught|holds … [upheld] [merges] [unproven] [formless] [keep]
//	                            what tests written against it say, and a reviewer of disputed ones;
//	                            only of work without evidence; that none can be written; that it notices a
//	                            survivor and is kept
//	review VERDICT [blocking] [merges]
//	                            what the reviewer says
//	proof A=none|proven|vacuous [require]
//	survivors A=2                     small changes to A that no test notices
//	looking                     the model may ask to see more (a reply "SHOW a ; FIND b", see lookAnswer)
//	answer WORDS                what a person at the terminal says to a question
//	doubt WORDS                 why green work is checked once more in a clean copy
//	hint WORDS                  what resume is given
//	tight                       nothing can be left out of a prompt
//	conflict TREE               earlier work is in conflict with its base, until a reply says TREE
//	stubborn                    a prompt with less in it is as long as before
//	check TREE green|failing=N|gates|broken|obscure|environment|config [words]
//	                            of other trees than A: A~old has the tests as they stood, where A changes any; A~build
//	                            that and the build files of A, A~used that and what product code uses of them;
//	                            A~gates is A with what gates are made of as it stood, A~lib with third-party code,
//	                            A~data with data; A~altered has another expectation in a test; A~alone is A when its
//	                            tests run alone now, A~clean A in a clean copy
//	reply WORDS [| WORDS]       of one call, or of several candidates
//	patience 60s 180s
//	at STEP N[-M] interrupt|KIND|DURATION
//	resume                      go on after the run has ended
//
// Words of a check:
//
//	failing=N            N tests fail, without names; fails=NAMES names them, each with its message behind a
//	                     colon, its file before an @, or before a > where it is a part of the test's identity
//	passed=N, ran=NAMES  tests that ran; rows=NAMES are cases of them
//	as=FORM              the form of these names
//	second=NAMES         failing tests as a second run names them; again=N are those that a rerun sees
//	flaky=TEST, unsteady=NAMES, fixed=TREE (what a fix_command makes of it), signature=S, gates, unread,
//	counts               the runner prints counts however it ends
//	unloaded=FILES       files of tests that do not load; finds=FILES are suspects
//	leaves=FILE          a file that it leaves; lock=FILE one that is written after its manifest
//
// Words of a reply: the file's new content, same, docs, problem=WHY, protected=PATH, limit=PATH, note=TEXT,
// removes=FILE, and cut at its end.
//
// STEP N is the Nth time that a part does this (KIND environment: a check that it breaks); see [world.step].
type history struct {
	options      Options
	setup        string
	publish      bool
	review       string
	task         string
	agrees       bool
	blocking     bool
	proofs       map[string]string
	survivors    map[string]int
	tight        bool
	stubborn     bool
	conflict     string
	checks       map[string]check
	replies      [][]string
	faults       map[string]breakdown
	resumes      int
	own          []string
	answer, hint string
	doubt        string
	// challenges say which trees tests written against them catch.
	challenges map[string]bool
	// formless says that no test can be written.
	formless bool
	upheld   bool
}

type check struct {
	Verdict
	byproducts []string
	lock       string
	fixed      string
	again      int
}

type breakdown struct {
	kind string
	wait time.Duration
}

func parseHistory(text string) (history, error) {
	h := history{
		options: Options{Task: event.Task{Kind: "text", Title: "task"}, MaxAttempts: 3},
		checks:  map[string]check{"start": {Verdict: verdict(failure.Verdict{Green: true})}}, faults: map[string]breakdown{},
	}
	for _, line := range strings.Split(text, "\n") {
		key, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if key == "" || key == "#" {
			continue
		}
		if err := h.line(key, strings.TrimSpace(rest)); err != nil {
			return h, fmt.Errorf("%q: %w", line, err)
		}
	}
	return h, nil
}

func (h *history) line(key, rest string) (err error) {
	words := strings.Fields(rest)
	switch key {
	case "max":
		h.options.MaxAttempts, err = strconv.Atoi(rest)
	case "earlier":
		h.options.Earlier, err = strconv.Atoi(rest)
	case "own":
		h.own = words
	case "continued":
		h.options.OldCommit = "old"
	case "tests-may-go":
		h.options.TestsMayGo = true
	case "task":
		h.task = rest
	case "agrees":
		h.agrees = true
	case "all-green":
		h.options.AllGreen = true
	case "refine":
		h.options.Refine = true
	case "dry-run":
		h.options.DryRun = true
	case "candidates":
		h.options.Candidates, err = strconv.Atoi(rest)
	case "patience":
		for _, w := range words {
			d, e := time.ParseDuration(w)
			h.options.Patience, err = append(h.options.Patience, d), errors.Join(err, e)
		}
	case "run-time":
		h.options.RunTime, err = time.ParseDuration(rest)
	case "setup":
		h.setup = rest
	case "publish":
		h.publish = true
	case "looking":
		h.options.Looking = true
	case "answer":
		h.answer = rest
	case "doubt":
		h.doubt = rest
	case "hint":
		h.hint = rest
	case "tight":
		h.tight = true
	case "conflict":
		h.conflict = rest
	case "stubborn":
		h.stubborn = true
	case "resume":
		h.resumes++
	case "review":
		h.review, h.blocking = words[0], slices.Contains(words, "blocking")
		h.options.Merges = h.options.Merges || slices.Contains(words, "merges")
	case "challenge":
		h.challenges = map[string]bool{}
		for _, w := range words {
			tree, says, _ := strings.Cut(w, "=")
			h.upheld = h.upheld || w == "upheld"
			h.options.Merges = h.options.Merges || w == "merges"
			h.options.ChallengeUnproven = h.options.ChallengeUnproven || w == "unproven"
			h.formless = h.formless || w == "formless"
			h.options.KeepTests = h.options.KeepTests || w == "keep"
			h.challenges[tree] = says == "caught"
		}
	case "proof":
		h.proofs = map[string]string{}
		for _, w := range words {
			tree, verdict, ok := strings.Cut(w, "=")
			h.options.RequireEvidence = h.options.RequireEvidence || !ok
			h.proofs[tree] = verdict
		}
	case "survivors":
		h.survivors, h.options.Mutants = map[string]int{}, 5
		for _, w := range words {
			tree, n, _ := strings.Cut(w, "=")
			h.survivors[tree], err = strconv.Atoi(n)
		}
	case "check":
		h.checks[words[0]], err = parseCheck(words[0], words[1:])
	case "reply":
		var replies []string
		for _, r := range strings.Split(rest, "|") {
			replies = append(replies, strings.TrimSpace(r))
		}
		h.replies = append(h.replies, replies)
	case "at":
		f := breakdown{kind: words[2]}
		if d, e := time.ParseDuration(words[2]); e == nil {
			f = breakdown{wait: d}
		}
		from, to, ranged := strings.Cut(words[1], "-")
		if !ranged {
			to = from
		}
		first, _ := strconv.Atoi(from)
		last, _ := strconv.Atoi(to)
		for n := first; n <= last; n++ {
			h.faults[fmt.Sprint(words[0], " ", n)] = f
		}
	default:
		return errors.New("an unknown line")
	}
	return err
}

// failuresIn reads names of failing tests, each with its message behind a colon.
func failuresIn(list string) []event.Failure {
	var out []event.Failure
	for _, word := range strings.Split(list, ",") {
		name, said, _ := strings.Cut(word, ":")
		place, name, ok := strings.Cut(name, ">")
		if !ok {
			place, name = "", place
		}
		file, test, ok := strings.Cut(name, "@")
		if !ok {
			file, test = place, name
		}
		out = append(out, event.Failure{Test: test, File: file, Place: place, Check: "test", Message: said})
	}
	return out
}

func parseCheck(tree string, words []string) (check, error) {
	var c check
	var err error
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		n, e := strconv.Atoi(value)
		switch key {
		case "green":
			c.Green = true
		case "gates":
			c.GatesFailed, c.UnnamedGates = true, []string{"lint"}
		case "failing":
			c.TestsFailed, c.Tally, c.Failing, c.Counts.Failed, err = true, failure.Unnamed, n, &n, e
		case "broken":
			c.TestsFailed, c.Tally, c.Trouble = true, failure.Uncounted, "it does not build"
		case "obscure":
			c.TestsFailed, c.Tally, c.Trouble = true, failure.Unparsed, "the test command fails"
		case "again":
			c.again, err = n, e
		case "environment":
			c.Environment = "the port is in use"
		case "without": // a gate that cannot run
			c.LeftOut = append(c.LeftOut, event.LeftOut{Gate: value, Reason: value + " is not installed"})
		case "fails": // by name, so that they may be known
			c.Failures = append(c.Failures, failuresIn(value)...)
			c.TestsFailed, c.Failing = true, len(c.Failures)
		case "finds":
			for _, name := range strings.Split(value, ",") {
				f := event.Failure{File: name, Message: "ugly", Check: "lint"}
				c.Failures, c.Findings = append(c.Failures, f), append(c.Findings, f)
			}
			c.GatesFailed = true
		case "unloaded": // files of tests
			for _, name := range strings.Split(value, ",") {
				f := event.Failure{Test: name, File: name, Kind: testreport.Load, Message: "no such module", Check: "test"}
				c.Failures = append(c.Failures, f)
			}
			c.TestsFailed, c.Failing = true, len(c.Failures)
		case "second":
			c.Again = failuresIn(value)
		case "unsteady":
			c.Flaky = strings.Split(value, ",")
		case "rows":
			c.Rows = strings.Split(value, ",")
		case "ran":
			c.Ran, c.RanAs = strings.Split(value, ","), cmp.Or(c.RanAs, "✓")
		case "as":
			if c.RanAs = value; value == "report" {
				c.RanAs = failure.OwnReport
			}
		case "badly":
			c.RanBadly = strings.Split(value, ",")
		case "passed":
			c.Counts.Passed, err = &n, e
		case "counted": // as failed
			c.Counts.Failed, err = &n, e
		case "counts":
			c.AlwaysCounts = true
		case "flaky":
			c.Reran = append(c.Reran, failure.Reran{Failed: []string{value}, Passed: true})
		case "unread":
			c.Unread = true
		case "lock":
			c.lock = value
		case "leaves":
			c.byproducts = append(c.byproducts, value)
		case "fixed":
			c.fixed = value
		case "signature":
			c.Signature = value
		default:
			return c, fmt.Errorf("%q is no word of a check", w)
		}
	}
	if c.Green {
		return c, err
	}
	c.Text = tree + " fails"
	if c.Signature == "" {
		c.Signature = fmt.Sprint(c.Failing, c.GatesFailed, c.Tally >= failure.Uncounted)
	}
	return c, err
}

// verdict of a tree; one that the script does not name is green.
func (h history) verdict(tree string) Verdict {
	if c, ok := h.checks[tree]; ok {
		return c.Verdict
	}
	return verdict(failure.Verdict{Green: true})
}

// proves reports whether the script says anything of proof.
func (h history) proves() bool {
	for tree := range h.checks {
		if strings.HasSuffix(tree, "~altered") {
			return true
		}
	}
	return len(h.proofs) > 0 || h.survivors != nil
}

// tell gives an event in one short line.
func tell(e event.Event) string {
	s := e.Name()
	add := func(format string, args ...any) { s += " " + fmt.Sprintf(format, args...) }
	flag := func(on bool, yes, no string) {
		if on {
			add("%s", yes)
		} else {
			add("%s", no)
		}
	}
	switch e := e.(type) {
	case event.RunStarted:
		add("%s max=%d", e.Branch, e.MaxRetries)
	case event.SetupFinished:
		flag(e.Passed, "passed", "failed")
	case event.BaselineFinished:
		flag(e.Green, "green", strings.TrimSpace(fmt.Sprintf("failing=%d %s", e.Failing, e.Trouble)))
	case event.ContextSelected:
		add("#%d", e.Attempt)
		for _, f := range e.Files {
			add("%s", f.Path)
		}
	case event.ContextRequested:
		add("#%d round %d", e.Attempt, e.Round)
		for _, a := range e.Asks {
			add("%s(%s: %s)", a.Kind, a.What, a.Answer)
		}
	case event.ModelRequest:
		add("#%d %s %s", e.Attempt, e.Role, e.Model)
		if e.Prompt != "" {
			add("with the prompt")
		}
	case event.ModelReply:
		add("#%d", e.Attempt)
	case event.EditsRefused:
		add("#%d", e.Attempt)
		for _, p := range e.Problems {
			add("%s(%s: %s)", p.Kind, p.Path, p.Reason)
		}
	case event.TestsStood:
		add("#%d", e.Attempt)
		flag(e.Passed, "pass", "fail: "+strings.Join(e.Failed, ","))
	case event.EditsApplied:
		add("#%d %s", e.Attempt, e.Summary)
	case event.CheckFinished:
		add("#%d %s", e.Attempt, strings.TrimSpace(e.Role+" "+e.Check))
		flag(e.Passed, "passes", "fails")
	case event.AttemptFinished:
		add("#%d %s failing=%d", e.Attempt, e.Outcome, e.Failing)
		if e.Trouble != "" {
			add("(%s)", e.Trouble)
		}
	case event.ReviewFinished:
		add("%s", e.Verdict)
	case event.EvidenceFinished:
		add("%s", e.Verdict)
	case event.ChallengeFinished:
		for _, x := range e.Tests {
			add("%s=%s", x.Name, x.State)
		}
		if e.Reason != "" {
			add("(%s)", e.Reason)
		}
	case event.ProofFinished:
		for _, c := range e.Claims {
			add("%s=%s", c.Claim, c.State)
		}
		for _, s := range e.Survivors {
			add("%s:%d", s.File, s.Line)
		}
	case event.Wait:
		add("%s %dms (%s)", e.What, e.WaitMS, e.Reason)
	case event.Notice:
		add("%s: %s", e.Level, e.Message)
	case event.PullRequestOpened:
		flag(e.Draft, "draft", "ready")
	case event.RunFinished:
		add("%s exit=%d attempts=%d calls-cost=%g", e.Outcome, e.ExitCode, e.Attempts, e.CostUSD)
		if e.AttemptsTotal != e.Attempts {
			add("of %d", e.AttemptsTotal)
		}
		if e.Commit != "" {
			add("%s", e.Commit)
		}
		add("(%s)", e.Message)
	}
	return s
}

// story is all that happened, as the second half of a history's file.
func (w *world) story() string {
	var b strings.Builder
	for _, e := range w.events {
		b.WriteString(e + "\n")
	}
	for _, x := range [][2]string{{"kept", w.kept}, {"public", w.public}, {"files", w.tree}} {
		if x[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", x[0], x[1])
		}
	}
	fmt.Fprintf(&b, "replies paid: %d, left: %d of %d\n", w.calls, w.left, len(w.finished))
	return b.String()
}

func TestHistories(t *testing.T) {
	files, err := filepath.Glob("testdata/histories/*.txt")
	if err != nil || len(files) < 40 {
		t.Fatalf("found %d histories (%v), want 40 at least", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(string(data), "\r\n", "\n")
			script, want, _ := strings.Cut(text, "----\n")
			h, err := parseHistory(script)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(h)
				w.play()
				for range h.resumes {
					w.events = append(w.events, "-- resumed")
					w.play()
				}
				got = w.story()
			})
			if *update {
				if err := os.WriteFile(file, []byte(script+"----\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("it went otherwise than told.\ngot:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}
