package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// statusOne shows one run, and says whether it is still at work.
func (f *factory) statusOne(ctx context.Context, w io.Writer, j *journal.Journal, repo string,
	o statusOptions) (live bool, err error) {
	d, err := j.Detail(ctx, o.run, repo)
	if err != nil {
		return false, err
	}
	live = d.Run.State == record.Running
	p := pastRun{f, j, d}
	switch {
	case o.show != "":
		return live, p.show(ctx, w, o)
	case o.html != "":
		return live, p.html(ctx, o.html)
	case f.json:
		return live, report.RunJSON(w, d)
	}
	return live, report.WriteRun(w, d, f.renderer(), f.now(), f.outWidth())
}

// pastRun is one run of the records.
type pastRun struct {
	*factory
	j *journal.Journal
	journal.Detail
}

// contextOf tells what the requests of a run showed.
func contextOf(ctx context.Context, j *journal.Journal, run string, attempt int) (string, error) {
	events, err := j.Events(ctx, run, 0)
	if err != nil {
		return "", err
	}
	lines := make([]string, 0, len(events))
	for _, e := range events {
		lines = append(lines, e.JSON)
	}
	return report.Context(lines, attempt)
}

// diff is what the run changed, wherever its repository lies.
func (p pastRun) diff(ctx context.Context) (string, error) {
	repo, err := p.openRepo(ctx, p.Run.Repo)
	if err != nil {
		return "", err
	}
	return runner.WholeDiff(ctx, repo, p.Detail)
}

// read reads what the records keep of the run.
func (p pastRun) read(ctx context.Context) report.Read {
	return func(ref string) ([]byte, error) { return p.j.Blobs.Read(ctx, ref) }
}

// show prints one part of the run.
func (p pastRun) show(ctx context.Context, w io.Writer, o statusOptions) (err error) {
	var text string
	switch {
	case o.show == "context":
		text, err = contextOf(ctx, p.j, p.Run.ID, o.attempt)
	case o.show == "pr":
		text, err = p.pullRequest(ctx)
	case o.show == "diff" && o.attempt < 0:
		text, err = p.diff(ctx)
	default:
		if o.attempt < 0 {
			o.attempt = 0 // the baseline, where there is no attempt
			if n := len(p.Attempts); n > 0 {
				o.attempt = p.Attempts[n-1].N
			}
		}
		text, err = report.Show(p.Detail, o.attempt, o.show, p.read(ctx))
	}
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(map[string]any{"attempt": o.attempt, "what": o.show, "text": text})
	}
	if p.s.OutTTY {
		text = report.Clean(text) // foreign text must not steer the terminal
	}
	_, err = io.WriteString(w, endLine(text))
	return err
}

// pullRequest is what the run's pull request says, or would.
func (p pastRun) pullRequest(ctx context.Context) (string, error) {
	_, cfg := p.here(ctx)
	text, err := pullrequest.Preview(ctx, p.j, p.Detail, cfg.GitHub.Attribution)
	return text.Title() + "\n\n" + report.Shown(text.Body()), err
}

// places are the folders of this machine that a page for others leaves out.
func (p pastRun) places(ctx context.Context) []report.Place {
	dirs := []report.Place{{Dir: p.Run.Repo}}
	if here, _ := p.here(ctx); here != "" {
		dirs = append(dirs, report.Place{Dir: here})
	}
	if state, err := p.recordsDir(); err == nil {
		dirs = append(dirs, report.Place{Dir: state, Word: "(booty's records)"})
	}
	if home, err := os.UserHomeDir(); err == nil {
		dirs = append(dirs, report.Place{Dir: home, Word: "~"})
	}
	if tmp := filepath.Clean(os.TempDir()); tmp != "/tmp" && tmp != "/var/tmp" {
		dirs = append(dirs, report.Place{Dir: tmp, Word: "$TMPDIR"})
	}
	for _, dir := range slices.Clone(dirs) { // a link leads to another name
		if real, err := filepath.EvalSymlinks(dir.Dir); err == nil && real != dir.Dir {
			dirs = append(dirs, report.Place{Dir: real, Word: dir.Word})
		}
	}
	return dirs
}

func (p pastRun) html(ctx context.Context, file string) error {
	err := p.writePage(ctx, file)
	if err == nil {
		p.say("booty: wrote %s", file)
	}
	return err
}

// writePage writes the page of a run.
func (p pastRun) writePage(ctx context.Context, file string) error {
	page := report.Page{Detail: p.Detail, Read: p.read(ctx), Hide: p.places(ctx)}
	diff, err := p.diff(ctx)
	if page.Diff = p.clean(diff); err != nil { // the page is made to be handed on
		page.NoDiff = p.clean(err.Error())
	}
	var text bytes.Buffer
	if err := page.Write(&text); err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return keepPage(file, text.Bytes())
}

// keepPage writes a page; a reader never sees half of it.
func keepPage(file string, page []byte) error {
	if err := atomicfile.Write(file, page, 0o644); err != nil {
		return fault.New(fault.Usage, "", "--html: %w", err)
	}
	return nil
}
