package detect

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// purpose is what a command does, after the scripts and targets that it names are resolved.
type purpose struct {
	role     role
	language string // "" if it may be any
	// key is the same for two commands of which one is enough.
	key string
	// name is that of its script or target.
	name string
	// lower is subtracted from its rank.
	lower int
}

// purposeOf resolves a command: as a script of package.json, a task, a target, a program of
// the repository, or by known words.
func (t *tree) purposeOf(dir, text string) purpose {
	list := strings.Fields(coreCommand(text))
	if len(list) == 0 {
		return purpose{}
	}
	plain := strings.Fields(unassigned(text))
	for _, look := range []func(dir string, list []string) (purpose, bool){t.packageScript, t.target,
		t.program} {
		for _, l := range [][]string{plain, list} {
			if s, ok := look(dir, l); ok {
				return s
			}
		}
	}
	if slices.ContainsFunc(list,
		func(w string) bool { return w == "--version" || w == "-V" || w == "--help" }) {
		return purpose{}
	}
	language, r := read(text)
	return purpose{role: r, language: language, key: essence(list)}
}

// noise matches flags that change how tests run and are shown, not which.
var noise = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:-v+|-q+|-x|-race|-short|-count=?\d*|-p=?\d*|-j=?\d*|-n=?\w*|-cover\S*|--cov\S*|--coverage\S*|--verbose|--quiet|--release|--locked|--color\S*|--no-fail-fast|--junit\S*|-timeout\S*|--durations\S*|--reporter\S*|-r[aA]|--ci|--tb\S*|-B|--batch-mode|--no-transfer-progress|--info|--stacktrace|--strict\S*|-W\S*|--all-targets|\+\S+)$`)
})

// versionless returns a command without the versions selected in it.
func versionless(command string) string { return versions().ReplaceAllString(command, "=N") }

var versions = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`=\d[\d.]*\b`) })

// essence returns a command without noise.
func essence(list []string) string {
	words := slices.DeleteFunc(slices.Clone(list), func(w string) bool { return noise().MatchString(w) })
	return strings.Join(words, " ")
}

// packageScript parses npm, pnpm, yarn and bun calls of a script.
func (t *tree) packageScript(dir string, list []string) (purpose, bool) {
	c, ok := scriptCall(list)
	if !ok {
		return purpose{}, false
	}
	home := path.Join(dir, c.dir)
	var m manifest
	if json.Unmarshal([]byte(t.text(path.Join(home, "package.json"))), &m) != nil {
		return purpose{}, false
	}
	body := m.script(c.name)
	if body == "" && !c.each {
		return purpose{}, false
	}
	s := purpose{role: scriptRole(c.name, body), language: "node", name: gateName(c.name),
		key: strings.Join([]string{"script", home, c.name, c.filter}, " ")}
	if s.role == testRole && (placeholder(body) && !c.each || watchesOnly(body)) {
		s.role = noRole
	}
	if m.onlyFixes(c.name) {
		s.role = noRole
	}
	if ofCI().MatchString(body) {
		s.lower = 30
	}
	return s, true
}

// gateName turns the name of a script into that of a gate.
func gateName(script string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, script)
}

type calledScript struct {
	name, dir, filter string
	each              bool
}

// scriptCall splits a call: options, filters, run, the script's name.
func scriptCall(list []string) (c calledScript, ok bool) {
	if !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, list[0]) {
		return c, false
	}
	run := false
	rest := list[1:]
	for len(rest) > 0 {
		word, value := rest[0], ""
		if len(rest) > 1 {
			value = rest[1]
		}
		name, inline, joined := strings.Cut(word, "=")
		take := func() string {
			if joined {
				return inline
			}
			rest = rest[min(1, len(rest)-1):]
			return value
		}
		switch {
		case slices.Contains([]string{"--prefix", "-C", "--dir", "--cwd"}, name):
			c.dir = take()
		case slices.Contains([]string{"--filter", "-F", "-w", "--workspace", "workspace"}, name):
			c.filter, c.each = take(), true
		case slices.Contains([]string{"-r", "--recursive", "--workspaces", "-ws"}, word):
			c.each, c.filter = true, "each"
		case strings.HasPrefix(word, "-"):
		case word == "run" || word == "run-script":
			run = true
		case list[0] == "bun" && !run: // bun test is bun's own runner
			return c, false
		default:
			c.name = word
			if word == "t" && list[0] == "npm" {
				c.name = "test"
			}
			return c, true
		}
		rest = rest[min(1, len(rest)):]
	}
	return c, false
}

// taskFiles are the files with targets, by the command that runs one.
var taskFiles = map[string][]string{
	"make": makefiles, "gmake": makefiles, "just": {"justfile", "Justfile", ".justfile"},
	"task": {"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"},
	"mise": {"mise.toml", ".mise.toml"}, "deno": {"deno.json", "deno.jsonc"},
}

var makefiles = []string{"GNUmakefile", "makefile", "Makefile"}

// target parses make, just, task, mise and deno.
func (t *tree) target(dir string, list []string) (purpose, bool) {
	files, ok := taskFiles[list[0]]
	rest := list[1:]
	if (list[0] == "deno" || list[0] == "mise") &&
		(len(rest) == 0 || rest[0] != "task" && rest[0] != "run") || !ok {
		return purpose{}, false
	}
	if list[0] == "deno" || list[0] == "mise" {
		rest = rest[1:]
	}
	var names []string
	for i := 0; i < len(rest); i++ {
		switch w := rest[i]; {
		case (w == "-C" || w == "--directory" || w == "--cwd" || w == "-d") && i+1 < len(rest):
			i++
			dir = path.Join(dir, rest[i])
		case (w == "-f" || w == "-j" || w == "-o") && i+1 < len(rest) &&
			(w != "-j" || strings.Trim(rest[i+1], "0123456789") == ""):
			i++
		case strings.HasPrefix(w, "-") || strings.Contains(w, "=") || strings.ContainsAny(w, "$\"'("):
		default:
			names = append(names, w)
		}
	}
	if len(names) == 0 && testFolder().MatchString(dir) {
		return purpose{role: testRole, language: "c",
			key: strings.Join([]string{"script", list[0], dir}, " ")}, true
	}
	if len(names) == 0 || names[0] == "all" {
		return purpose{role: buildRole}, true
	}
	text := ""
	for _, f := range files {
		text += t.text(path.Join(dir, f))
	}
	if text == "" && !slices.ContainsFunc(
		[]string{"configure.ac", "configure", "Makefile.am", "Makefile.PL", "CMakeLists.txt"},
		func(file string) bool { return t.exists(path.Join(dir, file)) }) {
		return purpose{}, true // nothing that creates the file is there
	}
	s := purpose{key: strings.Join(append([]string{"script", list[0], dir}, names...), " ")}
	for _, name := range names {
		recipe := recipeOf(list[0], text, name)
		r := scriptRole(name, recipe+" test")
		// installs the product or its dependencies
		if name == "install" || name == "develop" || name == "venv" {
			for _, l := range readScript(recipe, dir, makeVariables(text)) {
				if _, what := read(l.text); what == setupRole {
					r = setupRole
				}
			}
		}
		if r == noRole || s.role == testRole {
			continue
		}
		s.role, s.name = r, gateName(name)
		if strings.HasPrefix(name, "ci") {
			s.lower += 10
		}
		if ofCI().MatchString(recipe) {
			s.lower += 30
		}
		for _, l := range readScript(recipe, dir, makeVariables(text)) {
			language, r := read(l.text)
			if c, ok := scriptCall(strings.Fields(coreCommand(l.text))); ok {
				language, r = "node", scriptRole(c.name, "test")
			}
			if r == s.role && s.language == "" {
				s.language = language
			}
		}
	}
	if list[0] == "deno" {
		s.language = "deno"
	}
	if s.language == "" &&
		(t.exists(path.Join(dir, "configure.ac")) || t.exists(path.Join(dir, "Makefile.am"))) {
		s.language = "c"
	}
	return s, true
}

// recipeOf returns the lines of a target, as far as they are plain.
func recipeOf(runner, text, name string) string {
	var b strings.Builder
	in, depth := false, 0
	for l := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		indent := len(l) - len(strings.TrimLeft(l, " \t"))
		head, rest, isHead := strings.Cut(strings.TrimSpace(l), ":")
		named := slices.Contains(strings.Fields(strings.Trim(head, `"'@`)), name) &&
			!strings.HasPrefix(rest, "=")
		switch {
		case strings.TrimSpace(l) == "":
		case isHead && named && !in:
			in, depth = true, indent
			if runner == "deno" {
				b.WriteString(rest)
			}
		case in && indent > depth:
			b.WriteString(strings.TrimLeft(l, " \t@-+"))
		case in && !strings.HasPrefix(l, "#"):
			in = false
		}
	}
	return b.String()
}

