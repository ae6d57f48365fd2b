// Package agent runs the commands of other coding agents. Each gets a prompt and edits the
// files of a directory itself.
//
// Words. A preset describes one agent's command line: how it runs without a person, takes
// the prompt, is allowed to edit, and reports its usage. Presets allow edits. They allow
// the agent to run commands only if it cannot separate the two.
//
// Promises. The agent's processes end when it ends, when it times out and when the context
// ends. What is kept of its output is bounded. It gets the environment that the caller
// passes, since it needs its own key.
//
// The caller makes the directory (a separate work tree), reads what changed in it, and
// guards and checks that: nothing here trusts the agent's output.
package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proc/child"
)

// Options select an agent and its work.
type Options struct {
	// Preset is the name of a preset; Command is any other command. A Command of one word
	// that names a preset is that preset. In Command, {prompt} and {prompt_file} stand for
	// the prompt and for a file with it; without them the prompt comes on standard input.
	Preset  string
	Command []string
	// Model is passed to the agent if it takes one; "" means the agent's default.
	Model  string
	Dir    string
	Prompt string
	// Timeout bounds the run; zero means 30 minutes.
	Timeout time.Duration
	// Env is the agent's whole environment; nil means that of this process.
	Env []string
	// Progress receives the agent's output as it comes, if set.
	Progress io.Writer
	// Supervise ends the agent even if this process is killed. It requires a main that
	// calls proc.Supervise.
	Supervise bool
}

// Usage is what the agent reports; Known is false if it reports nothing.
type Usage struct {
	Input, Output, Cached int
	CostUSD               float64
	// CostKnown reports whether the agent reported the cost.
	CostKnown bool
	Known     bool
}

// Result is the outcome of a run apart from the changed files.
type Result struct {
	// Output is the agent's last message, or the end of its output.
	Output string
	Usage  Usage
	// ExitCode is the agent's; 128 and more mean a signal.
	ExitCode int
	Duration time.Duration
	// Byproducts are globs of files that the agent leaves in the directory and that are not
	// part of its proposal.
	Byproducts []string
}

// Bounds of a run.
const (
	defaultTimeout = 30 * time.Minute
	// maxOutput bounds the output searched for the usage, maxTail the part passed on.
	maxOutput = 4 << 20
	maxTail   = 8 << 10
	// maxArg is the longest prompt on the command line: Linux allows 128 KiB per argument,
	// Windows 32 KiB in total.
	maxArg = 24 << 10
)

// Run runs the agent until it ends. On an error the Result still holds what there was: the
// agent may have changed files before it failed.
func Run(ctx context.Context, o Options) (Result, error) {
	p, err := resolve(o)
	if err != nil {
		return Result{}, err
	}
	argv, stdin, cleanup, err := p.prepare(o)
	if err != nil {
		return Result{}, err
	}
	defer cleanup()
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = defaultTimeout
	}
	start := time.Now()
	out, err := child.Run(ctx, child.Options{
		Argv: argv, Dir: o.Dir, Env: p.environ(o.Env), Stdin: stdin, Timeout: timeout,
		MaxOutput: maxOutput, KeepTail: true, Output: o.Progress, Supervise: o.Supervise,
	})
	res := Result{ExitCode: out.ExitCode, Duration: time.Since(start), Byproducts: p.byproducts}
	var failed string
	res.Output, res.Usage, failed = p.read(out)
	if !res.Usage.CostKnown {
		for _, text := range [][]byte{out.Stdout, out.Stderr} {
			if usd, ok := costIn(text); ok {
				res.Usage.CostUSD, res.Usage.CostKnown = usd, true
				break
			}
		}
	}
	return res, judge(ctx, p, timeout, out, failed, err)
}

// judge classifies an error.
func judge(
	ctx context.Context, p preset, timeout time.Duration, out child.Result, failed string, err error,
) error {
	name := p.argv[0]
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("run %s: %w", name, context.Cause(ctx))
	case errors.Is(err, child.ErrStart):
		return fault.New(fault.Usage, "install "+name+", or set model.command", "run the agent: %w", err)
	case errors.Is(err, child.ErrTimeout):
		return fault.New(fault.Model, "give it more time or a smaller task", "%s did not end within %s", name,
			timeout)
	case err != nil:
		return fault.New(fault.Model, "", "run %s: %w", name, err)
	case failed != "":
		return failure(p, "%s failed: %s", name, oneLine(failed, 500))
	case out.ExitCode != 0:
		text := strings.TrimSpace(string(out.Stderr))
		if text == "" {
			text = strings.TrimSpace(string(out.Stdout))
		}
		return failure(p, "%s ended with exit code %d: %s", name, out.ExitCode, lastLine(text, 500))
	}
	return nil
}

