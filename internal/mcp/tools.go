package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is a command as agents see it.
type tool struct {
	name, title, about string
	// schema holds its properties, in JSON.
	schema string
	// reads is set if it changes and runs nothing; edits if it changes files.
	reads, edits bool
	// long is set if it may take minutes. Then it is cancelled when the client goes, and
	// only one such tool works at a time.
	long bool
	// command turns its arguments into a command.
	command func(s Server, arguments json.RawMessage) (Call, error)
}

// definition returns the tool as the protocol lists it.
func (t tool) definition() *sdk.Tool {
	open := !t.reads // a repository's commands may do anything
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: t.reads, DestructiveHint: &t.edits,
			OpenWorldHint: &open},
		InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + t.schema + `}}`),
	}
}

const (
	directorySchema = `"directory":{"type":"string","description":"the repository or a folder in it, where that is not the ` +
		`folder booty serves; relative to that one"}`
	jsonSchema = `"json":{"type":"boolean","description":"answer with the JSON that the command's --json gives, ` +
		`instead of text"}`
)

// tools returns all tools.
func tools() []tool {
	return []tool{distillTool(), checkTool(), proveTool(), statusTool(), refineTool()}
}

type distillArguments struct {
	Directory string  `json:"directory"`
	JSON      bool    `json:"json"`
	Text      *string `json:"text"`
	File      string  `json:"file"`
	ExitCode  *int    `json:"exit_code"`
	Budget    int     `json:"budget"`
}

func distillTool() tool {
	return tool{
		name: "distill", title: "Distill failing output", reads: true,
		about: "Read the output of any test runner, compiler, linter or type checker and give back only " +
			"what a fixer needs: what failed, where, expected and actual, and the frames inside this " +
			"repository. Give the output itself as text, or the name of a file that holds it. Runs nothing.",
		schema: `"text":{"type":"string","description":"the output itself"},` +
			`"file":{"type":"string","description":"a file with the output, in the folder booty serves"},` +
			`"exit_code":{"type":"integer","minimum":0,"description":"what the command ended with; the summary never contradicts it"},` +
			`"budget":{"type":"integer","minimum":1,"description":"at most this many bytes of text (default 6000)"},` +
			jsonSchema + "," + directorySchema,
		command: func(s Server, arguments json.RawMessage) (Call, error) {
			var a distillArguments
			c, dir, err := s.begin(arguments, &a, &a.Directory, "distill")
			switch {
			case err != nil:
				return c, err
			case (a.Text == nil) == (a.File == ""):
				return c, errors.New("give exactly one of text and file")
			case a.Text != nil:
				c.Input = *a.Text
			}
			if a.ExitCode != nil {
				c.Args = append(c.Args, "--exit-code="+strconv.Itoa(*a.ExitCode))
			}
			if a.Budget != 0 {
				c.Args = append(c.Args, "--budget="+strconv.Itoa(a.Budget))
			}
			c.json(a.JSON)
			if a.File != "" {
				file, err := s.within(dir, a.File)
				if err != nil {
					return c, fmt.Errorf("file: %w", err)
				}
				c.Args = append(c.Args, file)
			}
			return c, nil
		},
	}
}

type checkArguments struct {
	Directory string `json:"directory"`
	JSON      bool   `json:"json"`
	Staged    bool   `json:"staged"`
	Setup     bool   `json:"setup"`
}

func checkTool() tool {
	return tool{
		name: "check", title: "Run the repository's checks", long: true,
		about: "Run setup, gates and tests of this repository as .booty.yml names them, and say briefly " +
			"what fails, where and why. No model is asked, and the checks run in a copy of the checkout. " +
			"May take minutes; tells progress. The answer begins with one line a check; exit code 0 " +
			"all pass, 3 something fails, 9 the checks cannot run here.",
		schema: `"staged":{"type":"boolean","description":"check what is staged instead of the files as they are"},` +
			`"setup":{"type":"boolean","description":"run setup_command even if its inputs did not change"},` +
			jsonSchema + "," + directorySchema,
		command: func(s Server, arguments json.RawMessage) (Call, error) {
			var a checkArguments
			c, _, err := s.begin(arguments, &a, &a.Directory, "check")
			c.flag("--staged", a.Staged)
			c.flag("--setup", a.Setup)
			c.json(a.JSON)
			return c, err
		},
	}
}

