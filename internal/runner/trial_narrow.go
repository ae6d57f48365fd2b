package runner

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/testfile"
)

// narrow tries a test command on one small test file first, if other commands may run the same
// tests and its runner takes a file. It reports whether to run the whole suite: not if the command
// cannot run the file, or ran nothing there that a command whose whole suite ran does not run as
// well.
func (t *trial) narrow(ctx context.Context, i int) (whole bool, err error) {
	c := t.found.Candidates[i]
	if c.Kind != detect.Test || c.Build != "" || !t.found.HasRival(i) {
		return true, nil
	}
	won, j := t.winner(i)
	if j >= 0 && (won.Names == nil || t.found.Prefers(i, j)) {
		return true, nil // they must be compared whole
	}
	file, err := t.smallTest(ctx, c, won)
	if err != nil || file == "" {
		return true, err
	}
	command, ok := t.checks.runner.OnFile(c.Command, file)
	if !ok {
		return true, nil
	}
	t.tell.Begin(c.Kind, command)
	o := t.blocked(command)
	if o.State == detect.Untried {
		if o, err = t.run(ctx, c.Kind, command); err != nil {
			return false, err
		}
	}
	t.tell.End(c.Kind, command, o)
	switch {
	case o.State == detect.Uncounted:
		return true, nil
	case j < 0:
		if o.State == detect.Counted {
			return true, nil
		}
		if o.Why = cmp.Or(o.Why, "it ran no test in "+file); !o.TimedOut {
			t.later = append(t.later, i)
		}
	case o.State == detect.Counted && (o.Adds(won) || o.Passed && !won.Passed):
		return true, nil
	}
	if o.State == detect.Counted && !o.Passed {
		o.State = detect.Failed
	}
	o.Why, o.Narrow = cmp.Or(o.Why, "it ran no test in "+file), true
	t.outcomes[i] = o
	return false, nil
}

// tryLater runs the commands whole that failed on one file, where no other ran tests in their
// folder: the file may be at fault. What stopped a whole run in the same words was not the file.
func (t *trial) tryLater(ctx context.Context) error {
	var stopped []string
	for _, i := range t.later {
		if _, j := t.winner(i); j >= 0 || slices.Contains(stopped, t.outcomes[i].Why) {
			continue
		}
		if err := t.whole(ctx, i); err != nil {
			return err
		}
		if o := t.outcomes[i]; o.State == detect.Blocked {
			stopped = append(stopped, o.Why)
		}
	}
	return nil
}

// winner returns, of the commands that may run the same tests as another, the one that ran the most
// so far; -1 if none ran any.
func (t *trial) winner(i int) (won detect.Outcome, at int) {
	at = -1
	for j, o := range t.outcomes {
		if t.found.Rivals(i, j) && o.State == detect.Counted && o.Passing > 0 && !o.Narrow &&
			o.Tests > won.Tests {
			won, at = o, j
		}
	}
	return won, at
}

// maxSmall is the size of a test file that is read to choose one.
const maxSmall = 64 << 10

// smallTest chooses the test file to try a command on: one that failed by the command which has
// run whole, or else one whose tests that did not run, or else the smallest.
func (t *trial) smallTest(ctx context.Context, c detect.Candidate, won detect.Outcome) (string, error) {
	files, err := t.repo.Listing.Files(ctx)
	if err != nil {
		return "", err
	}
	type choice struct {
		file string
		rank int
		size int64
	}
	var choices []choice
	ran := testNames(won.Names)
	for _, f := range files {
		if testfile.Of(f) != testfile.Case || !inScope(t.repo.Root(), c, f) {
			continue
		}
		if _, ok := t.checks.runner.OnFile(c.Command, f); !ok {
			continue
		}
		info, err := os.Lstat(filepath.Join(t.repo.Root(), filepath.FromSlash(f)))
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || info.Size() > maxSmall {
			continue
		}
		rank := 2
		if len(ran) > 0 && !mentions(filepath.Join(t.repo.Root(), filepath.FromSlash(f)), ran) {
			rank = 1
		}
		if !won.Passed && slices.Contains(won.Files, f) {
			rank = 0
		}
		choices = append(choices, choice{f, rank, info.Size()})
	}
	if len(choices) == 0 {
		return "", nil
	}
	return slices.MinFunc(choices, func(a, b choice) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.size, b.size),
			strings.Compare(a.file, b.file))
	}).file, nil
}

// inScope reports whether a file is below the folders that a command names or, if it names none,
// below the command's own.
func inScope(root string, c detect.Candidate, file string) bool {
	var scope []string
	for _, w := range strings.Fields(c.Command) {
		name := strings.TrimSuffix(strings.TrimPrefix(w, "./"), "/")
		if filepath.IsLocal(name) && isFolder(filepath.Join(root, filepath.FromSlash(name))) {
			scope = append(scope, name)
		}
	}
	if len(scope) == 0 {
		scope = []string{c.Dir}
	}
	return slices.ContainsFunc(scope,
		func(dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") })
}

// testNames returns how a test file would contain such names: as a function, or as a title in
// quotes. It serves to choose a file; what ran is compared by whole names.
func testNames(names []string) map[string]bool {
	out := map[string]bool{}
	for _, n := range names {
		n, _, _ = strings.Cut(n, "[")
		parts := nameParts().Split(n, -1)
		last := parts[len(parts)-1]
		for _, p := range parts {
			if strings.HasPrefix(p, "Test") || strings.HasPrefix(p, "test_") ||
				strings.HasPrefix(p, "Example") {
				last = p
			}
		}
		out[last] = true
	}
	return out
}

var (
	nameParts  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`::| > |[./]`) })
	wordOrText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\w+|"[^"\n]+"|'[^'\n]+'|` + "`[^`\n]+`")
	})
)

// mentions reports whether a file has one of the names.
func mentions(path string, names map[string]bool) bool {
	text, err := regular.Read(path, maxSmall)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(wordOrText().FindAllString(string(text), -1),
		func(w string) bool { return names[strings.Trim(w, "\"'`")] })
}
