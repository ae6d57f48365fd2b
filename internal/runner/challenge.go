package runner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/prompt"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/retrieval"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// challenger is a proof.Challenger: a model that sees the task, and the code as it was.
type challenger struct {
	past history.Reader
	// from is the commit before the change.
	from string
	// subject returns the change, once it is known.
	subject func() proof.Subject
	guard   func(context.Context) (*guard.Guard, error)
	redact  func(string) string
	ask     engine.Ask
	// describe names the provider and the model that answer.
	describe func() (provider, model string)

	// failed is why there was no reply.
	failed  error
	request prompt.Challenge
	place   challenge.Place
	// shown is all that a sentence can be quoted from, said what of it is no code.
	shown, said string
}

const (
	// maxUnits bounds the parts of code that are shown, in bytes, and minUnits those of one file
	// among many, or of one that is no code.
	maxUnits = 12 << 10
	minUnits = 4 << 10
	// maxChallengeFiles bounds the files of which parts are shown.
	maxChallengeFiles = 6
	// maxForm bounds what is shown of a test, in bytes: as much as the request has room for.
	maxForm = 3000
)

// Write implements proof.Challenger.
func (c *challenger) Write(ctx context.Context, b proof.ChallengeBrief) (w proof.Written, err error) {
	if b.Last == "" {
		if why, err := c.compose(ctx, b); err != nil || why != "" {
			w.None = why
			return w, err
		}
	}
	c.request.Last, c.request.Wrong = c.redact(b.Last), c.redact(b.Wrong)
	p, err := prompt.AssembleChallenge(c.request)
	if err != nil {
		return w, err
	}
	reply, err := c.ask(ctx, engine.Challenge, fromPrompt(p))
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrDryRun) { // the proof goes on without
		c.failed, w.None = err, "no reply: "+err.Error()
		return w, nil
	}
	if err != nil {
		return w, err
	}
	w.Reply, w.CostUSD = reply.Text, reply.Usage.CostUSD
	w.Provider, w.Model = c.describe()
	suite, problems := challenge.Parse(reply.Text, c.place.Path)
	w.Suite, w.Wrong = suite, strings.Join(problems, "\n")
	if w.None != "" || w.Wrong != "" {
		return w, nil
	}
	w.Path = c.place.For(w.Text)
	for _, t := range w.Tests {
		if !challenge.Founded(t.Quote, c.shown) {
			w.Unfounded = append(w.Unfounded, t.Name)
		} else if !challenge.Founded(t.Quote, c.said) {
			w.OfCode = append(w.OfCode, t.Name)
		}
	}
	w.Wrong, err = c.refused(ctx, w)
	return w, err
}

// refused says why the file of tests may not be written, as of any other edit.
func (c *challenger) refused(ctx context.Context, w proof.Written) (string, error) {
	g, err := c.guard(ctx)
	if err != nil {
		return "", err
	}
	v, err := g.Review([]edit.Change{{Op: edit.Create, Path: w.Path, New: []byte(w.Text)}})
	if err != nil || len(v.Refused) == 0 {
		return "", err
	}
	return v.Refused[0].Path + ": " + v.Refused[0].Reason, nil
}

