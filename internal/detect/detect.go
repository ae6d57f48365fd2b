package detect

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/booty-cli/booty/internal/detect/ci"
	"github.com/booty-cli/booty/internal/fault"
)

// Gate is one quality gate; FixCommand may be empty.
type Gate struct {
	Name       string
	Command    string
	FixCommand string
}

// Project is one folder with one tool chain.
type Project struct {
	// Dir is a slash path, "." for the root.
	Dir      string
	Language string
	// Tool is what runs the tests, as a person calls it.
	Tool string
	// Why names the file that told.
	Why   string
	Setup string
	// Test is the command of convention; Tests are those of the repository's
	// own, if it names any.
	Test  string
	Tests []string
	Gates []Gate
	// Notes say what a person should know or decide.
	Notes []string

	// more are other commands of the project's that look like tests.
	more      []string
	confirmed map[string]bool // gates that CI runs
	fromClaim bool            // CI alone knows of it

	// covers says whether Test runs the tests of the project in a folder below
	// too; nil covers none.
	covers func(dir string) bool
}

// Result is what was found. The commands run from the repository's root.
type Result struct {
	Projects     []Project
	SetupCommand string
	TestCommands []string
	Gates        []Gate
	Notes        []string
	// What was seen and not taken.
	Left      []Left
	SetupLeft []Left
	GatesLeft []LeftGate
}

// maxProjects bounds a joined command to what a person would still read.
const maxProjects = 12

// detector looks at one folder; it gives no project where it finds none.
type detector struct {
	language string
	look     func(d *dir) *Project
}

// detectors are asked for every folder, in this order.
var detectors = []detector{
	{"go", lookGo},
	{"rust", lookRust},
	{"node", lookNode},
	{"deno", lookDeno},
	{"python", lookPython},
	{"java", lookMaven},
	{"java", lookGradle},
	{"ruby", lookRuby},
	{"php", lookPHP},
	{"elixir", lookElixir},
	{"dotnet", lookDotnet},
	{"swift", lookSwift},
	{"c", lookC},
	{"other", lookOther},
	{"shell", lookBats},
}

// Detect looks at a repository: what it says of itself, then what is usual.
func Detect(fsys fs.FS, m Machine) Result {
	t := scan(fsys)
	r := byConvention(t)
	looks := 2000
	w := witness{tree: t, book: phrases(), left: &looks}
	runs := ci.Read(fsys)
	if claims := w.claims(runs); slices.ContainsFunc(claims, func(c claim) bool { return c.role == testRole }) {
		r.heed(t, claims, true)
		if slices.ContainsFunc(runs, func(run ci.Run) bool { return run.Submodules }) {
			r.Notes = append(r.Notes, "CI checks out submodules: git submodule update --init --recursive")
		}
	} else {
		r.heed(t, w.claims(guides(t)), false)
		r.tellTarget(t.root())
	}
	r.leaveMore()
	if m != nil {
		r.fit(t, m)
	}
	r.join()
	return r
}

func byConvention(t *tree) Result {
	var r Result
	for _, d := range t.dirs {
		for _, det := range detectors {
			if r.covered(det.language, d.path) {
				continue
			}
			p := det.look(d)
			if p == nil || p.Test == "" && len(p.Gates) == 0 && len(p.Notes) == 0 {
				continue
			}
			p.Dir = d.path
			if p.Language == "" {
				p.Language = det.language
			}
			r.Projects = append(r.Projects, *p)
		}
	}
	r.Projects = withoutTools(r.Projects)
	if root := t.root(); root != nil {
		r.testTarget(root)
		r.lintTarget(root)
	}
	return r
}

// covered says whether a project above runs the tests of a folder.
func (r *Result) covered(language, dir string) bool {
	for _, p := range r.Projects {
		same := p.Language == language || p.Language == "kotlin" && language == "java" ||
			p.Language == "c++" && language == "c"
		if same && p.Test != "" && p.covers != nil && below(p.Dir, dir) && p.covers(dir) {
			return true
		}
	}
	return false
}

func below(parent, dir string) bool {
	return parent != dir && (parent == "." || strings.HasPrefix(dir, parent+"/"))
}

func everything(string) bool { return true }

// withoutTools drops projects that have neither tests nor a reason to be told
// of once others have tests: a package.json that is there for a hook only.
func withoutTools(ps []Project) []Project {
	tests := slices.ContainsFunc(ps, func(p Project) bool { return p.Test != "" })
	return slices.DeleteFunc(ps, func(p Project) bool { return tests && p.Test == "" && len(p.Gates) == 0 })
}

// testTarget looks for a test target of make, just or task: the answer where
// nothing else was found.
func (r *Result) testTarget(d *dir) {
	runner, command, file := target(d, "test", "tests", "check")
	if command == "" {
		return
	}
	if !slices.ContainsFunc(r.Projects, func(p Project) bool { return p.Test != "" }) {
		r.Projects = append(r.Projects, Project{Dir: ".", Language: runner, Tool: command, Why: file, Test: command})
	}
}

// tellTarget speaks of a test target where something else was found.
func (r *Result) tellTarget(d *dir) {
	if d == nil {
		return
	}
	_, command, file := target(d, "test", "tests", "check")
	if command == "" || slices.ContainsFunc(r.Projects,
		func(p Project) bool { return p.Test == command || p.Why == file && p.Dir == "." }) {
		return
	}
	r.Notes = append(r.Notes, fmt.Sprintf("%s has a test target of its own: `%s`", file, command))
}

