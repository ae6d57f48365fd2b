package runner

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// look says what changed, by its kind, where no code did.
func (t *proving) look(ctx context.Context, changes []workspace.Change, isTest func(string) bool) error {
	var kinds []string
	paths := map[string][]string{}
	for _, c := range changes {
		kind, err := t.kindOf(ctx, c, isTest)
		if err != nil || kind == "" {
			return err
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
		paths[kind] = append(paths[kind], c.Path)
	}
	for i, kind := range kinds {
		t.updates = t.updates || kind == proof.Dependencies
		kinds[i] = kind + " (" + report.Some(paths[kind]) + ")"
	}
	if t.nothing = "no code was changed"; len(kinds) > 0 {
		t.nothing += ", only " + strings.Join(kinds, ", ")
	}
	return nil
}

// kindOf says of what kind a changed file is, "" for code.
func (t *proving) kindOf(ctx context.Context, c workspace.Change, isTest func(string) bool) (string, error) {
	switch {
	case matchesAny(t.s.Settings.DocsOnly, c.Path):
		return "documents", nil
	case isTest(c.Path):
		return "tests", nil
	case c.Binary:
		return "binary files", nil
	}
	from := c.Path
	if c.From != "" {
		from = c.From
	}
	old, err := t.new.Stored(ctx, t.from, from)
	if err != nil {
		return "", err
	}
	now, err := t.new.Stored(ctx, t.to, c.Path)
	if err != nil {
		return "", err
	}
	return sourceOf(c.Path, old, now).NoCode(), nil
}

// sourceOf is a file of the product in two versions.
func sourceOf(path string, old, now *workspace.StoredFile) proof.Source {
	f := proof.Source{Path: path}
	if old != nil && old.Mode.IsRegular() {
		f.Old = old.Data
	}
	if now != nil && now.Mode.IsRegular() {
		f.New, f.Mode = now.Data, now.Mode
	}
	return f
}
