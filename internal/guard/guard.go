package guard

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
	"github.com/booty-cli/booty/pkg/edit"
)

// Values of Policy.TestEdits.
const (
	Judge = "judge"
	Deny  = "deny"
	Allow = "allow"
)

// Policy is what the user allows.
type Policy struct {
	// TestEdits is Judge (the default) or Allow, which are the same here, or Deny: no test
	// file that existed before the run may be changed.
	TestEdits string
	// TestPaths are globs of test files besides the known conventions, Protected globs of
	// files that must not be touched. A glob without a slash matches at any depth; a glob
	// that matches a directory matches everything below it.
	TestPaths, Protected []string
	// Allow are globs of files that may be touched despite TestEdits and Protected.
	Allow []string
	// The limits of a whole proposal; 0 means none.
	MaxFiles, MaxDiffLines int
	// Commands are the test command, the gates and the rerun command. Scripts that they
	// name start the runner.
	Commands []string
	// OwnFiles are the files that the model created in this run. It may change and remove
	// them.
	OwnFiles map[string]bool
	// Base returns a file as of before the run, so that the model may remove lines that it
	// added itself. Without it, the current content counts as old.
	Base func(path string) (content []byte, existed bool)
}

// The kinds of refusal.
const (
	KindPath      = "path"
	KindProtected = event.KindProtected
	KindTest      = "test"
	// KindShadow is a file that would shadow the runner. Nothing allows it.
	KindShadow = "shadow"
	KindLimit  = "limit"
)

// Refusal is a change that may not be applied.
type Refusal struct {
	// Path is the path of the change; for a rename, the offending end.
	Path string
	// Reason is a sentence for the model and the user.
	Reason string
	Kind   string
}

// Guard checks proposals against a policy in a checkout.
type Guard struct {
	policy Policy
	files  *checkout.Files
	fold   bool
	// named are the scripts that the checks start or read.
	named map[string]bool
}

// New validates the policy's globs and words.
func New(p Policy, t checkout.Tree) (*Guard, error) {
	switch p.TestEdits {
	case "":
		p.TestEdits = Judge
	case Judge, Deny, Allow:
	default:
		return nil, fault.New(fault.Usage, "use judge, deny or allow", "test_edits: unknown word %q",
			p.TestEdits)
	}
	for key, globs := range map[string][]string{"test_paths": p.TestPaths, "protected_paths": p.Protected,
		"--allow": p.Allow} {
		for _, glob := range globs {
			if !doublestar.ValidatePattern(glob) {
				return nil, fault.New(fault.Usage, "see the glob syntax: *, **, ?, [a-z], {a,b}",
					"%s: invalid glob %q", key, glob)
			}
		}
	}
	g := &Guard{policy: p, fold: t.CaseFold()}
	g.files = &checkout.Files{Tree: t, Commands: p.Commands, Own: g.isOwn, Base: p.Base}
	g.named = scriptsOf(p.Commands, t)
	return g, nil
}

// Verdict splits a proposal.
type Verdict struct {
	// Kept are the changes that may be applied.
	Kept []edit.Change
	// Refused are the others.
	Refused []Refusal
	// Notes are for the user, about kept changes that deserve a look.
	Notes []string
}

// Review checks a proposal. An error concerns the checkout (an unreadable file), not the
// proposal.
func (g *Guard) Review(changes []edit.Change) (Verdict, error) {
	var v Verdict
	seen := map[string]bool{}
	for _, c := range changes {
		kept := len(v.Kept)
		if err := g.judge(c, seen, &v); err != nil {
			return Verdict{}, err
		}
		if len(v.Kept) == kept {
			continue
		}
		for _, p := range ends(c) {
			seen[g.key(p)] = true
		}
	}
	if reason := g.overLimit(v.Kept); reason != "" {
		for _, c := range v.Kept {
			v.Refused = append(v.Refused, Refusal{Path: c.Path, Reason: reason, Kind: KindLimit})
		}
		v.Kept = nil
	}
	for _, c := range v.Kept {
		if n := Silenced(c.Path, c.Old, c.New); n > 0 {
			v.Notes = append(v.Notes,
				fmt.Sprintf("%s silences %d more of what linters or type checkers say", c.Path, n))
		}
	}
	for i := range v.Refused {
		r := &v.Refused[i]
		r.Reason += howToAllow(r.Kind, r.Path)
	}
	return v, nil
}

// howToAllow returns the option that allows a change.
func howToAllow(kind, p string) string {
	setting := "test_edits: allow"
	switch kind {
	case KindProtected:
		setting = "protected_paths"
	case KindTest:
	default:
		return ""
	}
	if strings.ContainsAny(p, " '\"$&;()|<>*?[]{}!`") {
		p = "'" + strings.ReplaceAll(p, "'", `'\\''`) + "'"
	}
	return fmt.Sprintf(" (The user may allow it: --allow %s for one run, %s for good.)", p, setting)
}

// Allows reports whether the user lets this run touch a path, whatever it is.
func (g *Guard) Allows(p string) bool { return g.allows(p) }

func (g *Guard) allows(p string) bool { return g.matching(g.policy.Allow, p) != "" }

// judge checks one change and adds it to the verdict. seen holds the paths of changes that
// were not refused.
func (g *Guard) judge(c edit.Change, seen map[string]bool, v *Verdict) error {
	r, err := g.checkChange(c, seen)
	if err != nil {
		return err
	}
	if r != nil {
		v.Refused = append(v.Refused, *r)
		return nil
	}
	steps, err := g.steps(c)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if why, kind := g.refuse(s); why != "" {
			v.Refused = append(v.Refused, Refusal{s.Path, why, kind})
			return nil
		}
	}
	v.Kept = append(v.Kept, c)
	return nil
}

// checkChange reports why a change must not even be looked at, if so.
func (g *Guard) checkChange(c edit.Change, seen map[string]bool) (*Refusal, error) {
	switch c.Op {
	case edit.Create, edit.Modify, edit.Delete, edit.Rename:
	default:
		return &Refusal{c.Path, fmt.Sprintf("%q is nothing that can be done to a file.", c.Op), KindPath},
			nil
	}
	if c.Mode.Type() != 0 {
		return &Refusal{c.Path, "Only regular files may be written.", KindPath}, nil
	}
	for _, p := range ends(c) {
		if r, err := g.checkPlace(p, seen); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// fold returns a path as case-insensitive file systems see it.
func fold(p string) string { return paths.FoldCase(p) }
