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

// What Policy.TestEdits may say.
const (
	Judge = "judge"
	Deny  = "deny"
	Allow = "allow"
)

// Policy is what the user allows.
type Policy struct {
	// TestEdits is Judge (also when empty) or Allow, which are the same here; or Deny:
	// no test file that stood before may be changed.
	TestEdits string
	// TestPaths are globs of test files besides the known conventions, Protected
	// those of files never to touch. One without a slash fits at any depth, and one
	// that fits a directory fits all below it.
	TestPaths, Protected []string
	// Allow are globs of files that may be touched whatever TestEdits and Protected
	// say.
	Allow []string
	// The limits of a whole proposal; 0 is none.
	MaxFiles, MaxDiffLines, MaxFileLines int
	// Commands are the test command, the gates and the rerun command: scripts that
	// they name start the runner.
	Commands []string
	// OwnFiles are the files that the model itself made in this run, which it may
	// change and remove again.
	OwnFiles map[string]bool
	// Base returns a file as it stood before the run, so that lines which the model
	// added to an old test it may take back. Without it, what stands counts as old.
	Base func(path string) (content []byte, existed bool)
}

// The kinds of refusal.
const (
	KindPath      = "path"
	KindProtected = event.KindProtected
	KindTest      = "test"
	// KindShadow is what would stand in for the runner: nothing allows it.
	KindShadow = "shadow"
	KindLimit  = "limit"
)

// Refusal is a change that may not be applied.
type Refusal struct {
	// Path is the path of the change; for a rename, the end that is at fault.
	Path string
	// Reason is a sentence for the model and the user.
	Reason string
	Kind   string
}

// Guard judges proposals against one policy in one checkout.
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

// Verdict parts a proposal.
type Verdict struct {
	// Kept is what may be applied.
	Kept []edit.Change
	// Refused is what may not be done.
	Refused []Refusal
	// Notes are for the user: what is kept and worth a look.
	Notes []string
}

// Review judges a proposal. The error is of the checkout (a file that cannot be
// read), not of the proposal.
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
		r.Reason += wayOut(r.Kind, r.Path)
	}
	return v, nil
}

// wayOut names what allows a change.
func wayOut(kind, p string) string {
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

// Allows reports whether the user lets a path be touched in this run, whatever it is.
func (g *Guard) Allows(p string) bool { return g.allows(p) }

func (g *Guard) allows(p string) bool { return g.matching(g.policy.Allow, p) != "" }

// judge looks at one change and adds to the verdict what becomes of it; seen holds
// the paths of those that are not refused.
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

// checkChange asks whether a change may be looked at, at all.
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

// fold returns a path as systems take it that do not tell the case of letters.
func fold(p string) string { return paths.FoldCase(p) }