func makeVariables(text string) map[string]string {
	out := map[string]string{}
	for _, m := range makeVariable().FindAllStringSubmatch(text, -1) {
		out[m[1]] = strings.TrimSpace(m[2])
	}
	return out
}

var makeVariable = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:export )?([A-Za-z_]\w*)[ \t]*[:?]?:?=[ \t]*([^\n$]*)$`)
})

// program recognizes a program of the repository by its name.
func (t *tree) program(dir string, list []string) (purpose, bool) {
	by := false // a shell's argument needs no folder before it
	for len(list) > 1 && slices.Contains([]string{"sh", "bash", "tclsh", "perl"}, list[0]) &&
		!strings.HasPrefix(list[1], "-") {
		list, by = list[1:], true
	}
	file := path.Join(dir, list[0])
	if !strings.Contains(list[0], "/") && !by || !t.isFile(file) {
		return purpose{}, false
	}
	if language, r := read(strings.Join(list, " ")); r != noRole {
		return purpose{role: r, language: language, key: essence(list)}, true
	}
	body, base := t.text(file), strings.ToLower(path.Base(file))
	base = strings.TrimSuffix(base, path.Ext(base))
	s := purpose{role: scriptRole(strings.NewReplacer("run-", "", "run_", "", "all-", "", "all_",
		"").Replace(base), body), key: essence(list)}
	switch {
	case strings.Contains(base, "shellcheck"):
		s.role = lintRole
	case strings.HasPrefix(base, "install") || strings.HasPrefix(base, "bootstrap") ||
		strings.HasPrefix(base, "setup"):
		s.role = setupRole
	case s.role == noRole && testsRun().MatchString(file):
		s.role = testRole
	case s.role == noRole && (strings.HasPrefix(base, "runtest") || strings.HasPrefix(base, "test") ||
		strings.HasSuffix(base, "test")):
		s.role = testRole
	}
	if forCI().MatchString(file) || asRoot().MatchString(body) || ofCI().MatchString(body) {
		s.lower = 60 // made for CI's machines
	}
	for _, l := range readScript(body, dir, nil) {
		if language, r := read(l.text); r == s.role && r != noRole && s.language == "" {
			s.language = language
		}
	}
	return s, s.role != noRole
}

var (
	// testFolder matches a folder whose default target runs the tests.
	testFolder = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|/)tests?$`) })
	// testsRun matches a script that runs the tests from their own folder.
	testsRun = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|/)tests?/run`) })
	forCI    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\.[\w-]+|ci|\w+/ci)/`)
	})
	// asRoot matches a script made for a container.
	asRoot = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:sudo )?(?:apk add|apt-get install|apt install|yum install|dnf install)`)
	})
)

// ownTasks returns the test and lint targets in the root's task files.
func (t *tree) ownTasks() []line {
	var out []line
	root := t.root()
	for _, runner := range []string{"make", "just", "task"} {
		file := root.has(taskFiles[runner]...)
		if file == "" {
			continue
		}
		text := root.text(file)
		for _, name := range []string{"test", "tests", "check", "lint"} {
			pattern := `(?m)^(?:  )?["'@]?` + name + `["']?\b[^\n:=]*:(?:[^=]|$)`
			if runner == "just" {
				pattern = `(?m)^@?` + name + `\b[^\n:]*:(?:[^=]|$)`
			}
			if regexp.MustCompile(pattern).MatchString(text) {
				out = append(out, line{dir: ".", text: runner + " " + name})
			}
		}
	}
	return out
}
