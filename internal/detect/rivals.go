package detect

import (
	"path"
	"slices"
	"strings"
)

// Rivals reports whether two test commands may run the same tests: those of one folder.
func (f Found) Rivals(i, j int) bool {
	a, b := f.Candidates[i], f.Candidates[j]
	return i != j && a.Kind == Test && b.Kind == Test && a.Dir == b.Dir &&
		(a.Language == b.Language || a.Language == "" || b.Language == "")
}

// HasRival reports whether there is another command that may run the tests of this one.
func (f Found) HasRival(i int) bool {
	return slices.ContainsFunc(f.Of(Test), func(j int) bool {
		return f.Rivals(i, j) && !f.Twins(i, j) && !f.Candidates[j].secret
	})
}

// Prefers reports whether the first of two commands is taken where both run the same tests,
// since booty can ask its runner for results by name.
func (f Found) Prefers(i, j int) bool {
	a, b := Chosen{Candidate: f.Candidates[i]}, Chosen{Candidate: f.Candidates[j]}
	return a.direct() && !b.direct()
}

// Adds reports whether tests ran that another trial did not run, as far as is known.
func (o Outcome) Adds(to Outcome) bool {
	return o.Names == nil || to.Names == nil || !within(o.Names, to.Names, o.As == to.As)
}

// startedBy returns the test command that passed and started the same programs as a gate, with the
// same arguments: it runs the gate already.
func (c Chosen) startedBy(tests []Chosen) *Chosen {
	for i, t := range tests {
		if c.Outcome.Passed && t.Outcome.Passed && t.Command != c.Command &&
			c.runsWithin(t.Outcome.Programs) {
			return &tests[i]
		}
	}
	return nil
}

// runsWithin reports whether all programs of a gate are among others, and at least one tool is. What
// was given the gate's own command started it, and so did a process that shows only a title. A shell
// is compared by the text that it runs, which may be part of a longer one: a tool that ended too soon to
// be seen is named there.
func (c Chosen) runsWithin(others map[string]bool) bool {
	tools := 0
	for p := range c.Outcome.Programs {
		name, args, _ := strings.Cut(p, " ")
		text, script := strings.CutPrefix(args, "-c ")
		switch {
		case args == "" || strings.Contains(p, c.Command):
		case script && slices.Contains(shells, path.Base(name)):
			if !anyContains(others, text) {
				return false
			}
		case !others[p]:
			return false
		default:
			tools++
		}
	}
	return tools > 0
}

func anyContains(programs map[string]bool, text string) bool {
	for p := range programs {
		if strings.Contains(p, text) {
			return true
		}
	}
	return false
}

var shells = []string{"sh", "bash", "dash", "zsh"}
