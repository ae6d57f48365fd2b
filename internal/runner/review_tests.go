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
	// linesAbove and linesBelow limit how much of a test is shown around the place where it fails.
	linesAbove, linesBelow = 20, 6
	// maxExcerpts bounds in how many places.
	maxExcerpts = 8
)

// excerpts returns the text of tests as they stood, at the places where they fail.
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
			if place := fmt.Sprint(at.File, at.Line/linesBelow); len(shown) < maxExcerpts &&
				!slices.Contains(shown, place) {
				shown = append(shown, place)
				old, err := c.stood(ctx, at.File)
				if err != nil {
					return "", err
				}
				if old != nil {
					from, part := around(old.Data, at.Line, f.Test)
					fmt.Fprintf(&out, "%s, from line %d:\n%s\n", at.File, from, part)
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

// around returns the lines of a test around one of them, and the number of the first.
func around(text []byte, line int, test string) (from int, part []byte) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if line > len(lines) {
		return line, nil
	}
	name := shortName(test)
	from, depth := line, 0
	for ; from > max(line-linesAbove, 1); from-- {
		row := lines[from-1]
		if in, blank := indentation(row); !blank && !closes(row) &&
			(in == 0 || len(name) > 0 && bytes.Contains(row, name)) {
			depth = in
			break
		}
	}
	to := line
	for ; to < min(line+linesBelow, len(lines)); to++ {
		row := lines[to]
		if in, blank := indentation(row); !blank && in <= depth {
			if closes(row) {
				to++
			}
			break
		}
	}
	return from, bytes.Join(lines[from-1:to], nil)
}

// shortName is a test's own name, as its file has it.
func shortName(test string) []byte {
	name := failure.FunctionOf(test)
	for _, sep := range []string{"::", " > ", ".", "#"} {
		name = name[strings.LastIndex(name, sep)+1:]
	}
	return []byte(strings.TrimLeft(name, ": >"))
}

func indentation(row []byte) (n int, blank bool) {
	bare := bytes.TrimLeft(row, " \t")
	return len(row) - len(bare), len(bytes.TrimSpace(bare)) == 0
}

// closes reports whether a line ends a block.
func closes(row []byte) bool {
	bare := bytes.TrimSpace(row)
	return len(bare) > 0 && bytes.IndexByte([]byte("})]"), bare[0]) >= 0 || bytes.Equal(bare, []byte("end"))
}
