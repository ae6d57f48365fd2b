package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/pflag"
)

// house is a repository with its settings and records opened for a command.
type house struct {
	root string
	// home is the root of the checkout that the command was called in; root
	// differs from it where a run works in a tree of its own.
	home    string
	repo    *workspace.Repo
	cfg     *config.Loaded
	journal *journal.Journal
	redact  *redact.Redactor
	log     *slog.Logger

	// run is the id of the run under way; dry says that it is not on record
	// and calls nothing.
	run string
	dry bool
	// replay is a cassette to answer from, record where to keep replies.
	replay string
	record io.Writer
	// setup runs setup_command though nothing has changed.
	setup bool
	// wait is the patience with the model, GitHub and the network.
	wait *waiter
	// progress is told what the model or a check does just now; may be nil.
	progress func(string)

	// usual is what setup and the baseline changed of what git obeys.
	usual *usual

	closers []func() error
}

func (h *house) Close() error {
	var errs []error
	for i := len(h.closers) - 1; i >= 0; i-- {
		errs = append(errs, h.closers[i]())
	}
	h.closers = nil
	return errors.Join(errs...)
}

// background runs f beside the run; Close ends it and waits.
func (h *house) background(ctx context.Context, f func(context.Context)) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(ctx)
	}()
	h.closers = append(h.closers, func() error {
		stop()
		<-done
		return nil
	})
}

// forgeTokens are variables with tokens of GitHub's.
var forgeTokens = []string{
	"GH_TOKEN", "GITHUB_TOKEN", "GH_ENTERPRISE_TOKEN", "GITHUB_ENTERPRISE_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_RUNTIME_TOKEN",
}

// modelKeys are variables with keys to models; the last is one that other
// programs read for the same account.
func modelKeys() []string { return append(provider.KeyVariables(), "AZURE_API_KEY") }

// ownKeys are the variables that hold what is booty's own: children of the
// checks never see them, unless sandbox.env says so.
func ownKeys(c *config.Loaded) []string {
	names := append(modelKeys(), forgeTokens...)
	if c == nil {
		return names
	}
	for _, role := range []string{"", "quality", "review", "escalate"} {
		if n := c.ModelFor(role).APIKeyEnv; n != "" {
			names = append(names, n)
		}
	}
	return names
}

// scrubbed are the variables to keep from children.
func scrubbed(c *config.Loaded) []string {
	var out []string
	for _, n := range ownKeys(c) {
		if c == nil || !slices.Contains(c.Sandbox.Env, n) {
			out = append(out, n)
		}
	}
	return out
}

// refuseKeys keeps a repository's file from handing booty's own keys to its
// commands: only the user may say so.
func refuseKeys(c *config.Loaded) error {
	names, at := c.OnlyProjectEnv()
	for _, n := range names {
		for _, own := range ownKeys(c) {
			if strings.EqualFold(n, own) {
				return fault.New(fault.Usage, "take it out, or name it in sandbox.env of your own config.yml as well",
					"%s:%d: sandbox.env: %s is a key of booty's; a repository cannot let it through to its commands", at.File, at.Line, n)
			}
		}
	}
	return nil
}

// open finds the repository and reads its settings; require makes a missing
// .booty.yml an error.
func (a *app) open(ctx context.Context, flags *pflag.FlagSet, require bool) (*house, error) {
	dir, err := a.workDir()
	if err != nil {
		return nil, err
	}
	repo, err := a.openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	h := &house{wait: a.newWaiter(), repo: repo, usual: new(usual), root: repo.Root(), home: repo.Root(), log: slog.New(slog.DiscardHandler)}
	h.cfg, err = config.Load(config.LoadOptions{Root: h.root, Flags: flags, Getenv: a.getenv, Environ: os.Environ(), RequireProject: require})
	if err != nil {
		return nil, err
	}
	if err := refuseKeys(h.cfg); err != nil {
		return nil, err
	}
	most, err := config.ParseSize(h.cfg.Checkpoint.MaxFile)
	if err != nil { // which a file's check has told already
		return nil, fault.New(fault.Usage, "", "checkpoint.max_file: %w", err)
	}
	repo.LimitFiles(most)
	a.colour = h.cfg.UI.Color
	a.noColor = a.noColor || a.colour == "never"
	h.redact = redact.New(redact.Options{Environ: os.Environ()})
	if a.verbose {
		h.log = slog.New(slog.NewTextHandler(a.s.Err, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: h.redact.ReplaceAttr}))
	}
	for _, w := range h.cfg.Warnings {
		a.say("booty: %s", w)
	}
	return h, nil
}

