package detect

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"
	"unicode"

	"github.com/booty-cli/booty/internal/fault"
	"gopkg.in/yaml.v3"
)

const header = `# yaml-language-server: $schema=https://raw.githubusercontent.com/booty-cli/booty/main/internal/config/schema.json
# How booty prepares and checks this repository. What is not here has its default: booty config show
`

// file is what init writes.
type file struct {
	Version int        `yaml:"schema_version"`
	Setup   string     `yaml:"setup_command,omitempty"`
	Test    any        `yaml:"test_command"`
	Rerun   string     `yaml:"rerun_command,omitempty"`
	Timeout string     `yaml:"timeout,omitempty"`
	Gates   []fileGate `yaml:"gates,omitempty"`
}

type fileContext struct {
	Context struct {
		Conventions []string `yaml:"conventions,flow"`
	} `yaml:"context"`
}

type fileGate struct {
	Name    string `yaml:"name"`
	Command string `yaml:"command"`
	Fix     string `yaml:"fix_command,omitempty"`
}

// Render returns the result as a .booty.yml.
func Render(r Result) ([]byte, error) {
	f := file{Version: 1, Setup: r.SetupCommand, Rerun: r.Rerun}
	if r.Timeout > 0 {
		f.Timeout = fmt.Sprintf("%dm", r.Timeout/time.Minute)
	}
	switch tests := r.TestCommands(); len(tests) {
	case 1:
		f.Test = tests[0]
	default:
		f.Test = tests
	}
	for _, g := range r.Gates {
		f.Gates = append(f.Gates, fileGate{g.Name, g.Command, g.Fix})
	}
	b := bytes.NewBufferString(header)
	if err := encode(b, f); err != nil {
		return nil, err
	}
	if err := r.renderIdle(b); err != nil {
		return nil, err
	}
	if len(r.Conventions) > 0 {
		var c fileContext
		c.Context.Conventions = r.Conventions
		if err := encode(b, c); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any) error {
	e := yaml.NewEncoder(b)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(v), e.Close()); err != nil {
		return fmt.Errorf("write the settings: %w", err)
	}
	return nil
}

// renderIdle writes the gates that cannot run here as comments, each with the reason. They are
// gates once the comment signs are removed.
func (r Result) renderIdle(b *bytes.Buffer) error {
	for i, c := range r.Idle {
		if i == 0 && len(r.Gates) == 0 {
			b.WriteString("# gates:\n")
		}
		var gate bytes.Buffer
		if err := encode(&gate, []fileGate{{c.Name, c.Command, c.Fix}}); err != nil {
			return err
		}
		first, rest, _ := strings.Cut(gate.String(), "\n")
		fmt.Fprintf(b, "#   %s # %s\n", first, oneLine(c.Outcome.Why))
		for line := range strings.Lines(rest) {
			b.WriteString("#   " + line)
		}
	}
	return nil
}

// Err explains why no useful file can be written; nil if there is a test command.
func (r Result) Err() error {
	if len(r.Tests) > 0 && strings.TrimSpace(r.Tests[0].Command) != "" {
		return nil
	}
	what := "no tests were found in this repository"
	if len(r.Places) > 0 {
		var seen []string
		for _, p := range r.Places {
			seen = append(seen, p.Language+" ("+path.Join(p.Dir, p.From)+")")
		}
		what = "no command was found that runs tests, only " + strings.Join(unique(seen), ", ")
	}
	return fault.New(fault.Usage, "say how they run: `booty init --test-command 'make check'`", "%s", what)
}

// oneLine keeps foreign text on its line.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
