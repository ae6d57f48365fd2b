package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"golang.org/x/text/unicode/norm"
)

// taskFlags say what run works on; exactly one is given.
type taskFlags struct {
	issue string
	text  string
	file  string
	stdin bool
}

// task is what a run works on, with its whole text.
type task struct {
	event.Task
	text string
}

// marker is the hidden line by which the task's pull request is found again:
// the issue's number, or a digest of the words. refine has none: its pull
// request is that of the branch.
func (t task) marker() string {
	switch t.Kind {
	case "issue":
		return report.Marker("issue", strconv.Itoa(t.Number))
	case "refine":
		return report.Marker("task", "refine")
	}
	digest := sha256.Sum256([]byte(t.text))
	return report.Marker("task", hex.EncodeToString(digest[:8]))
}

// name is what people call the task.
func (t task) name() string {
	if t.Kind == "issue" {
		return fmt.Sprintf("issue #%d", t.Number)
	}
	return "this task"
}

// maxTask bounds a task's text, in bytes: far more than fits in a request.
const maxTask = 1 << 20

// read gives the task of everything but issues.
func (t taskFlags) read(_ context.Context, in io.Reader) (task, error) {
	var out task
	switch {
	case t.text != "":
		out.Kind, out.text = "text", t.text
	case t.file != "":
		data, err := os.ReadFile(t.file)
		if err != nil {
			return out, fault.New(fault.Usage, "", "--task-file: %w", err)
		}
		out.Kind, out.text = "file", string(data)
	case t.stdin:
		data, err := io.ReadAll(io.LimitReader(in, maxTask+1))
		if err != nil {
			return out, fmt.Errorf("read the task from standard input: %w", err)
		}
		out.Kind, out.text = "stdin", string(data)
	default:
		return out, errors.New("no task")
	}
	out.text = strings.TrimSpace(strings.ToValidUTF8(out.text, "\uFFFD"))
	if len(out.text) > maxTask {
		return out, fault.New(fault.Usage, "say in fewer words what is to be done", "the task is longer than %d bytes", maxTask)
	}
	if out.text == "" {
		return out, fault.New(fault.Usage, "say in a sentence or more what is to be done", "the task is empty")
	}
	out.Title = titleOf(out.text)
	return out, nil
}

// titleOf is the first line of a text, at most 72 characters.
func titleOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimSpace(strings.TrimLeft(line, "# "))
	if r := []rune(line); len(r) > 72 {
		return strings.TrimSpace(string(r[:71])) + "…"
	}
	return line
}

// maxSlug bounds the readable part of a branch's name.
const maxSlug = 40

// slug is a title in lower-case ASCII words, as many as fit, for a branch's
// name.
func slug(title string) string {
	// Letters with marks count as those without: ü becomes u and its mark.
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(title))
	words := strings.FieldsFunc(strings.ToLower(plain), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := ""
	for _, w := range words {
		if name == "" {
			name = w[:min(len(w), maxSlug)]
			continue
		}
		if len(name)+1+len(w) > maxSlug {
			break
		}
		name += "-" + w
	}
	if name == "" {
		return "task"
	}
	return name
}
