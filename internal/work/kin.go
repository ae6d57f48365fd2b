package work

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/locate"
)

// kin is the engine's Kin: it looks which failing tests have to do with the task
// or with a change.
type kin struct {
	// task is its text, with all hints.
	task   string
	isTest func(string) bool
	index  func(context.Context) (*locate.Index, error)
	// earlier gives the paths that earlier work on the task changed; nil where
	// there is none.
	earlier func(context.Context) ([]string, error)
}

// Own implements engine.Kin.
func (k *kin) Own(ctx context.Context, failures []event.Failure, changed []string) ([]event.Failure, error) {
	// A test that was added to an old file does not make the others there its kin.
	if k.earlier != nil {
		before, err := k.earlier(ctx)
		if err != nil {
			return nil, err
		}
		changed = append(slices.Clone(changed), before...)
	}
	changed = slices.DeleteFunc(slices.Clone(changed), k.isTest)
	index, err := k.index(ctx)
	if err != nil {
		return nil, err
	}
	var own []event.Failure
	for _, f := range failures {
		if k.Named(f) || says(f, changed) {
			own = append(own, f)
			continue
		}
		concerns, known, err := index.Concerns(ctx, locate.Test{Name: f.Test, File: f.File}, changed)
		if err != nil {
			return nil, err
		}
		if concerns || !known {
			own = append(own, f)
		}
	}
	return own, nil
}

// Named implements engine.Kin: the task names the test, or the file.
func (k *kin) Named(f event.Failure) bool {
	bare := f.Test
	for _, sep := range []string{"::", " > ", " › ", "."} {
		if i := strings.LastIndex(bare, sep); i >= 0 && i+len(sep) < len(bare) {
			bare = bare[i+len(sep):]
		}
	}
	test, _, _ := strings.Cut(bare, "/")
	words := []string{f.Test, test}
	if f.File != "" {
		words = append(words, f.File, path.Base(f.File))
	}
	return slices.ContainsFunc(words, func(w string) bool { return len(w) > 3 && wordIn(k.task, w) })
}

// wordIn finds a word that is not a part of a longer one.
func wordIn(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if !letterAt(text[:from], true) && !letterAt(text[to:], false) {
			return true
		}
		at = to
	}
}

func letterAt(s string, last bool) bool {
	r := []rune(s)
	if len(r) == 0 {
		return false
	}
	c := r[0]
	if last {
		c = r[len(r)-1]
	}
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// says tells whether a failure's own words name a changed file.
func says(f event.Failure, changed []string) bool {
	return slices.ContainsFunc(changed, func(p string) bool { return f.File == p || strings.Contains(f.Message, p) })
}

// oldChecks are the engine's OldChecks: a clean work tree at the base.
type oldChecks struct {
	commitChecks
	commit string
}

// VerifyOld implements engine.OldChecks.
func (c *oldChecks) VerifyOld(ctx context.Context) (engine.Verdict, error) {
	return c.VerifyCommit(ctx, c.commit, func(event.CheckFinished) {}) // told as its conclusions are
}

// changedSince gives, as a function, the paths in which the work begins to
// differ from an older commit.
func (t *tree) changedSince(old string) func(context.Context) ([]string, error) {
	return func(ctx context.Context) ([]string, error) {
		changes, err := t.repo.Changes(ctx, old, t.start.Commit)
		var paths []string
		for _, c := range changes {
			paths = append(paths, c.Path)
		}
		return paths, err
	}
}
