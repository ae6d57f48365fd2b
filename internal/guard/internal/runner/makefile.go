package runner

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// isIncluded tells a file that a make file beside it, or at the root, includes.
func (r *Rules) isIncluded(p string) bool {
	for _, dir := range []string{path.Dir(p), "."} {
		for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
			text, err := r.ReadFile(path.Join(dir, name))
			if err != nil {
				continue
			}
			for _, line := range parseMake(string(text)).other {
				words := strings.Fields(line)
				if len(words) < 2 || !strings.HasSuffix(words[0], "include") {
					continue
				}
				if slices.ContainsFunc(words[1:],
					func(w string) bool { return path.Join(dir, w) == path.Clean(p) }) {
					return true
				}
			}
		}
	}
	return false
}

// A make file starts tests by some of its targets. Those, what they run and the
// variables in it must stay; other targets are free.

type makeRules struct {
	rules map[string][]string // target: prerequisites and recipe
	vars  map[string][]string
	other []string // includes, conditions, exports
}

var (
	makeRule = pattern.Lazy(`^([^\s:=#][^:=#]*?)\s*::?\s*([^=].*|)$`)
	makeVar  = pattern.Lazy(`^\s*(?:override\s+|export\s+|private\s+|` +
		`unexport\s+)*([\w.-]+)\s*(?::|::|:::|\?|\+|!)?=\s*(.*)$`)
	conditionWord = pattern.Lazy(`^(ifn?eq|ifn?def|else|endif)\b`)
	makeRef       = pattern.Lazy(`\$[({]([\w.-]+)[)}]|\{\{\s*(\w+)\s*\}\}`)
	testTarget    = pattern.Lazy(`(?i)(^|[^a-z])(tests?|check|checks|spec|specs|verify|ci|validate|` +
		`unit|integration|e2e|coverage|cover|bats|pytest|ctest|gotest|jest|rspec)([^a-z]|$)|` +
		`^run.?tests?|tests?$`)
	sourceWord = pattern.Lazy(`^(\$[({][\w.:=%]+[)}]/?)?[\w./*%-]+\.(c|cc|cpp|cxx|h|hpp|o|obj|a|so|s|` +
		`asm|f|f90|rs|go|d|m|mm)$|^-(l|L|I|std=|W|O|g|f|D_|pthread|m)\S*$`)
)

// Variables that change how every recipe runs.
var makeGlobals = map[string]bool{"SHELL": true, ".SHELLFLAGS": true, "MAKEFLAGS": true,
	"GNUMAKEFLAGS": true, "PATH": true, "GOFLAGS": true, "PYTEST_ADDOPTS": true, "PYTHONPATH": true,
	"NODE_OPTIONS": true, "NODE_PATH": true, "RUSTFLAGS": true, "BASH_ENV": true, "ENV": true,
	"RUBYOPT": true, "MAVEN_OPTS": true, "LD_PRELOAD": true, "DYLD_INSERT_LIBRARIES": true,
	"PYTHONSTARTUP": true, "JAVA_TOOL_OPTIONS": true, ".DEFAULT_GOAL": true, ".RECIPEPREFIX": true,
	"GTEST_FILTER": true, "VPATH": true, "MAKE": true, "CARGO": true,
	"PYTHONOPTIMIZE": true, "PYTHONHOME": true, "PYTEST_PLUGINS": true, "RUBYLIB": true,
	"RUSTC_WRAPPER": true, "RUSTC": true, "GOENV": true, "CTEST_ARGS": true, "GTEST_TOTAL_SHARDS": true,
	"XFAIL_TESTS": true, "TESTS_ENVIRONMENT": true, "AM_TESTS_ENVIRONMENT": true, "LOG_COMPILER": true,
	"LOG_DRIVER": true, "DISABLE_HARD_ERRORS": true}

func parseMake(text string) makeRules {
	m := makeRules{rules: map[string][]string{}, vars: map[string][]string{}}
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")
	var targets []string
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		indented := line != "" && (line[0] == '\t' || line[0] == ' ')
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case indented && len(targets) > 0:
			for _, t := range targets {
				m.rules[t] = append(m.rules[t], trimmed)
			}
		case makeVar().MatchString(line) && !strings.Contains(strings.SplitN(line, "=", 2)[0], ": "):
			targets = nil
			v := makeVar().FindStringSubmatch(line)
			m.vars[v[1]] = append(m.vars[v[1]], trimmed)
		case makeRule().MatchString(line) && !isDirective(trimmed):
			r := makeRule().FindStringSubmatch(line)
			targets = strings.Fields(r[1])
			for _, t := range targets {
				m.rules[t] = append(m.rules[t], ": "+strings.Join(strings.Fields(r[2]), " "))
			}
		default:
			if !conditionWord().MatchString(trimmed) { // a recipe goes on behind a condition
				targets = nil
			}
			m.other = append(m.other, strings.Join(strings.Fields(trimmed), " "))
		}
	}
	return m
}

// namedTarget begins a rule whose target is the value of a variable.
var namedTarget = pattern.Lazy(`^\$\([\w.-]+\)[\w.%/-]*\s*:([^=]|$)`)

