package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/work"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/charmbracelet/lipgloss"
	"github.com/spf13/cobra"
)

type statusFlags struct {
	limit   int
	attempt int
	show    string
	html    string
	watch   bool
	all     bool
}

func (a *app) statusCommand() *cobra.Command {
	var o statusFlags
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Show recent runs, or all of one, and what they cost",
		Long: `Without RUN: recent runs and the money spent against the limits. With RUN (an
id, a unique prefix, or latest): every attempt, what was tried, what failed, time,
tokens, cost.`,
		Example: `  booty status
  booty status latest
  booty status latest --show diff
  booty status latest --attempt 2 --show diff
  booty status 0f3k2m --html run.html`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), func(cmd *cobra.Command, args []string) error {
			attempt := cmd.Flags().Changed("attempt") // 0 is one, too: the checks before the first attempt
			switch {
			case len(args) == 0 && (o.html != "" || o.show != "" || attempt):
				return errors.New("--html, --attempt and --show need a RUN, such as latest")
			case (o.show == "set-aside" || o.show == "diff") && !attempt:
				o.attempt = -1 // of the whole run
			case (o.show != "") != attempt:
				return errors.New("--attempt and --show go together")
			case o.limit < 0:
				return errors.New("--limit: a number of runs is not negative; 0 shows all")
			case o.watch && (o.html != "" || o.show != ""):
				return errors.New("--watch goes with neither --html nor --show")
			}
			return nil
		}),
		ValidArgsFunction: a.completeRun,

		RunE: a.run(func(cmd *cobra.Command, args []string) error { return a.status(cmd.Context(), args, o) }),
	}
	f := cmd.Flags()
	f.IntVar(&o.limit, "limit", 10, "show at most `N` runs; 0 shows all")
	f.BoolVar(&o.all, "all", false, "show the runs of every repository")
	f.IntVar(&o.attempt, "attempt", 0, "of the attempt `N`; 0 is what was checked before the first")
	f.StringVar(&o.show, "show", "", "print what the `WORD` names: diff, output, prompt, reply or set-aside")
	f.StringVar(&o.html, "html", "", "write the run as one page to `FILE`")
	f.BoolVar(&o.watch, "watch", false, "go on showing until the run has ended, or until interrupted")
	completeWords(cmd)
	return cmd
}

func (a *app) status(ctx context.Context, args []string, o statusFlags) error {
	j, err := a.openJournal(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }() // only read
	repo, cfg := a.here(ctx)
	show := func(w io.Writer) (bool, error) { return true, a.statusList(ctx, w, j, repo, cfg, o) }
	if len(args) == 1 {
		show = func(w io.Writer) (bool, error) { return a.statusRun(ctx, w, j, args[0], repo, o) }
	}
	if !o.watch {
		_, err := show(a.s.Out)
		return err
	}
	return a.watch(ctx, show)
}

// here gives the repository's root and settings, as far as there are any:
// status works everywhere.
func (a *app) here(ctx context.Context) (string, config.Config) {
	root := ""
	dir, err := a.workDir()
	if err == nil {
		if r, err := a.openRepo(ctx, dir); err == nil {
			root = r.Root()
		}
	}
	l, err := config.Load(config.LoadOptions{Root: root, Getenv: a.getenv})
	if err != nil {
		l, err = config.Load(config.LoadOptions{Getenv: a.getenv})
	}
	if err != nil {
		return root, config.Config{}
	}
	return root, l.Config
}

// watch shows until nothing can change any more. What is no terminal gets each
// state once: readers of --json want news.
func (a *app) watch(ctx context.Context, show func(io.Writer) (live bool, err error)) error {
	var last []byte
	for {
		var b bytes.Buffer
		live, err := show(&b)
		if err != nil {
			return err
		}
		if a.s.OutTTY {
			fmt.Fprint(a.s.Out, "\x1b[H\x1b[2J")
		}
		if a.s.OutTTY || !bytes.Equal(b.Bytes(), last) {
			if _, err := a.s.Out.Write(b.Bytes()); err != nil {
				return err
			}
		}
		last = b.Bytes()
		if !live {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(2 * time.Second):
		}
	}
}

func (a *app) statusList(ctx context.Context, w io.Writer, j *journal.Journal, repo string, cfg config.Config, o statusFlags) error {
	filter := journal.Filter{Limit: o.limit, Repo: repo}
	if o.all {
		filter.Repo = ""
	}
	runs, err := j.Runs(ctx, filter)
	if err != nil {
		return err
	}
	money, err := j.Usage(ctx, "", work.Limits(cfg.Budget))
	if err != nil {
		return err
	}
	pulls, err := pullRequests(ctx, j, filter.Repo)
	if err != nil {
		return err
	}
	s := report.Status{Now: a.now(), Runs: runs, Money: money, PullRequests: pulls}
	if a.json {
		return s.JSON(w)
	}
	s.Runs = settled(runs, repo)
	width := 0 // a pipe has none
	if a.s.OutTTY {
		width = a.s.Width
	}
	return s.Write(w, a.renderer(), width)
}