// failure is an agent's own error; a transient one wraps ErrTransient.
func failure(p preset, format string, args ...any) error {
	if text := fmt.Sprintf(format, args...); isTransient(text) {
		return fault.New(fault.Model, "wait a while; --patient does", "%s (%w)", text, ErrTransient)
	}
	return fault.New(fault.Model, p.hint(), format, args...)
}

// resolve finds the preset, or makes one from the command.
func resolve(o Options) (preset, error) {
	name := o.Preset
	if name == "" && len(o.Command) == 1 {
		name = o.Command[0]
	}
	if p, ok := find(name); ok {
		return p, nil
	}
	switch {
	case o.Preset != "":
		return preset{}, fault.New(fault.Usage, "presets: "+strings.Join(Presets(), ", "), "unknown agent %q",
			o.Preset)
	case len(o.Command) == 0 || o.Command[0] == "":
		return preset{}, fault.New(fault.Usage,
			"set model.command to one of "+strings.Join(Presets(),
				", ")+", or to a command that reads the prompt from standard input",
			"provider agent needs model.command")
	}
	p := preset{name: o.Command[0], argv: o.Command}
	for _, a := range o.Command {
		switch {
		case strings.Contains(a, promptFile):
			p.by = byFile
		case strings.Contains(a, promptText):
			p.by = byArg
		}
	}
	return p, nil
}

// prepare builds the command line and the standard input of a run.
func (p preset) prepare(o Options) (argv []string, stdin string, cleanup func(), err error) {
	argv = append([]string(nil), p.argv...)
	if o.Model != "" && p.modelFlag != "" {
		at := 1 + p.subcommands
		argv = append(argv[:at:at], append([]string{p.modelFlag, o.Model}, argv[at:]...)...)
	}
	cleanup = func() {}
	text, file := o.Prompt, ""
	if p.by == byFile || p.by == byArg && len(text) > maxArg {
		dir, err := os.MkdirTemp("", "booty-prompt-")
		if err != nil {
			return nil, "", nil, fmt.Errorf("keep the prompt for %s: %w", argv[0], err)
		}
		cleanup = func() { _ = os.RemoveAll(dir) }
		file = filepath.Join(dir, "prompt.md")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			cleanup()
			return nil, "", nil, fmt.Errorf("keep the prompt for %s: %w", argv[0], err)
		}
		text = "Read the file " + file + " and do what it asks, in the current directory."
	}
	for i, a := range argv {
		a = strings.ReplaceAll(a, promptFile, file)
		argv[i] = strings.ReplaceAll(a, promptText, text)
	}
	if p.by == byStdin {
		stdin = o.Prompt
	}
	return argv, stdin, cleanup, nil
}

// environ adds the preset's variables to the caller's environment.
func (p preset) environ(env []string) []string {
	if len(p.env) == 0 {
		return env
	}
	if env == nil {
		env = os.Environ()
	}
	return append(append([]string(nil), env...), p.env...)
}

func (p preset) hint() string {
	if p.login == "" {
		return "try the command by hand"
	}
	return p.login
}

// read finds the last message and the usage in the agent's output; failed is the error that
// the agent reports.
func (p preset) read(out child.Result) (message string, u Usage, failed string) {
	if p.parse != nil {
		if message, u, failed, ok := p.parse(out.Stdout); ok {
			return tail(message), u, failed
		}
	}
	text := out.Stdout
	if len(strings.TrimSpace(string(text))) == 0 {
		text = out.Stderr
	}
	return tail(string(text)), Usage{}, ""
}

func tail(text string) string {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > maxTail {
		text = strings.ToValidUTF8(text[len(text)-maxTail:], "")
	}
	return text
}

func oneLine(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > n {
		text = strings.ToValidUTF8(text[:n], "") + "…"
	}
	return text
}

// lastLine returns the last line of a text, at most n bytes.
func lastLine(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if len(text) > n {
		text = "…" + strings.ToValidUTF8(text[len(text)-n:], "")
	}
	if text == "" {
		return "it said nothing"
	}
	return text
}