func isDirective(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	switch word {
	case "include", "-include", "sinclude", "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "define",
		"endef", "export", "unexport", "vpath", "load", "undefine", "import", "mod", "set":
		return true
	}
	return strings.HasPrefix(line, "$(") && !namedTarget().MatchString(line)
}

// makeParts are the parts of a make file that concern tests, by what they are.
type makeParts map[string][]string

// phony begins the name of the part that says that a target is no file; its lines
// are the target's recipe.
const phony = "phony "

func isPrerequisites(line string) bool { return strings.HasPrefix(line, ": ") }

// extends tells whether the old parts all stand, and no more is new than that targets
// with a recipe are said to be no files: they are then made every time.
func (before makeParts) extends(after makeParts) bool {
	for name, lines := range after {
		old, stood := before[name]
		if stood && !slices.Equal(old, lines) || !stood && (!strings.HasPrefix(name, phony) || len(lines) == 0) {
			return false
		}
	}
	for name := range before {
		if _, stands := after[name]; !stands {
			return false
		}
	}
	return true
}

// ofDocuments is the name of a folder of documents.
var ofDocuments = pattern.Lazy(`^(docs?|documentation)$`)

// makeFile is the part of a make file that concerns tests.
func makeFile(r *Rules, p, text, _ string) any {
	m := parseMake(text)
	if dir := path.Base(path.Dir(p)); ofDocuments().MatchString(dir) && !strings.Contains(r.Checks(), dir) {
		delete(m.rules, "%") // all that it hands on is made of documents
	}
	out := m.targets(r)
	for _, line := range m.rules[".PHONY"] {
		for _, t := range strings.Fields(strings.TrimPrefix(line, ": ")) {
			if r.startsTests(t) {
				out[phony+t] = slices.DeleteFunc(slices.Clone(m.rules[t]), isPrerequisites)
			}
		}
	}
	for name, lines := range m.vars {
		if makeGlobals[name] {
			out["variable "+name] = lines
		}
		for _, line := range lines {
			if strings.Contains(line, "NDEBUG") || strings.Contains(line, "--ignore-errors") {
				out["no asserts "+name] = append(out["no asserts "+name], line)
			}
		}
	}
	testless := len(out) == 0 && !r.runsTool("just") &&
		!slices.ContainsFunc(m.other, justMore().MatchString)
	for _, line := range m.other {
		if onlyTells().MatchString(line) || erlangTerm().MatchString(line) || testless && justSetting().MatchString(line) {
			continue
		}
		if !strings.HasPrefix(line, "if") && !strings.HasPrefix(line, "else") && line != "endif" {
			out["other"] = append(out["other"], line)
		}
	}
	return makeParts(out)
}

// onlyTells is a line that prints a text.
var onlyTells = pattern.Lazy(`^\$\((warning|info)\s([^$]|\$\(\w+\))*\)$`)

// erlangTerm is what a package of Erlang says of itself to a registry, in a definition.
var erlangTerm = pattern.Lazy(`^<<"[^"$]*">>\s*=>\s*<<"[^"$]*">>,?$`)

// justMore brings in recipes from elsewhere.
var justMore = pattern.Lazy(`^(import|mod)\b`)

// justSetting says how the recipes of just in the same file run, or are listed.
var justSetting = pattern.Lazy(`^(set\s+[\w-]+(\s*:=.*)?|\[[\w-]+\])$`)

// startsTests tells a target by which tests are started.
func (r *Rules) startsTests(target string) bool {
	return testTarget().MatchString(target) || r.isTestTarget(target)
}

// special are targets that change how all others are made.
var special = map[string]bool{".DEFAULT": true, ".IGNORE": true, ".ONESHELL": true, "%": true,
	"Makefile": true, "makefile": true}

// isWanted tells a target whose rule must stay. One that a variable names counts as
// what the variable says, and stays where that cannot be told.
func (m makeRules) isWanted(r *Rules, target string) bool {
	if strings.Contains(target, "$(") {
		names, plain := m.expand(target)
		return !plain && !m.isPrefixed(r, target) || slices.ContainsFunc(names, r.startsTests)
	}
	if special[target] || r.isTestTarget(target) {
		return true
	}
	return testTarget().MatchString(target) && !looksAtPackage().MatchString(target) &&
		(strings.Contains(target, "%") || !sourceWord().MatchString(target))
}

// looksAtPackage is a target that looks at what is published, and runs no test.
var looksAtPackage = pattern.Lazy(`^(check|verify|validate)[-_](manifest|pyproject|[sb]?dist|wheels?|distribution|release|` +
	`packag(e|ing)|licen[sc]es?|links|spelling|changelog|version|stack|deps|dependencies|updates)$|^test[-_]pypi$`)

var (
	// oneVariable is the value of a variable as a whole, prefixed the names that all begin alike.
	oneVariable = pattern.Lazy(`^\$\(([\w-]+)\)$`)
	prefixed    = pattern.Lazy(`^[\w-]+\s*:?:?=\s*\$\(addprefix\s+([\w.-]*[-_.]),\s*\$\(([\w-]+)\)\)\s*$`)
)