// openRepo finds the work tree that holds dir. Booty's own files of it lie among
// its records, where no command of the repository may write.
func (a *app) openRepo(ctx context.Context, dir string) (*workspace.Repo, error) {
	state, err := a.recordsDir()
	if err != nil {
		return nil, err
	}
	env, tokens := withoutKeys(os.Environ())
	return workspace.Open(ctx, dir, workspace.Options{Env: env, RemoteEnv: tokens, StateDir: state})
}

// recordsDir is where booty keeps its records.
func (a *app) recordsDir() (string, error) {
	if a.stateDir != "" {
		return a.stateDir, nil
	}
	return journal.DefaultDir()
}

// withoutKeys takes booty's keys out of the environment of git's children: a
// repository's hooks are not ours. GitHub's own token variables are given apart:
// credential helpers may live on them, but only those that reach a remote.
func withoutKeys(env []string) (rest, tokens []string) {
	keys := modelKeys()
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case slices.Contains(forgeTokens, name):
			tokens = append(tokens, kv)
		case !slices.Contains(keys, name):
			rest = append(rest, kv)
		}
	}
	return rest, tokens
}

// openJournal opens the records.
func (a *app) openJournal(ctx context.Context, r *redact.Redactor) (*journal.Journal, error) {
	o := journal.Options{Dir: a.stateDir, Now: a.now, Warn: func(s string) { a.say("booty: %s", s) }}
	if r != nil {
		o.Redact = r.String
	}
	j, err := journal.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("open the records: %w", err)
	}
	return j, nil
}

// openRecords opens the journal for a house.
func (a *app) openRecords(ctx context.Context, h *house) error {
	j, err := a.openJournal(ctx, h.redact)
	if err != nil {
		return err
	}
	h.journal = j
	h.closers = append(h.closers, j.Close)
	return nil
}

// consent makes sure that the user agrees to what the repository's own file
// does with the key, and takes from the sandbox.
func (a *app) consent(h *house) error {
	store := config.ConsentStore{Path: config.DefaultConsentFile(a.getenv)}
	items := h.cfg.NeedsConsent()
	agreed, err := h.cfg.Agreed(store)
	if err != nil || agreed || len(items) == 0 {
		return err
	}
	if !a.yes && a.s.InTTY && a.s.ErrTTY {
		fmt.Fprintln(a.s.Err, "This repository's own file says where your model key is sent, which program is run, or what its commands may touch:")
		for _, i := range items {
			fmt.Fprintln(a.s.Err, "  "+i.String())
		}
	}
	ok, err := a.confirm("Use them, now and from now on?")
	if err != nil {
		return err
	}
	if !ok {
		return h.cfg.RequireConsent(store)
	}
	return h.cfg.Agree(store, a.now())
}

// lock takes the work tree.
func (a *app) lock(ctx context.Context, h *house, what string) error {
	l, err := h.repo.Lock(ctx, what)
	if err != nil {
		return err
	}
	h.closers = append(h.closers, l.Unlock)
	return nil
}

// cassettes opens what --record and --replay name.
func (a *app) cassettes(h *house, record, replay string) error {
	if record != "" && replay != "" {
		return fault.New(fault.Usage, "give one of them", "--record and --replay exclude each other")
	}
	if replay != "" {
		path, err := filepath.Abs(replay)
		if err != nil {
			return err
		}
		h.replay = path
	}
	if record == "" {
		return nil
	}
	r, err := newRecording(record, h.root)
	if err != nil {
		return err
	}
	h.record = r
	h.closers = append(h.closers, r.Close)
	return nil
}
