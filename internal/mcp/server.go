// Package mcp offers booty's checks and proofs to other agents: a Model Context Protocol
// server on standard input and output with the tools distill, check, run_status and refine.
//
// A tool is a booty command. Its arguments become a command line, and the command's output
// is the answer, so that an agent sees what a person would see. The commands are passed in.
// The protocol is the official SDK's except for its line reader (wire.go), which answers a
// client's mistake instead of ending the session.
package mcp

import (
	"context"
	"errors"
	"io"
	"log/slog"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Call is one command that a tool runs.
type Call struct {
	// Args is its command line, Input its standard input.
	Args  []string
	Input string
	// OnMessage receives each message for people as it comes, Output each output line of the
	// commands that it runs. Either may be called from several goroutines.
	OnMessage, OnOutput func(line string)
}

// Answer is the result of a call.
type Answer struct {
	// Result is the standard output of the command, Told its messages.
	Result, Messages string
	Exit             int
}

// Server is what the tools need.
type Server struct {
	// Dir is where the tools work. They may be sent to folders inside it, but not out of
	// it.
	Dir     string
	Version string
	// Run runs a command. Its answer must not contain secrets.
	Run func(context.Context, Call) Answer
	// Redact removes secrets from progress.
	Redact func(string) string
}

// instructions tell the agent's model when to call which tool.
const instructions = `booty runs this repository's own checks and says briefly what fails.
Call "check" after you have changed code, instead of running the test suite yourself: it runs setup, gates
and tests as .booty.yml names them, and gives only what a fixer needs. Call "distill" on long output of any
test runner, compiler or linter that you already have. "refine" has another model make failing checks pass in
this checkout, attempt by attempt: it changes files and spends the user's money; "run_status" tells what runs
did, what that proves and what it cost. No tool takes a shell command.`

// Serve answers a client until it closes its end or ctx ends; neither is an error.
func (s Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	client, gone := context.WithCancel(ctx)
	defer gone()
	srv := sdk.NewServer(&sdk.Implementation{Name: "booty", Title: "booty", Version: s.Version},
		&sdk.ServerOptions{
			Instructions: instructions,
			Logger:       slog.New(slog.DiscardHandler),
			Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
		})
	one := make(chan struct{}, 1)
	for _, t := range tools() {
		h := handler{server: s, tool: t, until: ctx, one: one}
		if t.long {
			h.until = client
		}
		srv.AddTool(t.definition(), h.call)
	}
	err := srv.Run(ctx, &wire{in: in, out: out, gone: gone})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
