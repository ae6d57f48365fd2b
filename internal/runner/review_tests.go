package runner

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/prompt"
)

// testReviewer is the engine's TestReviewer: a model that sees the task and tests as they
// stood, and nothing of the change.
type testReviewer struct {
	prompts *prompts
	changes *changes
	task    string
}

// minSentence is how long a sentence of the task must be at least, in letters, to ask for
// anything.
const minSentence = 8

// InTask implements engine.TestReviewer. Case, blanks and quotation marks make no difference.
func (r *testReviewer) InTask(sentence string) bool {
	said := plainWords(sentence)
	return len(said) >= minSentence && strings.Contains(plainWords(r.task), said)
}

func plainWords(s string) string {
	s = strings.NewReplacer("`", "", "*", "", "\"", "", "“", "", "”", "", "'", "", "’", "", ">", "").Replace(s)
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".")
}

// ReviewTests implements engine.TestReviewer.
func (r *testReviewer) ReviewTests(ctx context.Context, failures []event.Failure, ask engine.Ask) (agrees bool, said string, err error) {
	old, err := r.changes.excerpts(ctx, failures)
	if err != nil {
		return false, "", err
	}
	var how strings.Builder
	for _, f := range failures {
		fmt.Fprintf(&how, "%s:\n%s\n", f.Test, strings.TrimSpace(f.Message))
	}
	w := r.prompts
	p, err := prompt.Assemble(prompt.Input{
		Role: "review-tests", Repo: w.repo, Nonce: w.nonce, Task: w.task, OldTests: w.redact(old), Failure: w.redact(how.String()),
		MaxTokens: w.cfg.Context.MaxTokens,
	})
	if err != nil {
		return false, "", err
	}
	reply, err := ask(ctx, engine.Review, fromPrompt(p))
	if err != nil {
		return false, "", err
	}
	agrees, said = r.read(w.redact(reply.Text))
	return agrees, said, nil
}

var agreed = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?im)^[\\s*_`]*(NOT )?AGREED[*_`]*[:.]?[*_` \t]*(.*)$")
})

// read reads the reviewer's answer. One that quotes what the task does not say agrees to
// nothing.
func (r *testReviewer) read(answer string) (agrees bool, said string) {
	m := agreed().FindStringSubmatch(answer)
	if m == nil {
		return false, "its answer is neither AGREED nor NOT AGREED"
	}
	said = strings.Trim(strings.TrimSpace(m[2]), "\"“”")
	if m[1] == "" && !r.InTask(said) {
		return false, fmt.Sprintf("it quotes %q, which the task does not say", said)
	}
	return m[1] == "", said
}

const (
	// linesAbove and linesBelow are how much of a test is shown around where it fails.
	linesAbove, linesBelow = 40, 15
	// maxExcerpts bounds in how many places.
	maxExcerpts = 8
)

// excerpts gives the text of tests as they stood, where they fail.
func (c *changes) excerpts(ctx context.Context, failures []event.Failure) (string, error) {
	g, err := c.guard(ctx)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	var shown []string
	for _, f := range failures {
		for _, at := range append([]failure.Frame{{File: f.File, Line: f.Line}}, f.Frames...) {
			if at.Line <= 0 || !g.TestFile(at.File) {
				continue
			}
			if place := fmt.Sprint(at.File, at.Line/linesBelow); len(shown) < maxExcerpts && !slices.Contains(shown, place) {
				shown = append(shown, place)
				old, err := c.stood(ctx, at.File)
				if err != nil {
					return "", err
				}
				if old != nil {
					fmt.Fprintf(&out, "%s, from line %d:\n%s\n", at.File, max(at.Line-linesAbove, 1), around(old.Data, at.Line))
				}
			}
			break
		}
	}
	if out.Len() == 0 {
		for _, f := range failures {
			fmt.Fprintln(&out, f.Test)
		}
	}
	return out.String(), nil
}

// around gives the lines around one.
func around(text []byte, line int) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	from, to := max(line-linesAbove, 1)-1, min(line+linesBelow, len(lines))
	if from >= to {
		return nil
	}
	return bytes.Join(lines[from:to], nil)
}
