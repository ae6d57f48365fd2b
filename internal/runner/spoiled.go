package runner

import (
	"bytes"
	"context"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// Spoiled implements engine.Changes.
func (c *changes) Spoiled(ctx context.Context, s engine.State, only *engine.Awaited,
	texts bool) ([]edit.Change, int, error) {
	if only == nil {
		return spoiledAll(ctx, c.repo, c.isTest, s.Commit, texts)
	}
	f, err := c.repo.History.Stored(ctx, s.Commit, only.File)
	if err != nil || f == nil || !f.Mode.IsRegular() {
		return nil, 0, err
	}
	body := bodyOf(f.Data, only.Name)
	if len(body) == 0 {
		return nil, 0, nil
	}
	text, n := proof.Spoil(f.Data, body, texts)
	return []edit.Change{{Op: edit.Modify, Path: only.File, Old: f.Data, New: text, Mode: f.Mode}}, n, nil
}

const (
	// maxWrong and maxWrongSize bound how many files of tests are made wrong, and how
	// large each may be.
	maxWrong     = 500
	maxWrongSize = 1 << 20
)

// spoiledAll returns the tests of a commit with what they expect made wrong, and in how many
// places.
func spoiledAll(ctx context.Context, w *workspace.Repo, isTest func(string) bool, commit string, texts bool) (
	changes []edit.Change, n int, err error,
) {
	files, err := w.Listing.Files(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range files {
		if len(changes) == maxWrong {
			break
		}
		whole := isTest(name) && testfile.Of(name) != testfile.Runner && testfile.Of(name) != testfile.Data
		if !whole && !proof.MayHoldTests(name) {
			continue
		}
		f, err := w.History.Stored(ctx, commit, name)
		if err != nil {
			return nil, 0, err
		}
		if f == nil || !f.Mode.IsRegular() || len(f.Data) > maxWrongSize {
			continue
		}
		var only map[int]bool
		if !whole {
			if only = proof.TestLines(name, f.Data); len(only) == 0 {
				continue
			}
		}
		if text, k := proof.Spoil(f.Data, only, texts); k > 0 {
			n += k
			changes = append(changes,
				edit.Change{Op: edit.Modify, Path: name, Old: f.Data, New: text, Mode: f.Mode})
		}
	}
	return changes, n, nil
}

// bodyOf returns the lines of the test with a name: the line with the name, and those below it that
// are indented more. Nothing if several lines have the name.
func bodyOf(text []byte, name string) map[int]bool {
	if name == "" {
		return nil
	}
	lines, at := bytes.Split(text, []byte("\n")), -1
	for i, line := range lines {
		if !bytes.Contains(line, []byte(name)) {
			continue
		}
		if at >= 0 {
			return nil
		}
		at = i
	}
	if at < 0 {
		return nil
	}
	body := map[int]bool{at + 1: true}
	for i := at + 1; i < len(lines); i++ {
		if len(bytes.TrimSpace(lines[i])) > 0 && indentOf(lines[i]) <= indentOf(lines[at]) {
			break
		}
		body[i+1] = true
	}
	return body
}

// indentOf is how far a line is indented.
func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
