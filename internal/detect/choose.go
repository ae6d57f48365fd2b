package detect

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

// State is the result of a candidate's trial.
type State int

// The results of a trial.
const (
	// Untried: it was not run.
	Untried State = iota
	// Counted: tests ran and were counted; a gate ran to its end.
	Counted
	// NoTests: it succeeded and ran no test.
	NoTests
	// Uncounted: it succeeded and was seen to run tests, but did not count them.
	Uncounted
	// Failed: it failed before it ran a test.
	Failed
	// Blocked: a tool is missing, the environment prevented it, or it timed out. That says
	// nothing about the command.
	Blocked
)

// Outcome is the outcome of a candidate's trial.
type Outcome struct {
	State State
	// Why explains what went wrong, Hint what to do about it.
	Why    string
	Hint   string
	Passed bool
	// Tests ran, and Passing of them passed.
	Tests, Passing int
	// Names are the names of the tests that ran, nil if the output does not list all of them.
	// Runners name tests in different forms.
	Names []string
	// One is a passing test, as its runner knows it; "" where Names is nil.
	One string
	As  string
	// Runner ran them.
	Runner   string
	Duration time.Duration
	// TimedOut is set if it was blocked by a timeout.
	TimedOut bool
	// ExitCode is the command's exit code.
	ExitCode int
	// Built reports whether it needed the build before it.
	Built bool
	// Files are those that its failures point to.
	Files []string
	// Programs are the command lines of the programs that were seen to be started.
	Programs map[string]bool
	// Narrow reports whether it was tried on one test file only.
	Narrow bool
}

// Chosen is a command for the file.
type Chosen struct {
	Candidate
	// Command is the command to write, with the build if it needs one.
	Command string
	Outcome Outcome
}

// Certain reports whether a run has confirmed the command, or, without trials, whether CI
// runs it and needs nothing else.
func (c Chosen) Certain() bool {
	return c.Outcome.State == Counted && c.Outcome.Passing > 0 || c.Outcome.State == Uncounted ||
		c.Outcome.State == Untried && c.Rank >= ciRank-30 && c.Needs == ""
}

// Ran reports whether its trial ran tests that passed.
func (c Chosen) Ran() bool { return c.Outcome.State == Counted && c.Outcome.Passing > 0 }

// Result is what goes into the file, and what does not.
type Result struct {
	Places       []Place
	SetupCommand string
	Setup        Outcome
	Tests, Gates []Chosen
	// Idle are gates that cannot run here: the file has them as comments.
	Idle  []Chosen
	Rerun string
	// Timeout is the time limit that the commands need; 0 where the default is enough.
	Timeout time.Duration
	// Conventions are files with rules that are not read by default.
	Conventions []string
	Left        []Left
	Notes       []string
}

// TestCommands returns the commands that run the tests.
func (r Result) TestCommands() []string {
	var out []string
	for _, c := range r.Tests {
		out = append(out, c.Command)
	}
	return out
}

// Of returns the indexes of the candidates of a kind, by rank.
func (f Found) Of(k Kind) []int {
	var out []int
	for i, c := range f.Candidates {
		if c.Kind == k {
			out = append(out, i)
		}
	}
	return out
}

// Twins reports whether two candidates are the same script or command, so that one is
// enough.
func (f Found) Twins(i, j int) bool {
	a, b := f.Candidates[i], f.Candidates[j]
	return a.Kind == b.Kind && a.Dir == b.Dir && a.key == b.key && a.key != ""
}

// Choose takes the commands confirmed by trials, and the highest ranked where nothing could
// be tried. Outcomes are by index of the candidate; none means untried.
func (f Found) Choose(outcomes map[int]Outcome) Result {
	r := Result{Places: f.Places, Notes: f.Notes}
	for _, c := range f.Conventions {
		if c != "AGENTS.md" && c != "CONTRIBUTING.md" {
			r.Conventions = f.Conventions
		}
	}
	f.chooseTests(&r, outcomes)
	r.SetupCommand = f.SetupFor(r.Tests)
	f.chooseGates(&r, outcomes)
	for _, l := range f.Shown {
		if !slices.Contains(r.Left, l) {
			r.Left = append(r.Left, l)
		}
	}
	r.offerForSpecs()
	return r
}

