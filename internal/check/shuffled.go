package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// orders are the flags by which runners run their tests in another order. starts
// are the words that their commands begin with.
var orders = []struct {
	starts [][]string
	flags  []string
	unless []string
	// can tells whether the runner in a folder knows them; nil where all do.
	can func(dir string) bool
}{
	{[][]string{{"go", "test"}}, []string{"-shuffle=on"}, []string{"-shuffle", "--shuffle", "-C", "--C", "-json", "-c", "-n"}, nil},
	{[][]string{{"vitest", "run"}, {"npx", "vitest", "run"}, {"yarn", "vitest", "run"}, {"pnpm", "vitest", "run"},
		{"pnpm", "exec", "vitest", "run"}, {"bunx", "vitest", "run"}}, []string{"--sequence.shuffle"}, []string{"--sequence.shuffle"}, nil},
	{[][]string{{"rspec"}, {"bundle", "exec", "rspec"}, {"bin/rspec"}}, []string{"--order", "random"}, []string{"--order", "--seed"}, nil},
	{[][]string{{"phpunit"}, {"vendor/bin/phpunit"}, {"./vendor/bin/phpunit"}}, []string{"--order-by=random"}, []string{"--order-by"}, nil},
	{[][]string{{"ctest"}}, []string{"--schedule-random"}, []string{"--schedule-random"}, nil},
	{[][]string{{"prove"}}, []string{"--shuffle"}, []string{"-s", "--shuffle", "--state"}, nil},
	// The files that were written last come first: in a new copy the other way round.
	{[][]string{{"pytest"}, {"py.test"}, {"python", "-m", "pytest"}, {"python3", "-m", "pytest"}, {"uv", "run", "pytest"},
		{"poetry", "run", "pytest"}, {"pipenv", "run", "pytest"}, {"hatch", "run", "pytest"}},
		[]string{"--nf"}, []string{"--nf", "--new-first", "--ff", "--failed-first", "--lf", "--last-failed", "-p"}, hasPytestCache},
	{inPackage("jest"), []string{"--randomize"}, []string{"--randomize", "--seed"}, randomizesJest},
}

// hasPytestCache tells a project that leaves pytest the part that knows the order.
func hasPytestCache(dir string) bool {
	for _, name := range []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", ".pytest.ini", "pytest.toml"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && strings.Contains(string(text), "no:cacheprovider") {
			return false
		}
	}
	return true
}

// randomizesJest tells an installed jest of 29.5 or later, which shuffles tests.
func randomizesJest(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", "jest", "package.json"))
	var p struct{ Version string }
	if err != nil || json.Unmarshal(text, &p) != nil {
		return false
	}
	parts := strings.SplitN(p.Version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, minorErr := strconv.Atoi(parts[1])
	return err == nil && minorErr == nil && (major > 29 || major == 29 && minor >= 5)
}

// shuffled gives a test command that runs its tests in another order, the command
// itself where its runner cannot or the command is not plain enough.
func shuffled(dir, command string) string {
	list, ok := words(command)
	if !ok {
		return command
	}
	var env []string
	for len(list) > 0 && assignment().MatchString(list[0]) {
		env, list = append(env, list[0]), list[1:]
	}
	out, ok := inOtherOrder(dir, list)
	if script, separator, is := packageScript(dir, list); is {
		built, can := inOtherOrder(dir, script)
		if ok = can && slices.Equal(built[:len(script)], script); ok { // the flags go behind
			out = slices.Concat(list, separator, built[len(script):])
		}
	}
	if !ok {
		return command
	}
	quoted, ok := quoteAll(slices.Concat(env, out))
	if !ok {
		return command
	}
	return quoted
}

// inOtherOrder puts the flags right behind the words that name the runner.
func inOtherOrder(dir string, list []string) ([]string, bool) {
	for _, o := range orders {
		for _, start := range o.starts {
			if len(list) < len(start) || !slices.Equal(list[:len(start)], start) || has(list, o.unless...) || o.can != nil && !o.can(dir) {
				continue
			}
			if len(list) == len(start) {
				return append(slices.Clone(list), o.flags...), true
			}
			return slices.Concat(start, o.flags, list[len(start):]), true
		}
	}
	return nil, false
}
