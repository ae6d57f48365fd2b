package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/term"
)

type statusOptions struct {
	// run is an id, a unique prefix or latest; "" is all.
	run     string
	limit   int
	attempt int
	show    string
	html    string
	watch   bool
	all     bool
	queue   bool
	stats   bool
	since   string
}

func newStatus(f *factory) *cobra.Command {
	var o statusOptions
	cmd := &cobra.Command{
		Use:   "status [RUN]",
		Short: "Show recent runs and spending, or one run in detail",
		Long: `Without RUN: recent runs, and spending against the limits. With RUN (an id, a
unique prefix, or latest): every attempt, what was tried, what failed, time,
tokens, cost.`,
		Example: `  booty status
  booty status latest
  booty status latest --show diff
  booty status latest --attempt 2 --show diff
  booty status latest --show context
  booty status 0f3k2m --html run.html
  booty status --queue
  booty status --stats --since 7d`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), func(cmd *cobra.Command, args []string) error {
			return o.agree(cmd.Flags(), args)
		}),
		ValidArgsFunction: f.completeRun,

		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			o.run = strings.Join(args, "")
			switch {
			case o.queue:
				return statusQueue(cmd.Context(), f, o)
			case o.stats:
				return statusStats(cmd.Context(), f, o)
			}
			return statusRun(cmd.Context(), f, o)
		}),
	}
	flags := cmd.Flags()
	flags.IntVar(&o.limit, "limit", 10, "maximum `NUMBER` of runs to show; 0 shows all")
	flags.BoolVar(&o.all, "all", false, "show runs of every repository")
	flags.IntVar(&o.attempt, "attempt", 0, "attempt to show, default the last; `N` = 0 is the baseline")
	flags.StringVar(&o.show, "show", "",
		"print one `PART` of the run: diff, output, prompt, reply, context or pr")
	flags.StringVar(&o.html, "html", "", "write the run, or with --queue the queue, as a web page to `FILE`")
	flags.BoolVar(&o.queue, "queue", false,
		"show the queue of pending tests: state, what is next, what was merged")
	flags.BoolVar(&o.stats, "stats", false, "show queue statistics")
	flags.StringVar(&o.since, "since", "30d",
		"with --stats or --queue: `TIME` to cover, such as 12h or 30d (--queue: default 1d)")
	flags.BoolVar(&o.watch, "watch", false, "keep updating until the run ends")
	completeWords(cmd)
	return cmd
}

// agree refuses what cannot be combined. Without --attempt the diff and the context of the whole run are shown,
// else the part of the last attempt.
func (o *statusOptions) agree(flags *pflag.FlagSet, args []string) error {
	if o.queue && !flags.Changed("since") {
		o.since = "1d"
	}
	attempt := flags.Changed("attempt") // 0 is one, too: the checks before the first attempt
	switch {
	case len(args) == 0 && (o.html != "" && !o.queue || o.show != "" || attempt):
		return errors.New("--html, --attempt and --show need a RUN, such as latest")
	case o.show == "pr" && attempt:
		return errors.New("--show pr cannot be combined with --attempt")
	case attempt && o.show == "":
		return errors.New("--attempt needs --show, such as --show output")
	case !attempt:
		o.attempt = -1
	}
	switch {
	case o.queue && (len(args) > 0 || o.watch || o.all):
		return errors.New("--queue cannot be combined with RUN, --watch or --all")
	case o.stats && (len(args) > 0 || o.watch || o.queue):
		return errors.New("--stats cannot be combined with RUN, --watch or --queue")
	case !o.stats && !o.queue && flags.Changed("since"):
		return errors.New("--since needs --stats or --queue")
	case o.limit < 0:
		return errors.New("--limit must not be negative; 0 shows all")
	case o.watch && (o.html != "" || o.show != ""):
		return errors.New("--watch cannot be combined with --html or --show")
	}
	return nil
}

// statusRun shows runs, or one.
func statusRun(ctx context.Context, f *factory, o statusOptions) error {
	j, err := f.openJournal(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }() // only read
	repo, cfg := f.here(ctx)
	show := func(w io.Writer) (bool, error) { return true, f.statusList(ctx, w, j, repo, cfg, o) }
	if o.run != "" {
		show = func(w io.Writer) (bool, error) { return f.statusOne(ctx, w, j, repo, o) }
	}
	if !o.watch {
		_, err := show(f.s.Out)
		return err
	}
	return f.watch(ctx, show)
}

// here gives the repository's root and settings, as far as there are any:
// status works everywhere.
func (f *factory) here(ctx context.Context) (string, config.Config) {
	root := ""
	dir, err := f.workDir()
	if err == nil {
		if r, err := f.openRepo(ctx, dir); err == nil {
			root = r.Root()
		}
	}
	l, err := config.Load(config.LoadOptions{Root: root, Getenv: f.getenv})
	if err != nil {
		l, err = config.Load(config.LoadOptions{Getenv: f.getenv})
	}
	if err != nil {
		return root, config.Config{}
	}
	return root, l.Config
}

// watch shows until nothing can change any more. What is no terminal gets each
// state once: readers of --json want news.
func (f *factory) watch(ctx context.Context, show func(io.Writer) (live bool, err error)) error {
	last := ""
	for {
		var b bytes.Buffer
		live, err := show(&b)
		if err != nil {
			return err
		}
		text, to := b.String(), f.s.Out
		switch {
		case f.s.OutTTY && live && !f.json:
			to = term.Raw(to)
			if last == "" {
				fmt.Fprint(to, "\x1b[2J")
			}
			text = term.Page(text, f.outWidth(), f.outHeight())
		case f.s.OutTTY && last != "" && !f.json: // the last state stays, and in full
			fmt.Fprint(term.Raw(to), "\x1b[H\x1b[J")
		case text == last:
			text = ""
		}
		if _, err := io.WriteString(to, text); err != nil {
			return err
		}
		if text != "" {
			last = text
		}
		if !live {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

func (f *factory) statusList(ctx context.Context, w io.Writer, j *journal.Journal, repo string,
	cfg config.Config, o statusOptions) error {
	filter := journal.Filter{Limit: o.limit, Repo: repo}
	if o.all {
		filter.Repo = ""
	}
	runs, err := j.Runs(ctx, filter)
	if err != nil {
		return err
	}
	money, err := j.Money.Usage(ctx, "", runner.Limits(cfg.Budget))
	if err != nil {
		return err
	}
	month, err := j.Runs(ctx, journal.Filter{Repo: filter.Repo, Since: time.Now().AddDate(0, 0, -30)})
	if err != nil {
		return err
	}
	days, err := j.Days(ctx, 14)
	if err != nil {
		return err
	}
	s := report.Status{Now: f.now(), Runs: runs, Money: money, PullRequests: report.OpenPullRequests(month),
		Days: days}
	if f.json {
		return s.JSON(w)
	}
	s.Runs = report.Settled(runs, repo)
	return s.Write(w, f.renderer(), f.outWidth())
}
