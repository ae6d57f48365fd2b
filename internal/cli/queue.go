package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/booty-cli/booty/internal/queue"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/pflag"
)

// queueFlags say what of the queue of pending specs is worked on.
type queueFlags struct {
	next bool
	all  bool
	spec string
}

func (f queueFlags) given() bool { return f.next || f.spec != "" }

// check refuses what does not go with the queue.
func (f queueFlags) check(flags *pflag.FlagSet) error {
	if f.all && !f.next {
		return errors.New("--all goes with --next")
	}
	if !f.given() {
		return nil
	}
	for _, name := range []string{"pr", "restart", "branch", "base", "fork", "dry-run"} {
		if flags.Changed(name) {
			return fmt.Errorf("--%s does not go with the queue of specs; booty status --queue shows what is next", name)
		}
	}
	return nil
}

// runQueue works on the next pending spec, on a named one, or on all.
func runQueue(ctx context.Context, f *factory, o runOptions) (err error) {
	s, j, err := f.prepare(ctx, o.loopOptions)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := f.openQueue(ctx, s, o, j.Options)
	if err != nil {
		return err
	}
	if o.queue.all {
		return q.All(ctx)
	}
	turn, err := q.Turn(ctx)
	return f.tellTurn(turn, err)
}

// openQueue opens the queue for work.
func (f *factory) openQueue(ctx context.Context, s *opened, o runOptions, with work.Options) (*queue.Queue, error) {
	return queue.Open(ctx, s.Session, queue.Options{
		Only: o.queue.spec, Machine: machineID(s.Repo.Root()), Work: with, GitHub: f.github(o.loopOptions),
		Show: func(run string) (work.Show, func()) {
			out := f.newOutput(s.Session, run, false)
			return out.show(), out.Close
		},
	})
}

// tellTurn writes what a turn made to standard output, for scripts: branch,
// commit and pull request.
func (f *factory) tellTurn(turn queue.Turn, err error) error {
	if turn.Result == nil {
		return err
	}
	if err != nil || f.json || f.noResult {
		return asShown(err)
	}
	r := turn.Result
	line := []string{r.Branch, r.Commit}
	if r.PullRequest != nil {
		line = append(line, r.PullRequest.URL)
	}
	_, err = fmt.Fprintln(f.s.Out, strings.Join(line, " "))
	return asShown(err)
}

// machineID names a checkout on a machine, without telling which.
func machineID(root string) string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	sum := sha256.Sum256([]byte(host + "\x00" + root))
	return hex.EncodeToString(sum[:6])
}

// statusQueue lists the pending specs.
func statusQueue(ctx context.Context, f *factory) (err error) {
	s, err := f.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := queue.Open(ctx, s.Session, queue.Options{GitHub: f.github(loopOptions{})})
	if err != nil {
		return err
	}
	list, err := q.List(ctx)
	if err != nil {
		return err
	}
	if f.json {
		return list.JSON(f.s.Out)
	}
	width := 0 // a pipe has none
	if f.s.OutTTY {
		width = f.s.Width
	}
	return list.Write(f.s.Out, f.renderer(), width)
}