// settled are the runs as the list shows them: the way out of an interruption is
// advice only for the last run of the checkout that one stands in.
func settled(runs []journal.Run, here string) []journal.Run {
	out := slices.Clone(runs)
	newer := map[string]bool{}
	for i, r := range out {
		if r.State == record.Interrupted && (here == "" || r.Repo != here || newer[r.Repo]) {
			out[i].State, out[i].Outcome = record.Finished, record.Interrupted
		}
		newer[r.Repo] = true
	}
	return out
}

// pullRequests are booty's own, as the last run for each left it: status asks
// no server, so that it is quick and works everywhere.
func pullRequests(ctx context.Context, j *journal.Journal, repo string) ([]report.OpenPullRequest, error) {
	runs, err := j.Runs(ctx, journal.Filter{Repo: repo, Since: time.Now().AddDate(0, 0, -30)})
	if err != nil {
		return nil, err
	}
	var out []report.OpenPullRequest
	seen := map[string]bool{}
	for _, r := range runs {
		p := r.PullRequest
		if p == nil || seen[p.URL] {
			continue
		}
		seen[p.URL] = true
		if p.State != "" { // closed or merged, as a run saw
			continue
		}
		state := "ready"
		switch {
		case p.Draft && r.State == record.Running:
			state = "active"
		case p.Draft:
			state = "draft"
		}
		out = append(out, report.OpenPullRequest{
			Number: p.Number, Title: r.Task.Title, URL: p.URL, Branch: r.Branch, Draft: p.Draft, State: state,
			Attempt: r.AttemptsTotal, MaxAttempts: r.MaxRetries,
		})
	}
	return out, nil
}

// renderer is nil where the output is no terminal: then reports are plain.
func (a *app) renderer() *lipgloss.Renderer {
	if !a.s.OutTTY {
		return nil
	}
	return a.outStyles().Renderer
}

// statusRun shows one run, and says whether it is still at work.
func (a *app) statusRun(ctx context.Context, w io.Writer, j *journal.Journal, name, repo string, o statusFlags) (live bool, err error) {
	d, err := j.Detail(ctx, name, repo)
	if errors.Is(err, journal.ErrNoRun) {
		return false, fault.New(fault.Usage, "booty status lists the runs", "%w", err)
	}
	if err != nil {
		return false, err
	}
	live = d.Run.State == record.Running
	read := func(ref string) ([]byte, error) { return j.ReadBlob(ctx, ref) }
	switch {
	case o.show != "":
		return live, a.statusShow(ctx, w, d, o, read)
	case o.html != "":
		return live, a.statusHTML(d, o.html, read)
	case a.json:
		return live, report.RunJSON(w, d)
	}
	if d.Run.Base == d.Run.Branch { // work in place goes into no other branch
		d.Run.Base = ""
	}
	return live, report.WriteRun(w, d, a.renderer(), a.now())
}

// wholeDiff is what a run made of the tree that it began with.
func (a *app) wholeDiff(ctx context.Context, d journal.Detail) (string, error) {
	repo, err := a.openRepo(ctx, d.Run.Repo)
	if err != nil {
		return "", err
	}
	from, err := repo.Checkpoint(ctx, d.Run.ID, 0)
	if err != nil {
		return "", err
	}
	if base, err := repo.Checkpoint(ctx, d.Run.ID+workspace.BaseStates, 0); err == nil {
		from = base
	}
	to := d.Run.Commit
	for _, at := range d.Attempts {
		if d.Run.Commit == "" && at.Outcome != "rolled_back" && at.Checkpoint != "" {
			to = at.Checkpoint
		}
	}
	if to == "" {
		return "", fault.New(fault.Usage, "booty status "+d.Run.ID+" tells what it did", "run %s has changed nothing", d.Run.ID)
	}
	text, err := repo.Diff(ctx, from.Commit, to)
	if err != nil {
		return "", fault.New(fault.Usage, "its attempts are on record: booty status "+d.Run.ID+" --attempt 1 --show diff", "the states of run %s are gone: %w", d.Run.ID, err)
	}
	return text, nil
}

func (a *app) statusShow(ctx context.Context, w io.Writer, d journal.Detail, o statusFlags, read report.Read) (err error) {
	var text string
	if o.show == "diff" && o.attempt < 0 {
		text, err = a.wholeDiff(ctx, d)
	} else {
		text, err = report.Show(d, o.attempt, o.show, read)
	}
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(map[string]any{"attempt": o.attempt, "what": o.show, "text": text})
	}
	if a.s.OutTTY {
		text = report.Clean(text) // foreign text must not steer the terminal
	}
	_, err = io.WriteString(w, endLine(text))
	return err
}

// statusHTML writes the page beside its place and renames it: a reader never
// sees half of it.
func (a *app) statusHTML(d journal.Detail, file string, read report.Read) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".booty-*.html")
	if err != nil {
		return fault.New(fault.Usage, "", "--html: %w", err)
	}
	defer os.Remove(tmp.Name())
	if err := report.HTML(tmp, d, read); err != nil {
		_ = tmp.Close()
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := tmp.Chmod(0o644); err != nil {
		_ = tmp.Close()
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	if err := os.Rename(tmp.Name(), file); err != nil {
		return fault.New(fault.Usage, "", "--html: %w", err)
	}
	a.say("booty: wrote %s", file)
	return nil
}