// lintTarget makes a gate of a lint target where no linter was found.
func (r *Result) lintTarget(d *dir) {
	runner, command, file := target(d, "lint")
	linted := slices.ContainsFunc(r.Projects, func(p Project) bool {
		return slices.ContainsFunc(p.Gates, func(g Gate) bool { return g.Name == "lint" })
	})
	if command == "" || linted {
		return
	}
	gate := Gate{Name: "lint", Command: command}
	if i := slices.IndexFunc(r.Projects, func(p Project) bool { return p.Dir == "." && p.Test != "" }); i >= 0 {
		r.Projects[i].Gates = append(r.Projects[i].Gates, gate)
		return
	}
	r.Projects = append(r.Projects, Project{Dir: ".", Language: runner, Tool: command, Why: file, Gates: []Gate{gate}})
}

// join makes one command of each kind from those of all projects: folders
// first, the root last.
func (r *Result) join() {
	ordered := slices.Clone(r.Projects)
	sort.SliceStable(ordered, func(i, j int) bool {
		a, b := ordered[i].Dir, ordered[j].Dir
		if (a == ".") != (b == ".") {
			return b == "."
		}
		return a < b
	})
	if len(ordered) > maxProjects {
		r.Notes = append(r.Notes, fmt.Sprintf("%d projects were found; only %d are in the commands",
			len(ordered), maxProjects))
		// The root comes last and must not be the one left out.
		ordered = ordered[len(ordered)-maxProjects:]
	}
	var tests, setups []string
	names := map[string]int{}
	for _, p := range ordered {
		for _, test := range p.commands() {
			tests = append(tests, alone(p.Dir, test))
		}
		if p.Setup != "" {
			setups = append(setups, inDir(p.Dir, p.Setup))
		}
		for _, g := range p.Gates {
			r.addGate(p.Dir, g, names)
		}
		for _, n := range p.Notes {
			r.Notes = append(r.Notes, place(p.Dir)+n)
		}
	}
	r.TestCommands = unique(tests)
	r.SetupCommand = chain(setups)
}

// commands are what runs the project's tests.
func (p *Project) commands() []string {
	switch {
	case len(p.Tests) > 0:
		return p.Tests
	case p.Test != "":
		return []string{p.Test}
	}
	return nil
}

// leaveMore tells of scripts that look like tests and are in no command.
func (r *Result) leaveMore() {
	for _, p := range r.Projects {
		for _, command := range p.more {
			name := command[strings.LastIndex(command, " ")+1:]
			if !slices.ContainsFunc(p.commands(), func(c string) bool { return mentions(c, name) }) {
				r.leave(p.Dir, command, "a script of package.json that none of the commands runs")
			}
		}
	}
}

func (r *Result) addGate(dir string, g Gate, names map[string]int) {
	if dir != "." {
		g.Name = path.Base(dir) + "-" + g.Name
		g.Command = inDirAlone(dir, g.Command)
		if g.FixCommand != "" {
			g.FixCommand = inDirAlone(dir, g.FixCommand)
		}
	}
	names[g.Name]++
	if n := names[g.Name]; n > 1 {
		g.Name = fmt.Sprintf("%s-%d", g.Name, n)
	}
	r.Gates = append(r.Gates, g)
}

// inDir runs a command in a folder as a part of a longer one.
func inDir(dir, command string) string {
	if dir == "." {
		return command
	}
	return "(" + inDirAlone(dir, command) + ")"
}

// chain runs one after the other, until one fails.
func chain(commands []string) string {
	commands = unique(commands)
	for i, c := range commands {
		if len(commands) > 1 && !strings.HasPrefix(c, "(") && contains(c, "||", ";") {
			commands[i] = "(" + c + ")"
		}
	}
	return strings.Join(commands, " && ")
}

func inDirAlone(dir, command string) string { return "cd " + shellQuote(dir) + " && " + command }

func place(dir string) string {
	if dir == "." {
		return ""
	}
	return dir + ": "
}

func unique(list []string) []string {
	var out []string
	for _, s := range list {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// shellQuote leaves plain words as they are.
func shellQuote(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-/+@", r)
	}
	// A leading dash would be read as an option.
	if s != "" && s[0] != '-' && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	if s != "" && s[0] == '-' {
		s = "./" + s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// WithTestCommand is the result with the user's own command in place of what
// was found.
func (r Result) WithTestCommand(command string) Result {
	r.TestCommands, r.Left = []string{command}, nil
	return r
}

// Err says why no useful file can be written; nil where there is a test command.
func (r Result) Err() error {
	if slices.ContainsFunc(r.TestCommands, func(c string) bool { return strings.TrimSpace(c) != "" }) {
		return nil
	}
	what := "no tests were found in this repository"
	if len(r.Projects) > 0 {
		var seen []string
		for _, p := range r.Projects {
			seen = append(seen, p.Language+" ("+path.Join(p.Dir, p.Why)+")")
		}
		what = "no way to run tests was found, only " + strings.Join(unique(seen), ", ")
	}
	return fault.New(fault.Usage, "say how they run: `booty init --test-command 'make check'`", "%s", what)
}