type proveArguments struct {
	Directory string `json:"directory"`
	JSON      bool   `json:"json"`
	Ref       string `json:"ref"`
	Base      string `json:"base"`
	Mutants   *int   `json:"mutants"`
	Time      string `json:"time"`
}

func proveTool() tool {
	return tool{
		name: "prove", title: "Show what a change proves", long: true,
		about: "Show what a change proves, whoever made it, by running this repository's tests in work " +
			"trees of booty's own: does a test fail without it and pass with it, do the old tests " +
			"pass, can the test that shows it fail, and do tests notice small changes to the " +
			"changed lines (the survivors are listed with file and line). Without ref, the change is what " +
			"the checkout holds beyond the default branch, uncommitted changes included. No model is " +
			"asked and nothing is written. Takes many runs of the tests; tells progress. Exit code 0 " +
			"proven at least in part, 3 not proven, 4 no code was changed, 9 the tests cannot run here.",
		schema: `"ref":{"type":"string","description":"a branch, a commit or a range A..B"},` +
			`"base":{"type":"string","description":"compare with this branch instead of the default branch"},` +
			`"mutants":{"type":"integer","minimum":0,"maximum":1000,"description":"how many small changes are tried (default 10)"},` +
			`"time":{"type":"string","description":"report what is known after this duration, such as 5m (default 10m)"},` +
			jsonSchema + "," + directorySchema,
		command: func(s Server, arguments json.RawMessage) (Call, error) {
			var a proveArguments
			c, _, err := s.begin(arguments, &a, &a.Directory, "prove")
			if a.Base != "" {
				c.Args = append(c.Args, "--base="+a.Base)
			}
			if a.Mutants != nil {
				c.Args = append(c.Args, "--mutants="+strconv.Itoa(*a.Mutants))
			}
			if a.Time != "" {
				c.Args = append(c.Args, "--time="+a.Time)
			}
			c.json(a.JSON)
			if a.Ref != "" {
				c.Args = append(c.Args, "--", a.Ref) // never a flag, whatever it looks like
			}
			return c, err
		},
	}
}

type statusArguments struct {
	Directory string `json:"directory"`
	JSON      bool   `json:"json"`
	Run       string `json:"run"`
	Show      string `json:"show"`
	Attempt   *int   `json:"attempt"`
	Limit     *int   `json:"limit"`
}

func statusTool() tool {
	return tool{
		name: "run_status", title: "Show booty's runs", reads: true,
		about: "Show recent runs of booty in this repository and the money spent against the limits; or, " +
			"with run, all of one: every attempt, what was tried, what failed, what the change proves, " +
			"time, tokens, cost; or, with show, one thing of it: its diff, a check's output, a prompt, a " +
			"reply, the context that was shown.",
		schema: `"run":{"type":"string","description":"a run's id, a unique prefix of it, or latest"},` +
			`"show":{"type":"string","enum":["diff","output","prompt","reply","context"],` +
			`"description":"print this of the run, for the last attempt unless attempt names one"},` +
			`"attempt":{"type":"integer","minimum":0,"description":"of this attempt; 0 is the checks before the first"},` +
			`"limit":{"type":"integer","minimum":0,"description":"show at most this many runs (default 10); 0 shows all"},` +
			jsonSchema + "," + directorySchema,
		command: func(s Server, arguments json.RawMessage) (Call, error) {
			var a statusArguments
			c, _, err := s.begin(arguments, &a, &a.Directory, "status")
			if a.Show != "" {
				c.Args = append(c.Args, "--show="+a.Show)
			}
			if a.Attempt != nil {
				c.Args = append(c.Args, "--attempt="+strconv.Itoa(*a.Attempt))
			}
			if a.Limit != nil {
				c.Args = append(c.Args, "--limit="+strconv.Itoa(*a.Limit))
			}
			c.json(a.JSON)
			if a.Run != "" {
				c.Args = append(c.Args, "--", a.Run) // never a flag, whatever it looks like
			}
			return c, err
		},
	}
}

