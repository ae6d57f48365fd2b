package detect

import (
	"bytes"
	"fmt"
	"path"
	"strings"
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
	Gates   []fileGate `yaml:"gates,omitempty"`
	Context *struct {
		Conventions []string `yaml:"conventions,flow"`
	} `yaml:"context,omitempty"`
}

type fileGate struct {
	Name    string `yaml:"name"`
	Command string `yaml:"command"`
	Fix     string `yaml:"fix_command,omitempty"`
}

// Render returns the result as a .booty.yml.
func Render(r Result) ([]byte, error) {
	f := file{Version: 1, Setup: r.SetupCommand, Rerun: r.Rerun}
	switch tests := r.TestCommands(); len(tests) {
	case 1:
		f.Test = tests[0]
	default:
		f.Test = tests
	}
	for _, g := range r.Gates {
		f.Gates = append(f.Gates, fileGate{g.Name, g.Command, g.Fix})
	}
	if len(r.Conventions) > 0 {
		f.Context = &struct {
			Conventions []string `yaml:"conventions,flow"`
		}{r.Conventions}
	}
	b := bytes.NewBufferString(header)
	e := yaml.NewEncoder(b)
	e.SetIndent(2)
	if err := e.Encode(f); err != nil {
		return nil, fmt.Errorf("write the settings: %w", err)
	}
	return b.Bytes(), e.Close()
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
