package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/regular"
)

// interpreter is how one names a package that is not there; a path of the project's own
// begins with a dot or a slash.
type interpreter struct {
	says      *regexp.Regexp
	what      string   // it is that is missing
	manifests []string // ask for packages
	// tools are packages that only a test command asks for.
	tools string
	hint  string
}

var interpreters = sync.OnceValue(func() []interpreter {
	return []interpreter{
		{says: regexp.MustCompile(`Cannot find (?:module|package) '((?:@[\w.-]+/)?\w[\w.-]*)`), what: "package",
			manifests: []string{"package.json"}, hint: "run npm install, or set setup_command"},
		{says: regexp.MustCompile(`No module named '?(\w+)`), what: "Python module",
			manifests: []string{"requirements*.txt", "requirements/*.txt", "pyproject.toml", "setup.cfg", "setup.py", "Pipfile", "tox.ini"},
			tools:     " pytest nose nose2 tox nox hypothesis coverage xdist ", hint: "install the project's requirements, or set setup_command"},
		{says: regexp.MustCompile(`cannot load such file -- (\w[\w-]*)`), what: "Ruby gem",
			manifests: []string{"Gemfile", "*.gemspec"}, hint: "run bundle install, or set setup_command"},
	}
})

// missing says that a failed step may lack a package or a tool: setup may fix it.
func missing(res Result) bool {
	for _, i := range interpreters() {
		if i.says.MatchString(res.Tail) {
			return true
		}
	}
	return strings.Contains(res.Environment, "not installed") ||
		strings.Contains(res.Environment, "could not be downloaded")
}

// lacksTool reports whether a program that a failed step starts is not installed.
func lacksTool(res Result) bool {
	return res.End == NotStarted || strings.HasSuffix(res.Environment, "is not installed")
}

// notInstalled says so where a package is missing that the project's manifest
// asks for: what the code alone asks for may as well be a mistake in it.
func (r *Runner) notInstalled(text string) Fault {
	if r.c.Dir == "" {
		return Fault{}
	}
	for _, i := range interpreters() {
		if m := i.says.FindStringSubmatch(text); m != nil &&
			(strings.Contains(i.tools, " "+m[1]+" ") || wanted(r.c.Dir, m[1], i.manifests)) {
			return Fault{"the " + i.what + " " + m[1] + " is not installed", i.hint}
		}
	}
	return Fault{}
}

// wanted looks for a package's name in manifests. A module of the project's own is none.
func wanted(dir, name string, manifests []string) bool {
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
			if data, err := regular.Read(f, regular.MaxSize); err == nil && re.Match(data) {
				return true
			}
		}
	}
	return false
}
