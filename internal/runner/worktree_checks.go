package runner

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/trees"
	"github.com/booty-cli/booty/internal/workspace"
)

// worktreeChecks makes the checks of the work trees of one run.
type worktreeChecks struct {
	s    *Session
	run  string
	show Show
	// env is what commands see of the environment; nil is that of this process.
	env []string
	// dry keeps no record, force runs setup_command though nothing has changed.
	dry, force bool

	// replaced says that commands see the tree in place of the user's checkout, told that what the
	// sandbox lacks was reported. Both are about the first tree.
	replaced, told bool

	leftOut gatesLeftOut
	good    *goodOutputs

	mu sync.Mutex // candidates are checked side by side
	closers
}

func newWorktreeChecks(s *Session, run string, show Show, o Options) *worktreeChecks {
	b := &worktreeChecks{s: s, run: run, show: show, dry: o.DryRun, force: o.Setup,
		good: newGoodOutputs(s.Journal, s.Home, s.Log)}
	if _, err := os.Stat(b.dir()); o.DryRun && err != nil { // nothing is on record that needs its logs
		b.closing(func() error { return os.RemoveAll(b.dir()) })
	}
	return b
}

// dir is where what a run keeps beside its record lies.
func (b *worktreeChecks) dir() string { return filepath.Join(b.s.Journal.Dir(), "runs", b.run) }

func (b *worktreeChecks) closing(f func() error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closers.add(f)
}

// checksOf prepares the subprocesses that work in repo: environment, sandbox, logs. What the
// sandbox lacks is reported once.
func (b *worktreeChecks) checksOf(ctx context.Context, repo *workspace.Repo) (*checks, error) {
	if b.told {
		return b.make(ctx, repo, b.show.quiet())
	}
	b.told = true
	c, err := b.make(ctx, repo, b.show)
	if err == nil {
		b.replaced = c.box.Checkout() == sandbox.Replaced
	}
	return c, err
}

func (b *worktreeChecks) make(ctx context.Context, repo *workspace.Repo, show Show) (*checks, error) {
	s, root := b.s, repo.Root()
	logs := filepath.Join(b.dir(), "logs")
	if err := os.MkdirAll(logs, 0o700); err != nil {
		return nil, fault.New(fault.Usage, "make the state directory writable",
			"make the folder for logs: %w", err)
	}
	box, err := newSandbox(ctx, s, repo, show.Events)
	if err != nil {
		return nil, err
	}
	b.closing(box.Close)
	gitBox := sync.OnceValues(func() (*sandbox.Plan, error) { // many a check starts no program of git's
		box, err := gitSandbox(context.WithoutCancel(ctx), s, repo)
		if err == nil {
			b.closing(box.Close)
		}
		return box, err
	})
	scrub := scrubbed(s.Settings)
	in := func(box *sandbox.Plan) *check.Runner {
		return check.New(check.Config{
			Dir: root, View: box.View(), Beside: writtenBeside(repo.Tree), LogDir: logs, Env: b.env, Scrub: scrub, Let: s.Settings.Sandbox.Env, Sandbox: boxed{box},
			Distill:   check.NewDistiller(root, box.View(), unseen(s.Settings.Config, repo.States.Ignored)),
			LastGood:  b.good.of,
			Supervise: true, Temp: box.Temp(),
			Redact:   func(w io.Writer) io.Writer { return s.Redact.Writer(w) },
			OnOutput: func(_ check.Step, line string) { show.Progress(line) },
		})
	}
	return &checks{
		runner: in(box),
		reaching: func(ctx context.Context) (*check.Runner, func() error, error) {
			box, err := reachingSandbox(ctx, s, repo)
			if err != nil {
				return nil, nil, err
			}
			return in(box), box.Close, nil
		},
		setups:  &setups{tree: repo, journal: s.Journal, home: s.Home, force: b.force},
		scrub:   scrub,
		leftOut: &b.leftOut,
		box:     box, gitBox: gitBox, suite: suiteOf(s.Settings.Config), journal: s.Journal, run: b.run, dry: b.dry,
		warn: func(line string) { show.Events.Handle(event.Notice{Level: "warning", Message: line}) },
	}, nil
}

// writtenBeside are the folders in which what commands write into overlays lies. The checkout,
// which is no tree, has none.
func writtenBeside(tree *trees.Tree) (dirs []string) {
	if tree == nil {
		return nil
	}
	for _, o := range tree.Overlays() {
		dirs = append(dirs, o.Upper)
	}
	return dirs
}