// endToEnd matches suites that need a browser or a server, which rarely belong in the test
// commands.
var endToEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)\be2e|end-to-end|playwright|cypress`) })

// offerForSpecs suggests how to run pending tests that only an excluded suite runs.
func (r *Result) offerForSpecs() {
	for _, l := range r.Left {
		if l.Kind != Test || !endToEnd().MatchString(l.Command) {
			continue
		}
		command := l.Command
		if strings.HasPrefix(command, "npm ") {
			command += " --"
		}
		r.Notes = append(slices.Clone(r.Notes),
			"pending tests that only this command runs: specs.test_command: "+command+" {{.File}}")
		return
	}
}

func (f Found) chooseTests(r *Result, outcomes map[int]Outcome) {
	var good, rest []Chosen
	for _, i := range f.Of(Test) {
		c := Chosen{Candidate: f.Candidates[i], Outcome: outcomes[i]}
		c.Command = c.Full()
		if c.Outcome.State == Counted && !c.Outcome.Built {
			c.Command = c.Candidate.Command
		}
		switch {
		case c.Outcome.State == Counted && c.Outcome.Passing > 0:
			good = append(good, c)
		case c.Outcome.State == NoTests && !c.own:
			r.leave(c, cmp.Or(c.Outcome.Why, "it ran no test"))
		default:
			rest = append(rest, c)
		}
	}
	sort.SliceStable(good, func(i, j int) bool { return good[i].better(good[j]) })
	for _, c := range good {
		if t := c.sameAs(r.Tests); t != nil {
			r.leave(c, "its tests are run by "+t.Command)
			continue
		}
		r.Tests = append(r.Tests, c)
	}
	// What failed before any test comes last: the tool may be at fault, or we.
	sort.SliceStable(rest, func(i, j int) bool {
		return rest[i].Rank-penalty(rest[i]) > rest[j].Rank-penalty(rest[j])
	})
	byCI := slices.ContainsFunc(rest, func(c Chosen) bool { return c.Job != "" && c.Rank >= 40 }) ||
		slices.ContainsFunc(good, func(c Chosen) bool { return c.Job != "" })
	for _, c := range rest {
		t := coveredBy(r.Tests, c)
		switch {
		case t != nil:
			r.leave(c, cmp.Or(c.Outcome.Why, "its tests are most likely run by "+t.Command))
		case c.secret:
			r.leave(c, "it needs secrets that CI has")
		case len(r.Tests) > 0 && (c.Rank < 40 || byCI && c.Job == ""):
			r.leave(c, cmp.Or(c.Outcome.Why, "nothing that booty can read of CI runs it"))
		default:
			r.Tests = append(r.Tests, c)
		}
	}
	sort.SliceStable(r.Tests, func(i, j int) bool { // cheapest first, unknown last
		a, b := r.Tests[i].Outcome, r.Tests[j].Outcome
		if (a.State == Counted) != (b.State == Counted) {
			return a.State == Counted
		}
		return a.State == Counted && a.Duration.Round(time.Second) < b.Duration.Round(time.Second)
	})
}

func penalty(c Chosen) int {
	switch c.Outcome.State {
	case Failed: // before any test
		return 100
	case Counted, Untried: // what was not tried is no better than what ran tests that fail
		return 60
	}
	return 0
}

// better prefers what passes and counts more tests. Of two that run the same, it prefers
// the one with results by name, then the higher rank.
func (c Chosen) better(o Chosen) bool {
	a, b := c.Outcome, o.Outcome
	switch {
	case a.Passed != b.Passed && a.Passed:
		return a.Tests*2 >= b.Tests
	case a.Passed != b.Passed:
		return b.Tests*2 < a.Tests
	case a.Tests != b.Tests:
		return a.Tests > b.Tests
	case c.direct() != o.direct():
		return c.direct()
	}
	return c.Rank > o.Rank
}

// direct reports whether a command starts its runner itself, so that booty can ask it for
// results by name.
func (c Chosen) direct() bool {
	_, r := read(c.plain)
	return r == testRole
}

// sameAs returns the taken command that runs all of its tests.
func (c Chosen) sameAs(taken []Chosen) *Chosen {
	for i := range taken {
		t := &taken[i]
		if c.Outcome.Names != nil && t.Outcome.Names != nil {
			if within(c.Outcome.Names, t.Outcome.Names, c.Outcome.As == t.Outcome.As) {
				return t
			}
			continue
		}
		if c.Job != "" && c.Job == t.Job && c.key != t.key {
			continue // CI runs both
		}
		if c.Outcome.Runner == t.Outcome.Runner && c.Outcome.Tests <= t.Outcome.Tests &&
			(t.Dir == c.Dir || below(t.Dir, c.Dir)) {
			return t
		}
		if c.Language == t.Language && c.key == t.key && t.Dir == c.Dir {
			return t
		}
	}
	return nil
}

// within reports whether nearly all of some names are among others. Names in another form
// are compared by their ends: by two words, or by one where a form gives no more.
func within(names, all []string, alike bool) bool {
	have := map[string]bool{}
	for _, n := range all {
		have[n] = true
		if words := wordsOf(n); !alike {
			last := words[len(words)-1]
			have[strings.Join(words, " ")], have["… "+last] = true, true
			if len(words) == 1 {
				have[last+" …"] = true
			}
		}
	}
	lost := 0
	for _, n := range names {
		if have[n] {
			continue
		}
		words := wordsOf(n)
		last := words[len(words)-1]
		if alike || !have[strings.Join(words, " ")] && !have[last+" …"] &&
			(len(words) > 1 || !have["… "+last]) {
			lost++
		}
	}
	return lost*20 <= len(names)
}

// wordsOf gives the last words of a name, two at most.
func wordsOf(name string) []string {
	if test, class, ok := strings.Cut(strings.TrimSuffix(name, ")"), " ("); ok { // as unittest prints it
		name = strings.TrimSuffix(class, "."+test) + "." + test
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("/.:> ", r) })
	if len(words) == 0 {
		return []string{name}
	}
	return words[max(0, len(words)-2):]
}

// coveredBy returns the taken command that makes an untried command unnecessary.
func coveredBy(taken []Chosen, c Chosen) *Chosen {
	for i := range taken {
		t := &taken[i]
		above := t.Dir == c.Dir || below(t.Dir, c.Dir) && (t.Job != "" || t.covers != nil && t.covers(c.Dir))
		switch {
		case t.Command == c.Command || t.key == c.key && t.Dir == c.Dir && c.key != "":
			return t
		case t.Job != "" && t.Job == c.Job && !c.odd:
			continue // CI runs both
		case isScript(t) && isScript(&c) && t.Job != "" && c.Job != "" && c.Rank >= ciRank-20 &&
			t.Dir == c.Dir:
			continue // two scripts of the repository that CI runs
		case above && (t.Language == "" || c.Language == "" || t.Language == c.Language):
			return t
		}
	}
	return nil
}

func isScript(c *Chosen) bool { return strings.HasPrefix(c.key, "script ") }

// SetupFor returns the setup that some tests need: that of their jobs, or else the usual
// one for their tools. Without tests it is that of the highest ranked candidate.
func (f Found) SetupFor(tests []Chosen) string {
	var commands []string
	have := map[string]bool{}
	for _, t := range tests {
		for _, i := range f.Of(Setup) {
			c := f.Candidates[i]
			if c.Job != "" && c.Job == t.Job && !slices.Contains(commands, c.Command) {
				commands = append(commands, c.Command)
				have[c.Language+" "+c.Dir] = true
			}
		}
	}
	for _, t := range tests {
		for _, i := range f.Of(Setup) {
			c := f.Candidates[i]
			mine := c.Dir == t.Dir && (c.Language == t.Language || t.Language == "" && len(commands) == 0)
			if c.Job == "" && mine && !have[c.Language+" "+c.Dir] {
				commands = append(commands, c.Command)
				have[c.Language+" "+c.Dir] = true
			}
		}
	}
	return chain(commands)
}

// Setups returns what may prepare the repository: the setup of the highest ranked tests, and
// the usual one for the tools. Either may be "".
func (f Found) Setups() (first, usual string) {
	tests, plain := f.Choose(nil), f
	plain.Candidates = slices.DeleteFunc(slices.Clone(f.Candidates),
		func(c Candidate) bool { return c.Kind == Setup && c.Job != "" })
	return tests.SetupCommand, plain.SetupFor(tests.Tests)
}

// maxGates limits the gates to what a person would read.
const maxGates = 8

func (f Found) chooseGates(r *Result, outcomes map[int]Outcome) {
	names := map[string]int{}
	for _, i := range f.Of(Gate) {
		c := Chosen{Candidate: f.Candidates[i], Outcome: outcomes[i]}
		c.Command = c.Candidate.Command
		if c.Outcome.Built {
			c.Command = c.Full()
		}
		twin := slices.IndexFunc(r.Gates, func(t Chosen) bool {
			return t.Dir == c.Dir && (t.key == c.key ||
				t.Name == c.Name && t.Language == c.Language && (c.Job == "" || c.Job != t.Job))
		})
		switch {
		case twin >= 0:
			if t := &r.Gates[twin]; t.Fix == "" {
				t.Fix = c.Fix
			}
			if r.Gates[twin].Job == "" || c.Job != "" {
				r.leave(c, "the gate "+r.Gates[twin].Name+" looks at the same")
			}
		case c.secret || c.Rank < 40:
			r.leave(c, "it is made for CI alone")
		case c.Outcome.State == Counted && !c.Outcome.Passed || c.Outcome.State == Failed:
			r.leave(c, "it does not pass on the tree as it is: "+c.Outcome.Why)
		case c.startedBy(r.Tests) != nil:
			r.leave(c, c.startedBy(r.Tests).Command+" runs it already")
		case c.Outcome.State == Blocked:
			r.Idle = append(r.Idle, c.named(names))
		case len(r.Gates) == maxGates:
			r.leave(c, fmt.Sprintf("there are %d gates already", maxGates))
		default:
			r.Gates = append(r.Gates, c.named(names))
		}
	}
}

// named returns a gate with a name that none of the others has.
func (c Chosen) named(names map[string]int) Chosen {
	if c.Dir != "." {
		c.Name = strings.ReplaceAll(c.Dir, "/", "-") + "-" + c.Name
	}
	if names[c.Name]++; names[c.Name] > 1 {
		c.Name = fmt.Sprintf("%s-%d", c.Name, names[c.Name])
	}
	return c
}

func (r *Result) leave(c Chosen, why string) {
	if c.again {
		return
	}
	r.Left = append(r.Left, Left{c.Kind, c.Command, why})
}
