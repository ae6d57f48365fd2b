package guard

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
)

// interpreters run the file that is their first operand.
var interpreters = map[string]bool{
	"sh": true, "bash": true, "dash": true, "zsh": true, "ksh": true, "node": true, "nodejs": true,
	"deno": true, "bun": true, "tsx": true, "ts-node": true,
	"python": true, "python3": true, "python2": true, "py": true, "ruby": true, "perl": true, "php": true,
	"lua": true, "elixir": true, "pwsh": true,
	"powershell": true, "source": true, ".": true, "exec": true, "env": true, "time": true, "nice": true,
	"timeout": true, "xvfb-run": true, "command": true,
	"nohup": true, "sudo": true, "run": true, "Rscript": true, "julia": true, "expect": true,
}

// configFlags are followed by a file that configures the runner.
var configFlags = map[string]bool{
	"--config": true, "-c": true, "--rcfile": true, "--config-file": true, "--configuration": true,
	"--settings": true, "--require": true, "-r": true, "--import": true,
	"--setup-files": true, "--rootdir": true, "--bootstrap": true, "--loader": true, "--file": true,
	"-f": true, "--makefile": true, "--init-script": true,
	"--project": true, "--config-path": true, "--node-arg": true, "--env-file": true, "-p": true,
}

// scriptsOf finds, by key, the scripts that commands name and those that these name, two
// levels deep. Files that a command merely passes along (sources to a compiler) are
// excluded, and so are scripts that do not look like a part of the checks: a test script
// calls the product.
func scriptsOf(commands []string, t checkout.Tree) map[string]bool {
	found := map[string]bool{}
	scanScripts(commands, t, found, 2, func(string) bool { return true })
	return found
}

// checkWords occur in the names or folders of scripts that serve checks.
var checkWords = []string{"test", "spec", "check", "lint", "verify", "ci", "bats", "harness", "runner",
	"suite", "tap", "assert"}

// servesChecks reports whether a file's path mentions tests or checks.
func servesChecks(p string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(p),
		func(r rune) bool { return strings.ContainsRune("/._- ", r) }) {
		for _, w := range checkWords {
			if part == w || part == w+"s" || len(w) > 3 && strings.Contains(part, w) {
				return true
			}
		}
	}
	return false
}

func scanScripts(
	commands []string, t checkout.Tree, found map[string]bool, depth int, want func(string) bool,
) {
	for _, p := range scriptWords(strings.Join(commands, "\n")) {
		p = path.Clean(strings.TrimPrefix(p, "./"))
		if found[p] || paths.Check(p) != nil || !want(p) {
			continue
		}
		kind, err := t.Kind(p)
		if err != nil || kind == checkout.Dir || kind == checkout.Absent && path.Ext(p) == "" {
			continue
		}
		found[p] = true
		if kind != checkout.File || depth == 0 {
			continue
		}
		if ext := path.Ext(p); ext != "" && ext != ".sh" && ext != ".bash" {
			continue
		}
		if text, err := t.ReadFile(p); err == nil && len(text) < 1<<20 {
			scanScripts([]string{string(text)}, t, found, depth-1, servesChecks)
		}
	}
}

// scriptWords returns the words of shell text that are a program, an interpreter's script,
// or follow a flag for a configuration.
func scriptWords(text string) []string {
	var out []string
	for _, line := range strings.FieldsFunc(text,
		func(r rune) bool { return strings.ContainsRune("\n;|&()`{}", r) }) {
		program, flag := true, false
		for _, word := range strings.Fields(line) {
			word = strings.Trim(word, `"'`)
			name, value, assigned := strings.Cut(word, "=")
			switch {
			case strings.HasPrefix(word, "#"):
				goto next
			case assigned && configFlags[name]:
				out = append(out, value)
			case flag && !strings.HasPrefix(word, "-"):
				if strings.ContainsAny(word, "./") {
					out = append(out, word)
				}
				flag = false
			case strings.HasPrefix(word, "-"):
				flag = configFlags[word]
			case assigned && program && !strings.Contains(name, "/"): // VAR=value before the program
			case program && (interpreters[path.Base(word)] || shellWords[word] || isNumber(word)):
			case program:
				if strings.ContainsAny(word, "./") {
					out = append(out, word)
				}
				program = false
			}
		}
	next:
	}
	return out
}

var shellWords = map[string]bool{"if": true, "then": true, "else": true, "elif": true, "do": true,
	"while": true, "until": true, "!": true, "exec": true, "set": true}

func isNumber(s string) bool { return strings.Trim(s, "0123456789smh.") == "" }
