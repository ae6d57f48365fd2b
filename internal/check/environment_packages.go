package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// missingModule is how interpreters name a package that is not there; a path of
// the project's own begins with a dot or a slash.
var missingModule = sync.OnceValue(func() map[string]*regexp.Regexp {
	return map[string]*regexp.Regexp{
		"node":   regexp.MustCompile(`Cannot find (?:module|package) '((?:@[\w.-]+/)?\w[\w.-]*)`),
		"python": regexp.MustCompile(`No module named '?(\w+)`),
		"ruby":   regexp.MustCompile(`cannot load such file -- (\w[\w-]*)`),
	}
})

// missing says that a failed step may lack a package or a tool: setup may fix it.
func missing(res Result) bool {
	for _, re := range missingModule() {
		if re.MatchString(res.Tail) {
			return true
		}
	}
	return res.Environment != "" && (strings.Contains(res.Environment, "not installed") ||
		strings.Contains(res.Environment, "could not be downloaded"))
}

// testTools are Python modules that only a test command asks for.
var testTools = []string{"pytest", "nose", "nose2", "tox", "nox", "hypothesis", "coverage", "xdist"}

// notInstalled says so where a package is missing that the project's manifest
// asks for: what the code alone asks for may as well be a mistake in it.
func (r *Runner) notInstalled(text string) Fault {
	if r.c.Dir == "" {
		return Fault{}
	}
	for language, re := range missingModule() {
		m := re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		switch language {
		case "node":
			if wantedByNode(r.c.Dir, m[1]) {
				return Fault{"the package " + m[1] + ", which package.json asks for, is not installed: " + m[1] +
					" is missing", "run npm install, or set setup_command"}
			}
		case "python":
			if slices.Contains(testTools, m[1]) || wantedInText(r.c.Dir, m[1], "requirements*.txt",
				"requirements/*.txt", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "tox.ini") {
				return Fault{"the Python module " + m[1] + " is not installed",
					"install the project's requirements, or set setup_command"}
			}
		case "ruby":
			if wantedInText(r.c.Dir, m[1], "Gemfile", "*.gemspec") {
				return Fault{"the Ruby gem " + m[1] + " is not installed", "run bundle install, or set setup_command"}
			}
		}
	}
	return Fault{}
}

// wantedByNode says whether package.json asks for a package.
func wantedByNode(dir, name string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return false
	}
	var wanted struct{ Dependencies, DevDependencies map[string]any }
	return json.Unmarshal(data, &wanted) == nil &&
		(wanted.Dependencies[name] != nil || wanted.DevDependencies[name] != nil)
}

// wantedInText looks for a package's name in manifests. A module of the
// project's own is none.
func wantedInText(dir, name string, manifests ...string) bool {
	for _, own := range []string{name, name + ".py", "src/" + name, "lib/" + name, "lib/" + name + ".rb"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(own))); err == nil {
			return false
		}
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(name), "_", "[-_.]")
	re, err := regexp.Compile(`(?im)(?:^|[\s"'\[,=])` + pattern + `(?:$|[\s"'\],;~<>=!\[])`)
	if err != nil {
		return false
	}
	for _, m := range manifests {
		files, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(m)))
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && re.Match(data) {
				return true
			}
		}
	}
	return false
}
