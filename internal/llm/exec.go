package llm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proc/child"
	"github.com/booty-cli/booty/internal/provider"
)

// command asks a program: the prompt goes to its standard input, the reply comes from its
// standard output.
type command struct{ client *client }

func newExec(cfg Config) (Client, error) {
	if len(cfg.Command) == 0 || cfg.Command[0] == "" {
		return nil, fault.New(fault.Usage, `such as command: ["llm", "-m", "some-model"]`,
			"provider exec needs model.command")
	}
	c := &command{}
	c.client = &client{asker: c, cfg: cfg, told: map[string]bool{}, info: Info{
		Provider: provider.Exec, Model: firstNonEmpty(cfg.Model, cfg.Command[0]), Local: true,
		EditFormat: cfg.EditFormat, MaxOutputTokens: cfg.MaxOutputTokens,
	}}
	return c.client, nil
}

// tempFail is EX_TEMPFAIL of sysexits.h: try again later.
const tempFail = 75

func (c *command) ask(ctx context.Context, r Request) (Reply, error) {
	cfg := c.client.cfg
	const maxReplyBytes = 4 << 20 // twenty times the longest real reply
	res, err := child.Run(ctx, child.Options{
		Argv: cfg.Command, Dir: cfg.Dir, Env: cfg.Environ, Stdin: render(r.Messages),
		Timeout: cfg.CallTimeout, MaxOutput: maxReplyBytes, Supervise: cfg.Supervise,
	})
	name := cfg.Command[0]
	switch {
	case ctx.Err() != nil:
		return Reply{}, context.Cause(ctx)
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, child.ErrStart):
		return Reply{}, fault.New(fault.Usage, "check model.command", "run the model command: %w", err)
	case errors.Is(err, child.ErrTimeout):
		return Reply{}, passing("%s did not end within %s", name, cfg.CallTimeout)
	case err != nil:
		return Reply{}, fmt.Errorf("run %s: %w", name, err)
	case res.Truncated:
		return Reply{}, fmt.Errorf("%s: %w: more than %d MiB of text", name, errTooLarge, maxReplyBytes>>20)
	case res.ExitCode == tempFail:
		return Reply{}, passing("%s: temporary failure (exit %d)%s", name, res.ExitCode, tailOf(res.Stderr))
	case res.ExitCode != 0:
		return Reply{}, fault.New(fault.Model, "try it by hand: echo hello | "+strings.Join(cfg.Command, " "),
			"%s ended with exit code %d%s", name, res.ExitCode, tailOf(res.Stderr))
	}
	reply := Reply{Text: string(res.Stdout), Finish: FinishStop, Ended: true}
	if !utf8.ValidString(reply.Text) {
		reply.Text = strings.ToValidUTF8(reply.Text, "\uFFFD")
		reply.Notes = append(reply.Notes, "the reply was not valid UTF-8 and was repaired")
	}
	reply.Text = cutThinking(reply.Text)
	if strings.TrimSpace(reply.Text) == "" {
		return reply, passing("%s wrote nothing%s", name, tailOf(res.Stderr))
	}
	c.client.settle(r, &reply, nil)
	if cfg.OnToken != nil {
		cfg.OnToken(reply.Usage.Output)
	}
	return reply, nil
}

// render writes messages as one text, for programs without roles.
func render(messages []Message) string {
	var b strings.Builder
	for i, m := range messages {
		if i > 0 {
			b.WriteString("\n\n")
		}
		if m.Role == "assistant" {
			b.WriteString("Your reply so far:\n\n")
		}
		b.WriteString(m.Content)
	}
	b.WriteString("\n")
	return b.String()
}

func tailOf(stderr []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(stderr), "?"))
	if text == "" {
		return ""
	}
	if len(text) > 500 {
		text = "…" + strings.ToValidUTF8(text[len(text)-500:], "")
	}
	return ": " + strings.Join(strings.Fields(text), " ")
}
