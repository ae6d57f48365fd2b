package runner

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// secondTree is an engine.Tree: a work tree beside that of the run.
type secondTree struct {
	repo    *workspace.Repo
	checks  *checks
	release func() error
	// fix lets gates fix what they find.
	fix bool
	// due says that setup_command has to run in it first. setup is the verdict of one that failed: no
	// tests can be run; nil where they can.
	due   bool
	setup *engine.Verdict
	// report receives each finished command; may be nil.
	report func(event.CheckFinished)
	// took is how long the tests took once, where trees share that; nil else.
	took *suiteTime
	// unnoticed reports whether the tests do not notice the change at all; may be nil.
	unnoticed func(context.Context) (bool, error)
	// tried says that the tests ran in it, closed that it was given up.
	tried, closed bool
	// built says that tests, some of them at least, ran in it.
	built bool
	// trouble says why nothing that ran in it counts; "" while it does.
	trouble string
	// written is the second of the last time that a file was given, to which paths.
	written int64
	paths   map[string]bool
}

// Close implements engine.Tree. Another tree may have its place after the first time.
func (c *secondTree) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	return errors.Join(c.forget(), c.release())
}

// setUp runs setup_command, if it is due.
func (c *secondTree) setUp(ctx context.Context, report func(event.CheckFinished)) error {
	if !c.due {
		return nil
	}
	c.due = false
	v, err := c.checks.Setup(ctx, func(e event.CheckFinished) {
		if report != nil {
			report(e)
		}
	})
	if err == nil && !v.Green {
		c.setup = &v
	}
	return err
}

// Verify implements engine.Tree.
func (c *secondTree) Verify(ctx context.Context) (engine.Verdict, error) {
	if c.setup != nil {
		return *c.setup, nil
	}
	suite := check.Suite{Gates: c.gates(), Tests: c.checks.suite.Tests, Rerun: c.checks.suite.Rerun}
	v, err := c.checks.runner.Verify(ctx, suite,
		check.VerifyOptions{FlakeCheck: true, Again: true, OnResult: c.tell})
	if err != nil {
		return engine.Verdict{}, err
	}
	needs, err := c.checks.needsCheckout(ctx, suite, v.Verdict)
	if needs {
		v.Environment, v.Hint = c.checks.reachWords()
	}
	return engine.Verdict{Verdict: v.Verdict}, err
}

// gates returns the gates, without fix commands unless the tree is for that.
func (c *secondTree) gates() []check.Gate {
	gates := c.checks.leftOut.without(c.checks.suite.Gates)
	for i := range gates {
		if !c.fix {
			gates[i].FixCommand = ""
		}
	}
	return gates
}

// broken says why no tests can be run in it; "" where they can.
func (c *secondTree) broken() string {
	if c.setup == nil {
		return ""
	}
	return "setup_command fails: " + c.setup.Text
}

// Apply implements proof.Tree. Each write of a file gets another second: caches such as Python's
// distinguish two versions only by second and size. What an earlier user of the tree wrote may have
// a time in the future.
func (c *secondTree) Apply(changes []edit.Change) error {
	c.written = max(c.written, time.Now().Unix())
	if c.paths == nil {
		c.paths = map[string]bool{}
	}
	for _, ch := range changes {
		c.paths[ch.Path] = true
		if info, err := os.Lstat(filepath.Join(c.repo.Root(), filepath.FromSlash(ch.Path))); err == nil {
			c.written = max(c.written, info.ModTime().Unix())
		}
	}
	c.written++
	return overwrite(c.repo.Root(), changes, time.Unix(c.written, 0))
}