// isPrefixed tells targets that a variable names and that all begin with a word which begins none
// of tests.
func (m makeRules) isPrefixed(r *Rules, target string) bool {
	name := oneVariable().FindStringSubmatch(target)
	if name == nil || len(m.vars[name[1]]) != 1 {
		return false
	}
	value := prefixed().FindStringSubmatch(m.vars[name[1]][0])
	if value == nil || r.startsTests(value[1]) {
		return false
	}
	for other := range m.rules {
		if strings.HasPrefix(other, value[1]) && r.startsTests(other) {
			return false
		}
	}
	return !slices.ContainsFunc(m.vars[value[2]], func(line string) bool {
		_, names, _ := strings.Cut(line, "=")
		return strings.Contains(names, "$") || slices.ContainsFunc(strings.Fields(names), r.startsTests)
	})
}

// ofRelease is the name of a variable that holds which release of something is used.
var ofRelease = pattern.Lazy(`(?i)(^|_)version$`)

// expand gives the targets that a name with variables in it stands for, where each of
// those is set to plain words: once, or more often where it is the only one.
func (m makeRules) expand(target string) (names []string, plain bool) {
	refs := makeRef().FindAllStringSubmatch(target, -1)
	for _, ref := range refs {
		lines := m.vars[ref[1]]
		if len(lines) == 0 || len(lines) > 1 && len(refs) > 1 {
			return nil, false
		}
		values := ""
		for _, line := range lines {
			_, value, _ := strings.Cut(line, "=")
			values += " " + value
		}
		if strings.Contains(values, "$") && ofRelease().MatchString(ref[1]) {
			values = "0"
		}
		target = strings.ReplaceAll(target, ref[0], strings.TrimSpace(values))
	}
	return strings.Fields(target), !strings.Contains(target, "$")
}

// targets are the rules that start tests, those that they need, and the variables
// in them.
func (m makeRules) targets(r *Rules) map[string][]string {
	out := map[string][]string{}
	var wanted []string
	for t := range m.rules {
		if m.isWanted(r, t) {
			wanted = append(wanted, t)
		}
	}
	for seen := map[string]bool{}; len(wanted) > 0; {
		t := wanted[0]
		wanted = wanted[1:]
		if seen[t] {
			continue
		}
		seen[t] = true
		for _, line := range m.rules[t] {
			out["target "+t] = append(out["target "+t], line)
			for _, ref := range makeRef().FindAllStringSubmatch(line, -1) {
				name := ref[1] + ref[2]
				if kept := withoutSources(m.vars[name]); len(kept) > 0 {
					out["variable "+name] = kept
				}
			}
			needs, _ := strings.CutPrefix(line, ": ")
			for _, pre := range strings.Fields(needs) {
				if needs != line && testTarget().MatchString(pre) && m.rules[pre] != nil {
					wanted = append(wanted, pre)
				}
			}
		}
	}
	return out
}

// withoutSources leaves out of variables the words that only name sources and
// compiler flags: a new source file must be able to join a test program.
func withoutSources(lines []string) []string {
	var out []string
	for _, line := range lines {
		name, value, _ := strings.Cut(line, "=")
		words := []string{strings.TrimSpace(name)}
		for _, w := range strings.Fields(value) {
			if !sourceWord().MatchString(w) {
				words = append(words, w)
			}
		}
		if len(words) > 1 { // else it says nothing of tests
			out = append(out, strings.Join(words, " "))
		}
	}
	return out
}

// isTarget tells a file that make would take for a target of tests, and so for
// work that is done.
func (r *Rules) isTarget(s checkout.Step) bool {
	base := path.Base(s.Path)
	if s.Existed || !s.Stays || path.Ext(base) != "" || !testTarget().MatchString(base) &&
		!r.isTestTarget(base) {
		return false
	}
	for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
		text, err := r.ReadFile(path.Join(path.Dir(s.Path), name))
		if err == nil && parseMake(string(text)).rules[base] != nil {
			return true
		}
	}
	return false
}

// isTestTarget tells a target that a check asks make for.
func (r *Rules) isTestTarget(target string) bool {
	for _, c := range r.Commands {
		words := strings.FieldsFunc(c, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()", r) })
		for i, w := range words {
			if tool := path.Base(w); tool == "make" || tool == "gmake" || tool == "just" {
				if slices.Contains(words[i+1:], target) {
					return true
				}
			}
		}
	}
	return false
}

// shadowsMake tells a make file that make would read instead of the one it reads.
func (r *Rules) shadowsMake(s checkout.Step) string {
	order := []string{"GNUmakefile", "makefile", "Makefile"}
	if s.Existed || !s.Stays {
		return ""
	}
	for i, name := range order {
		if !strings.EqualFold(path.Base(s.Path), name) {
			continue
		}
		for _, other := range order[i:] {
			p := path.Join(path.Dir(s.Path), other)
			if kind, err := r.Kind(p); err == nil && kind == checkout.File && p != s.Path {
				return "make would read this file instead of " + other + "."
			}
		}
	}
	return ""
}
