package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/booty-cli/booty/internal/mcp"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/term"
)

func newMCP(f *factory) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve other coding agents over MCP: distill, check, prove, refine",
		Long: `Serve another coding agent over the Model Context Protocol on standard input
and output. The tools are commands of booty: distill (summarize failing
output), check (run the repository's checks), prove (is a change tested?),
run_status (what runs did) and refine (make failing checks pass). They work in
the current directory (or DIR of -C) and in folders below it.

refine uses the user's model within the user's budget. Settings of the
repository that need consent (another endpoint, a command, a key's variable)
are used only if the user agreed before, or with --yes. docs/mcp.md shows how
to register booty.`,
		Example: `  claude mcp add booty -- booty mcp
  codex mcp add booty -- booty mcp
  booty mcp -C ~/work/project`,
		Args: cobra.NoArgs,
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error { return mcpRun(cmd.Context(), f) }),
	}
}

// mcpRun serves until the client goes.
func mcpRun(ctx context.Context, f *factory) error {
	dir, err := f.workDir()
	if err != nil {
		return err
	}
	if f.s.InTTY {
		f.say("booty: waiting for an agent on standard input (Ctrl-C quits); docs/mcp.md shows how to register booty")
	}
	s := mcp.Server{Dir: dir, Version: f.build.Version, Run: f.inner, Redact: f.clean}
	return s.Serve(ctx, f.s.In, f.s.Out)
}

// inner runs a command for a program that is not to see secrets: nobody is there to
// be asked, and nothing of it goes to the real streams.
func (f *factory) inner(ctx context.Context, c mcp.Call) mcp.Answer {
	r := redact.New(redact.Options{Environ: os.Environ()})
	var result bytes.Buffer
	out := &outlet{w: &result, gone: func() {}}
	told := &lines{tell: func(line string) { c.OnMessage(r.String(line)) }}
	g := &factory{
		console: console{s: term.Streams{In: strings.NewReader(c.Input), Out: out, Err: told, Width: 80},
			getenv: f.getenv, now: f.now},
		build: f.build, stateDir: f.stateDir, outputs: f.outputs, watching: c.OnOutput,
	}
	args := append([]string{"--no-color"}, c.Args...)
	if f.yes {
		args = append([]string{"--yes"}, args...)
	}
	exit := g.execute(ctx, args, out)
	return mcp.Answer{Result: r.String(result.String()), Messages: r.String(told.text()), Exit: exit}
}

// lines keeps what is written, and tells each line as it is whole.
type lines struct {
	tell func(line string)

	mu   sync.Mutex
	all  bytes.Buffer
	rest int // where the line that is not whole yet begins
}

// Write implements io.Writer.
func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all.Write(p)
	for {
		line, _, whole := bytes.Cut(l.all.Bytes()[l.rest:], []byte("\n"))
		if !whole {
			return len(p), nil
		}
		l.rest += len(line) + 1
		l.tell(string(line))
	}
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}