// forget removes what Python compiled of the files that were written: the tree is used again,
// and a file of another content may be of the same size and be given the same second then.
func (c *secondTree) forget() error {
	root, err := os.OpenRoot(c.repo.Root())
	if err != nil {
		return err
	}
	defer root.Close()
	for p := range c.paths {
		base, is := strings.CutSuffix(path.Base(p), ".py")
		if !is {
			continue
		}
		cache := path.Join(path.Dir(p), "__pycache__")
		compiled, err := fs.Glob(root.FS(), cache+"/*.pyc")
		if err != nil {
			continue // a folder with a name like a pattern
		}
		for _, f := range compiled {
			if strings.HasPrefix(path.Base(f), base+".") {
				err = errors.Join(err, root.Remove(f))
			}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// overwrite writes changes into a tree of booty's own, whatever the tests have made of its files.
func overwrite(dir string, changes []edit.Change, at time.Time) error {
	root, err := os.OpenRoot(dir) // no link that a command has made leads out of it
	if err != nil {
		return err
	}
	defer root.Close()
	for _, ch := range changes {
		name := filepath.FromSlash(ch.Path)
		for _, gone := range goneAfter(ch) {
			if err := root.Remove(filepath.FromSlash(gone)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if ch.Op == edit.Delete {
			continue
		}
		mode := cmp.Or(ch.Mode.Perm(), 0o644)
		if err := errors.Join(root.MkdirAll(filepath.Dir(name), 0o755), root.WriteFile(name, ch.New, mode),
			root.Chtimes(name, at, at)); err != nil {
			return err
		}
	}
	return nil
}

// goneAfter names the files that a change removes.
func goneAfter(c edit.Change) []string {
	switch c.Op {
	case edit.Delete:
		return []string{c.Path}
	case edit.Rename:
		return []string{c.From}
	}
	return nil
}

// Test implements proof.Tree.
func (c *secondTree) Test(ctx context.Context) (proof.Result, error) {
	if why := c.broken(); why != "" {
		return proof.Result{Trouble: why}, nil
	}
	began := time.Now()
	v, err := c.checks.runner.Verify(ctx, c.suite(),
		check.VerifyOptions{Full: true, FlakeCheck: true, OnResult: c.tell})
	if err != nil {
		return proof.Result{}, err
	}
	c.built = true
	c.took.note(time.Since(began))
	r := resultOf(v)
	if !c.tried {
		c.tried = true
		if c.trouble, err = c.judgesOther(ctx, v, r.Passed); err != nil {
			return r, err
		}
	}
	if c.trouble != "" {
		r.Passed, r.Trouble = false, c.trouble
	}
	return r, nil
}

// judgesOther says why a first run of the tests may have judged other code than the tree's; "" if
// it did not.
func (c *secondTree) judgesOther(ctx context.Context, v check.Verdict, passed bool) (string, error) {
	needs, err := c.checks.needsCheckout(ctx, c.suite(), v.Verdict)
	if err != nil {
		return "", err
	}
	if needs {
		why, _ := c.checks.reachWords()
		return why, nil
	}
	if !passed || c.unnoticed == nil {
		return "", nil
	}
	if not, err := c.unnoticed(ctx); err != nil || !not {
		return "", err
	}
	return "they pass with the changed files broken as well, so they may judge other code", nil
}

// tell reports a finished command and removes its log.
func (c *secondTree) tell(r check.Result) {
	_ = os.Remove(r.Log) // "" where there is none
	c.hears(checkFinished(0, r))
}

func (c *secondTree) hears(e event.CheckFinished) {
	if c.report != nil {
		c.report(e)
	}
}

// Files implements proof.Tree.
func (c *secondTree) Files(ctx context.Context, files []string) (proof.Result, bool, error) {
	v, ok, err := c.checks.runner.Files(ctx, c.part(), files)
	c.built = c.built || ok
	return resultOf(v), ok && c.setup == nil, err
}

// UntilFailure implements proof.Tree.
func (c *secondTree) UntilFailure(ctx context.Context, files []string) (proof.Result, bool, error) {
	if c.setup != nil || c.trouble != "" {
		return proof.Result{}, false, nil
	}
	v, ok, err := c.checks.runner.UntilFailure(ctx, c.limited(len(files) > 0), files)
	c.built = c.built || ok
	return resultOf(v), ok, err
}

// NewFile implements proof.Tree.
func (c *secondTree) NewFile(ctx context.Context, file string) (proof.Result, bool, error) {
	v, ok, err := c.checks.runner.NewFile(ctx, c.suite(), file)
	c.built = c.built || ok
	return resultOf(v), ok && c.setup == nil, err
}

// NewFileCommand implements proof.Tree.
func (c *secondTree) NewFileCommand(file string) (string, bool) {
	return c.checks.runner.NewFileCommand(c.suite(), file)
}

// Alone implements proof.Tree.
func (c *secondTree) Alone(ctx context.Context, failures []failure.Failure) (proof.Result, bool, error) {
	v, err := c.checks.runner.Verify(ctx, c.part(), check.VerifyOptions{Alone: failures, OnResult: c.tell})
	r := resultOf(v)
	r.Passed = err == nil && !v.TestsFailed // of some tests, green is never said
	return r, !v.NotAlone && c.setup == nil, err
}

// Command implements proof.Commands.
func (c *secondTree) Command(ctx context.Context, command string) (proof.Result, error) {
	s := c.suite()
	s.Tests = slices.DeleteFunc(s.Tests, func(step check.Step) bool { return step.Command != command })
	v, err := c.checks.runner.Verify(ctx, s, check.VerifyOptions{Full: true, OnResult: c.tell})
	return resultOf(v), err
}

// Gates implements proof.Tree.
func (c *secondTree) Gates(ctx context.Context) (failure.Verdict, error) {
	v, err := c.checks.runner.Verify(ctx, check.Suite{Gates: c.gates()},
		check.VerifyOptions{DocsOnly: true, OnResult: c.tell})
	return v.Verdict, err
}

// suite are the tests alone. What takes many times as long as they took is stopped: a
// small change to code easily makes a loop that does not end.
func (c *secondTree) suite() check.Suite { return c.limited(false) }

// part are the tests of which some run.
func (c *secondTree) part() check.Suite { return c.limited(true) }

func (c *secondTree) limited(part bool) check.Suite {
	s := check.Suite{Tests: append([]check.Step{}, c.checks.suite.Tests...), Rerun: c.checks.suite.Rerun}
	if most := c.took.most(c.built, part); most > 0 {
		for i := range s.Tests {
			s.Tests[i].Timeout = min(s.Tests[i].Timeout, most)
		}
	}
	return s
}

// suiteTime is how long the tests took once.
type suiteTime struct {
	mu   sync.Mutex
	once time.Duration
}

func (s *suiteTime) note(d time.Duration) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.once = max(s.once, d)
}

// most is how long a further run of all tests, or of a part of them, may take; 0 if none has ended
// yet. The first in a tree builds everything.
func (s *suiteTime) most(built, part bool) time.Duration {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.once == 0 {
		return 0
	}
	if !built {
		return 4*s.once + 3*time.Minute
	}
	if part {
		return 2*s.once + 20*time.Second
	}
	return 4*s.once + 20*time.Second
}

// resultOf says how a run of the tests ended.
func resultOf(v check.Verdict) proof.Result {
	out := proof.ResultOf(v.Verdict)
	out.Trouble = ""
	ran := slices.ContainsFunc(v.Results, func(r check.Result) bool {
		return r.Kind == check.Test && r.End == check.Exited && r.Environment == ""
	})
	for _, r := range v.Results {
		switch {
		case v.Green, ran && r.Kind == check.Rerun: // a test that fails by itself as it did among all
		case r.End == check.TimedOut:
			out.Trouble, out.TimedOut = "it ran out of time", true
		case r.End == check.NotStarted || r.End == check.FilledDisk || r.Environment != "":
			out.Trouble = report.FirstLine(Note(r))
		}
	}
	return out
}
