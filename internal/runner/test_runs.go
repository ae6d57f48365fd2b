package runner

import (
	"bytes"
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// Runs implements engine.TestProbe: in a tree where the commands pass, it makes wrong what one
// test expects, and nothing else.
func (b *beside) Runs(ctx context.Context, s engine.State, test engine.Awaited) (runs bool, err error) {
	f, err := b.s.Repo.Stored(ctx, s.Commit, test.File)
	if err != nil || f == nil || !f.Mode.IsRegular() {
		return false, err
	}
	body := bodyOf(f.Data, test.Name)
	if len(body) == 0 {
		return false, nil
	}
	c, err := b.open(ctx, s.Commit, engine.TreeOptions{})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	if v, err := c.checks.runner.Verify(ctx, c.suite(), check.VerifyOptions{Full: true}); err != nil || !v.Green {
		return false, err // then a failure says nothing
	}
	for _, texts := range []bool{false, true} {
		text, n := proof.Spoil(f.Data, body, texts)
		if n == 0 {
			continue
		}
		changes := []edit.Change{{Op: edit.Modify, Path: test.File, Old: f.Data, New: text, Mode: f.Mode}}
		v, err := tryWrong(ctx, c, changes, c.commands())
		if err != nil || !v.Green && !unbuilt(v.Failures) {
			return err == nil, err
		}
	}
	return false, nil
}

// commands are those that run tests.
func (c *copied) commands() []string {
	var out []string
	for _, step := range c.checks.suite.Tests {
		out = append(out, step.Command)
	}
	return out
}

// bodyOf gives the lines of the one test of a name: that which names it, and those below that
// are indented more than it. Nothing where several lines name it.
func bodyOf(text []byte, name string) map[int]bool {
	if name == "" {
		return nil
	}
	lines, at := bytes.Split(text, []byte("\n")), -1
	for i, line := range lines {
		if !bytes.Contains(line, []byte(name)) {
			continue
		}
		if at >= 0 {
			return nil
		}
		at = i
	}
	if at < 0 {
		return nil
	}
	body := map[int]bool{at + 1: true}
	for i := at + 1; i < len(lines); i++ {
		if len(bytes.TrimSpace(lines[i])) > 0 && indentOf(lines[i]) <= indentOf(lines[at]) {
			break
		}
		body[i+1] = true
	}
	return body
}

// indentOf is how far a line is indented.
func indentOf(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " \t")) }
