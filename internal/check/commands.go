package check

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/shellword"
)

// The words that the commands of known runners begin with.
var (
	goCommands     = [][]string{{"go", "test"}}
	cargoCommands  = [][]string{{"cargo", "test"}}
	nodeCommands   = [][]string{{"node", "--test"}}
	jestCommands   = inPackage("jest")
	vitestCommands = inPackage("vitest", "run")
	rspecCommands  = [][]string{{"rspec"}, {"bundle", "exec", "rspec"}, {"bin/rspec"}}
	pytestCommands = [][]string{{"pytest"}, {"py.test"}, {"python", "-m", "pytest"}, {"python3", "-m", "pytest"},
		{"uv", "run", "pytest"}, {"poetry", "run", "pytest"}, {"pipenv", "run", "pytest"}, {"hatch", "run", "pytest"}}
	phpunitCommands = [][]string{{"phpunit"}, {"vendor/bin/phpunit"}, {"./vendor/bin/phpunit"}}
)

// inPackage are the ways to call a program of a package's own.
func inPackage(words ...string) [][]string {
	starts := [][]string{words}
	for _, by := range [][]string{{"npx"}, {"yarn"}, {"pnpm"}, {"pnpm", "exec"}, {"bunx"}} {
		starts = append(starts, slices.Concat(by, words))
	}
	return starts
}

// begins is how many words of a command are one of starts, 0 if it begins with none.
func begins(list []string, starts [][]string) int {
	for _, start := range starts {
		if len(list) >= len(start) && slices.Equal(list[:len(start)], start) {
			return len(start)
		}
	}
	return 0
}

// rewritten changes the words of a test command; false if that is impossible or the command is not
// plain enough. If a package's script names the runner (npm test), added words go to the end. Only
// this function quotes the words.
func rewritten(dir, command string, change func(list []string) ([]string, bool)) (string, bool) {
	list, ok := shellword.Split(command)
	if !ok {
		return "", false
	}
	var env []string
	for len(list) > 0 && assignment().MatchString(list[0]) {
		env, list = append(env, list[0]), list[1:]
	}
	script, separator, is := packageScript(dir, list)
	if !is {
		built, ok := change(list)
		if !ok {
			return "", false
		}
		return quoteAll(slices.Concat(env, built))
	}
	built, ok := change(script)
	if !ok || len(built) <= len(script) || !slices.Equal(built[:len(script)], script) {
		return "", false
	}
	return quoteAll(slices.Concat(env, list, separator, built[len(script):]))
}

var assignment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`) })

func quoteAll(list []string) (string, bool) {
	quoted := make([]string, len(list))
	for i, w := range list {
		var ok bool
		if quoted[i], ok = shellword.Quote(w); !ok {
			return "", false
		}
	}
	return strings.Join(quoted, " "), true
}

// packageScript finds what "npm test" and its like run.
func packageScript(dir string, list []string) (script, separator []string, ok bool) {
	var name string
	switch {
	case slices.Equal(list, []string{"npm", "test"}), slices.Equal(list, []string{"npm", "t"}):
		name, separator = "test", []string{"--"}
	case len(list) == 3 && list[0] == "npm" && list[1] == "run":
		name, separator = list[2], []string{"--"}
	case len(list) == 3 && (list[0] == "yarn" || list[0] == "pnpm") && list[1] == "run":
		name = list[2]
	case slices.Equal(list, []string{"yarn", "test"}), slices.Equal(list, []string{"pnpm", "test"}):
		name = "test"
	default:
		return nil, nil, false
	}
	raw, err := regular.Read(filepath.Join(dir, "package.json"), regular.MaxSize)
	if err != nil {
		return nil, nil, true // it is npm, and nothing can be derived
	}
	var p struct{ Scripts map[string]string }
	if json.Unmarshal(raw, &p) != nil {
		return nil, nil, true
	}
	script, _ = shellword.Split(p.Scripts[name])
	return script, separator, true
}
