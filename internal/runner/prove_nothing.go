package runner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// look says what changed, by its kind, where no code did.
func (t *proving) look(ctx context.Context, h history.Reader, changes []snapshot.Change,
	isTest func(string) bool) error {
	var kinds []string
	paths := map[string][]string{}
	for _, c := range changes {
		kind, err := t.kindOf(ctx, h, c, isTest)
		if err != nil || kind == "" {
			return err
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		paths[kind] = append(paths[kind], c.Path)
	}
	beside := slices.Contains(kinds, proof.ThirdParty) || slices.Contains(kinds, proof.Docstrings)
	if beside && slices.Contains(kinds, "tests") { // which may be about it
		return nil
	}
	for i, kind := range kinds {
		t.updates = t.updates || beside || slices.Contains([]string{proof.Dependencies, proof.Settings, proof.ToolComments}, kind)
		kinds[i] = kind + " (" + report.Some(paths[kind]) + ")"
	}
	if t.nothing = "no code was changed"; len(kinds) > 0 {
		t.nothing += ", only " + strings.Join(kinds, ", ")
	}
	return nil
}

// kindOf returns the kind of a changed file; "" for code.
func (t *proving) kindOf(ctx context.Context, h history.Reader, c snapshot.Change,
	isTest func(string) bool) (string, error) {
	switch {
	case matchesAny(t.s.Settings.DocsOnly, c.Path):
		return "documents", nil
	case isTest(c.Path):
		return "tests", nil
	case c.Binary:
		return "binary files", nil
	}
	f, err := sourceAt(ctx, h, t.from, t.to, cmp.Or(c.From, c.Path), c.Path)
	switch kind := f.NoCode(); {
	case kind != "" || err != nil:
		return kind, err
	case foreign.ThirdParty(c.Path):
		return proof.ThirdParty, nil
	case f.OnlyDocstrings():
		return proof.Docstrings, nil
	}
	return "", nil
}

// textsAlone says what to do where no file that counts as code is in a language: a program may read
// such texts, or they are documents; "" else.
func (t *proving) textsAlone() string {
	var paths []string
	for _, f := range t.sources {
		if testfile.Language(f.Path) != "" {
			return ""
		}
		paths = append(paths, f.Path)
	}
	if len(paths) == 0 {
		return ""
	}
	return "only texts count as code here, since a program may read them: " + report.Some(paths) +
		"; if they are documentation, add them to docs_only in .booty.yml"
}

// sourceOf is a file of the product in two versions.
func sourceOf(path string, old, now *history.StoredFile) proof.Source {
	f := proof.Source{Path: path}
	if old != nil && old.Mode.IsRegular() {
		f.Old = old.Data
	}
	if now != nil && now.Mode.IsRegular() {
		f.New, f.Mode = now.Data, now.Mode
	}
	return f
}

// changedCases are the files of tests in which a case that was there is not as it was, or that
// say how tests run. One that was renamed is looked for under its new name.
func changedCases(swap engine.Swap, renames map[string]string) (paths []string) {
	now := map[string][]byte{} // by their paths, from what puts the old ones back
	for _, c := range swap.Tests {
		if c.Op != edit.Create {
			now[c.Path] = c.Old
		}
	}
	for _, p := range swap.Old {
		i := slices.IndexFunc(swap.Tests, func(c edit.Change) bool { return c.Path == p })
		if i >= 0 && testfile.Of(p) != testfile.Runner {
			text, is := now[p]
			if to := renames[p]; to != "" {
				text, is = now[to]
			}
			if is && proof.OnlyAdds(swap.Tests[i].New, text) {
				continue
			}
		}
		paths = append(paths, p)
	}
	return paths
}
