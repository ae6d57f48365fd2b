package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// role is what a command is for.
type role int

const (
	noRole role = iota
	testRole
	buildRole
	setupRole
	lintRole
	formatRole
	typeRole
)

var gateNames = map[role]string{lintRole: "lint", formatRole: "format", typeRole: "typecheck"}

// saying says what a command is for. The pattern is matched with the command
// without its variables and without what merely starts it (see core); its
// groups tell commands apart that are both to be run.
type saying struct {
	role    role
	pattern string
}

// language is what a detector knows of its tool chain's commands. An action is
// the name of somebody's GitHub action with the command that it stands for;
// {key} is what it was given.
type language struct {
	name    string
	sayings []saying
	actions map[string]string
	// whole says that a project's own command builds and tests by itself, so
	// that CI's is only a sign that it is run, not the command.
	whole bool
	// adapt makes the project's commands of CI's; none: convention's stays.
	adapt func(p *Project, best []claim) []claim
}

// languages are asked in this order; the scripts of package.json, make targets
// and scripts of the repository's own are asked for before them.
func languages() []language {
	return []language{
		goCommands, rustCommands, denoCommands, nodeCommands, pythonCommands, jvmCommands, rubyCommands, phpCommands,
		elixirCommands, dotnetCommands, swiftCommands, nativeCommands, shellCommands, otherCommands,
	}
}

// reader of commands: the patterns, compiled once for a look.
type phrasebook struct {
	languages []language
	patterns  [][]*regexp.Regexp
}

var phrases = sync.OnceValue(func() *phrasebook {
	p := &phrasebook{languages: languages()}
	for _, l := range p.languages {
		var compiled []*regexp.Regexp
		for _, s := range l.sayings {
			compiled = append(compiled, regexp.MustCompile(`^(?:`+s.pattern+`)`))
		}
		p.patterns = append(p.patterns, compiled)
	}
	return p
})

// said is what one command says.
type said struct {
	language string
	role     role
	// identity is the same for two commands of which one is enough.
	identity string
}

func (p *phrasebook) read(text string) said {
	text = core(text)
	for i, l := range p.languages {
		for j, s := range l.sayings {
			if m := p.patterns[i][j].FindStringSubmatch(text); m != nil {
				return said{l.name, s.role, strings.Join(append([]string{l.name, string(rune('a' + j))}, m[1:]...), " ")}
			}
		}
	}
	return said{}
}

func (p *phrasebook) language(name string) language {
	for _, l := range p.languages {
		if l.name == name {
			return l
		}
	}
	return language{}
}

// starters come before a command and do not change what it is.
var starters = [][]string{
	{"uv", "run"}, {"poetry", "run"}, {"pdm", "run"}, {"pipenv", "run"}, {"rye", "run"}, {"hatch", "run"},
	{"pipx", "run"}, {"uvx"},
	{"bundle", "exec"}, {"npx"}, {"bunx"}, {"pnpm", "exec"}, {"pnpm", "dlx"}, {"npm", "exec"}, {"yarn", "exec"},
	{"yarn", "dlx"},
	{"mise", "exec"}, {"nyc"}, {"c8"}, {"php"}, {"coverage", "run", "-m"}, {"opam", "exec"},
}

// valued are options of starters that take the next word.
var valued = map[string]bool{
	"--group": true, "--extra": true, "--with": true, "--python": true, "-p": true, "-E": true, "--package": true,
	"--only-group": true,
	"--env-file":   true, "--directory": true, "--no-group": true, "-d": true, "--reporter": true,
}

// core is a command without variables before it and without what starts it.
func core(text string) string {
	words := strings.Fields(text)
	for again := true; again && len(words) > 0; {
		again = false
		for len(words) > 1 && variable().MatchString(words[0]) {
			words, again = words[1:], true
		}
		for _, s := range starters {
			if len(words) > len(s) && slices.Equal(words[:len(s)], s) {
				words, again = afterOptions(words[len(s):]), true
				break
			}
		}
	}
	if len(words) > 0 && toolFolder().MatchString(words[0]) {
		words[0] = path.Base(words[0])
	}
	return strings.Join(words, " ")
}

func afterOptions(words []string) []string {
	for len(words) > 1 && strings.HasPrefix(words[0], "-") {
		n := 1
		if valued[words[0]] && len(words) > 2 {
			n = 2
		}
		words = words[n:]
	}
	return words
}

var (
	variable = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*=`) })
	// toolFolder is where package managers put the programs they bring.
	toolFolder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|/)(vendor/bin|node_modules/\.bin|\.?venv/bin)/[^/]+$`)
	})
)