// compose makes the request, all but what was wrong with an earlier reply; why says that there is
// nothing to ask for.
func (c *challenger) compose(ctx context.Context, b proof.ChallengeBrief) (why string, err error) {
	sources := mostTelling(slices.DeleteFunc(slices.Clone(c.subject().Sources),
		func(f proof.Source) bool { return secretFile(f.Path) }))
	var changed, names []string
	for _, f := range sources {
		changed = append(changed, f.Path)
		names = append(names, retrieval.Named(f.Path, string(f.Old), oldLines(f))...)
	}
	tests, err := c.testsBefore(ctx)
	if err != nil {
		return "", err
	}
	var known bool
	c.place, known, err = challenge.Find(changed, c.seed(), challenge.Before{Tests: tests, Names: names, Read: func(p string) ([]byte, error) {
		text, _, err := c.past.ReadFile(ctx, c.from, p)
		return text, err
	}})
	if err != nil {
		return "", err
	}
	if !known {
		return "no form of tests is known for " + strings.Join(changed, ", "), nil
	}
	c.runBy(b.Command)
	r := &c.request
	var heads strings.Builder
	shown := sources[:min(len(sources), maxChallengeFiles)]
	code := 0
	for _, f := range shown {
		code += 1 - rank(f)
	}
	for _, f := range shown {
		if f.Old != nil {
			room := max(maxUnits/max(code, 1), minUnits)
			if rank(f) > 0 {
				room = minUnits
			}
			u := retrieval.Units(f.Path, c.redact(string(f.Old)), oldLines(f), room)
			r.Code = append(r.Code,
				prompt.File{Path: u.Path, Content: u.Content, Part: u.Part, Lines: u.Lines})
			c.shown += string(f.Old)
			c.said += lexer.Lex(lexer.Of(f.Path), string(f.Old)).Said()
		}
		for _, head := range retrieval.NewHeads(f.Path, string(f.Old), string(f.New)) {
			heads.WriteString(f.Path + ": " + head + "\n")
		}
	}
	r.Names, r.Old = c.redact(heads.String()), c.redact(strings.Join(b.Old, ", "))
	if !b.Before.Passed {
		r.Was = c.redact(b.Before.Text)
	}
	c.shown += "\n" + r.Task + "\n" + r.Was
	c.said += "\n" + r.Task + "\n" + r.Was
	return "", c.form(ctx, names)
}

// runBy says where the tests go, and how they are run. A package of its own is one that the
// command of all tests may not reach: where no other command is known, they go beside the code.
func (c *challenger) runBy(command func(string) (string, bool)) {
	r := &c.request
	if g := c.place.Go; g != nil {
		var ok bool
		if r.OwnCommand, ok = command(g.Path); ok {
			r.Own, r.Import, r.Package = g.Path, g.Import, g.Package
		} else {
			c.place.Go = nil
		}
	}
	r.Path = c.place.Path
	if narrow, ok := command(r.Path); ok {
		r.Command = narrow
	}
}

// form adds what shows how tests are written, of names that the change touches where there are such.
func (c *challenger) form(ctx context.Context, names []string) error {
	if c.place.Form == "" {
		return nil
	}
	text, is, err := c.past.ReadFile(ctx, c.from, c.place.Form)
	if err != nil || !is {
		return err
	}
	s := retrieval.Sample(c.place.Form, c.redact(string(text)), names, maxForm)
	c.request.Form = &prompt.File{Path: s.Path, Content: s.Content, Part: s.Part, Lines: s.Lines}
	return nil
}

// testsBefore names the files of tests that were there before the change.
func (c *challenger) testsBefore(ctx context.Context) (tests []string, err error) {
	g, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	_, err = c.past.FilesAt(ctx, c.from, func(p string) bool {
		if g.IsTest(p) {
			tests = append(tests, p)
		}
		return false // none is read
	}, nil)
	return tests, err
}

// mostTelling sorts files: code first, of it what changed most.
func mostTelling(files []proof.Source) []proof.Source {
	slices.SortStableFunc(files, func(a, b proof.Source) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(oldLines(b)), len(oldLines(a))))
	})
	return files
}

// rank puts code before documentation and data, which get the room that is left.
func rank(f proof.Source) int {
	if testfile.Language(f.Path) == "" {
		return 1
	}
	return 0
}

// seed is a word that no code can know before it is written, and the same for the same change.
func (c *challenger) seed() string {
	h := sha256.New()
	h.Write([]byte(c.from))
	for _, f := range c.subject().Sources {
		h.Write(f.New)
	}
	return hex.EncodeToString(h.Sum(nil))[:6]
}

// oldLines are the lines of the old version of a file that a change touches, from 1: with what
// was put between two of them, both.
func oldLines(f proof.Source) (lines []int) {
	for _, e := range diff.Edits(diff.Split(string(f.Old)), diff.Split(string(f.New))) {
		for n := e.From; n <= max(e.To, e.From+1); n++ {
			lines = append(lines, n)
		}
	}
	return lines
}