type refineArguments struct {
	Directory  string   `json:"directory"`
	JSON       bool     `json:"json"`
	Hint       string   `json:"hint"`
	Files      []string `json:"files"`
	MaxRetries int      `json:"max_retries"`
}

func refineTool() tool {
	return tool{
		name: "refine", title: "Make failing checks pass", edits: true, long: true,
		about: "Have booty's own model make the failing checks of this checkout pass: it asks " +
			"for edits, applies them, runs the checks and asks again with what failed, within the user's " +
			"budget. Works on a dirty tree and leaves its changes uncommitted; booty undo takes them " +
			"back. The existing tests must also pass as they were. Spends the user's money and may take many " +
			"minutes; tells progress. Answers with what changed, what that proves and what it cost; " +
			"exit code 0 the checks pass, 3 they still fail and the best attempt is kept, 4 nothing " +
			"failed, 8 the user's consent is missing.",
		schema: `"hint":{"type":"string","description":"extra instruction for the model"},` +
			`"files":{"type":"array","items":{"type":"string"},"description":"globs of files that it is to see"},` +
			`"max_retries":{"type":"integer","minimum":1,"maximum":10,"description":"attempts in all"},` +
			jsonSchema + "," + directorySchema,
		command: func(s Server, arguments json.RawMessage) (Call, error) {
			var a refineArguments
			c, _, err := s.begin(arguments, &a, &a.Directory, "refine")
			if a.Hint != "" {
				c.Args = append(c.Args, "--hint="+a.Hint)
			}
			for _, f := range a.Files {
				c.Args = append(c.Args, "--file="+f)
			}
			if a.MaxRetries != 0 {
				c.Args = append(c.Args, "--max-retries="+strconv.Itoa(a.MaxRetries))
			}
			c.json(a.JSON)
			return c, err
		},
	}
}

// begin decodes a tool's arguments into a and begins its command line, in the folder that
// they name.
func (s Server) begin(
	arguments json.RawMessage, a any, directory *string, command string,
) (c Call, dir string, err error) {
	if arguments = bytes.TrimSpace(arguments); len(arguments) > 0 && string(arguments) != "null" {
		d := json.NewDecoder(bytes.NewReader(arguments))
		d.DisallowUnknownFields()
		if err := d.Decode(a); err != nil && !errors.Is(err, io.EOF) {
			return c, "", argumentError(err)
		}
	}
	if dir, err = s.within(s.Dir, *directory); err != nil {
		return c, "", fmt.Errorf("directory: %w", err)
	}
	c.Args = []string{command, "--dir=" + dir}
	return c, dir, nil
}

// argumentError explains what is wrong with arguments, in the client's terms.
func argumentError(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		if wrong.Field == "" {
			return fmt.Errorf("arguments: want an object, got %s", wrong.Value)
		}
		return fmt.Errorf("%s: got %s, which it does not take", wrong.Field, wrong.Value)
	}
	return errors.New("arguments: " + strings.TrimPrefix(err.Error(), "json: "))
}

// within returns a path below the served folder, with links resolved.
func (s Server) within(dir, name string) (string, error) {
	top, err := filepath.EvalSymlinks(s.Dir)
	if err != nil {
		return "", err
	}
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", err
	}
	rel, err := filepath.Rel(top, path)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is outside of %s, which is what booty serves here", name, s.Dir)
	}
	return path, nil
}

func (c *Call) flag(name string, given bool) {
	if given {
		c.Args = append(c.Args, name)
	}
}

func (c *Call) json(wanted bool) { c.flag("--json", wanted) }
