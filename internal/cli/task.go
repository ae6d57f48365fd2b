package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
)

// taskFlags say what run works on; exactly one is given.
type taskFlags struct {
	issue string
	// pull is the number or the address of a pull request.
	pull  string
	text  string
	file  string
	stdin bool
}

// maxTask bounds a task's text, in bytes: far more than fits in a request.
const maxTask = 1 << 20

// read gives the task of everything but issues.
func (t taskFlags) read(in io.Reader) (runner.Task, error) {
	var out runner.Task
	switch {
	case t.text != "":
		out.Kind, out.Text = "text", t.text
	case t.file != "":
		data, err := os.ReadFile(t.file)
		if err != nil {
			return out, fault.New(fault.Usage, "", "--task-file: %w", err)
		}
		out.Kind, out.Text = "file", string(data)
	case t.stdin:
		data, err := io.ReadAll(io.LimitReader(in, maxTask+1))
		if err != nil {
			return out, fmt.Errorf("read the task from standard input: %w", err)
		}
		out.Kind, out.Text = "stdin", string(data)
	default:
		return out, errors.New("no task")
	}
	out.Text = strings.TrimSpace(strings.ToValidUTF8(out.Text, "\uFFFD"))
	if len(out.Text) > maxTask {
		return out, fault.New(fault.Usage, "shorten the task",
			"the task is longer than %d bytes", maxTask)
	}
	if out.Text == "" {
		return out, fault.New(fault.Usage, "describe the task in a sentence or more", "the task is empty")
	}
	out.Title = runner.Title(out.Text)
	return out, nil
}
