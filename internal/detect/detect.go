package detect

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"
)

// Kind is the purpose of a command.
type Kind string

// The kinds of commands.
const (
	Setup Kind = "setup"
	Gate  Kind = "gate"
	Test  Kind = "test"
)

// Candidate is a command worth a trial.
type Candidate struct {
	Kind Kind
	// Name is the name of a gate; Language is "" if the command may run anything.
	Name, Language string
	// Dir is a slash path; Command is run from the root nevertheless.
	Dir, Command string
	// Build is what CI runs before it in the same job, "" if it builds by itself.
	Build string
	// Fix is a command that makes a gate pass, if there is one.
	Fix string
	// From says where it is named, Job in which CI job.
	From, Job string
	// Needs is what CI has and a machine may lack: services, secrets.
	Needs string
	// Rank is higher for what is tried first.
	Rank int

	key, plain string // plain is the command in Dir
	secret     bool
	variants   int  // number of other matrix rows that run it with other values
	setups     int  // number of setup commands before it in its job
	odd        bool // it looks like a special build
	own        bool // named by the user
	again      bool // a copy of another candidate, with the variables of CI's job
	// covers reports folders below whose tests it also runs.
	covers func(dir string) bool
}

// Full returns the command with its build.
func (c Candidate) Full() string {
	if c.Build == "" {
		return c.Command
	}
	return c.Build + " && " + c.Command
}

// Secret reports whether CI gives it secrets.
func (c Candidate) Secret() bool { return c.secret }

// Again reports whether it is another candidate with the variables of CI's job.
func (c Candidate) Again() bool { return c.again }

// Left is a command that was not taken, with the reason.
type Left struct {
	Kind    Kind   `json:"kind"`
	Command string `json:"command"`
	Why     string `json:"why"`
}

// Place is a folder with a tool chain.
type Place struct {
	Dir      string `json:"dir"`
	Language string `json:"language"`
	From     string `json:"from"`
}

// Found is what a repository offers.
type Found struct {
	Places []Place
	// Candidates are sorted by rank within each kind.
	Candidates []Candidate
	// Shown are lines with values that only CI knows.
	Shown []Left
	Notes []string
	// Conventions are files with the project's rules.
	Conventions []string
}

// Look collects the candidates of a repository. It runs nothing.
func Look(fsys fs.FS) Found {
	t := scan(fsys)
	f := &finder{tree: t, seen: map[string]int{}}
	projects := conventions(t)
	for _, p := range projects {
		f.Places = append(f.Places, Place{p.Dir, p.Language, p.Why})
	}
	for _, j := range readCI(t) {
		f.job(j)
	}
	f.targets()
	for _, p := range projects {
		f.project(p)
	}
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md",
		"CONTRIBUTING.rst"} {
		if t.isFile(name) {
			f.Conventions = append(f.Conventions, name)
		}
	}
	if t.isFile(".gitmodules") {
		f.Notes = append(f.Notes, "the repository has submodules: git submodule update --init --recursive")
	}
	sort.SliceStable(f.Candidates, func(i, j int) bool { return f.Candidates[i].Rank > f.Candidates[j].Rank })
	for _, c := range f.Candidates {
		if c.variants > 0 && c.Kind == Test {
			f.Notes = append(f.Notes,
				fmt.Sprintf("other rows of CI's matrix run it with other values (%d): %s", c.variants,
					oneLine(c.Command)))
		}
	}
	f.Notes = unique(f.Notes)
	return f.Found
}

// WithTestCommand puts the user's own test command in place of the test candidates.
func (f Found) WithTestCommand(command string) Found {
	f.Candidates = slices.DeleteFunc(slices.Clone(f.Candidates),
		func(c Candidate) bool { return c.Kind == Test })
	f.Candidates = append(f.Candidates,
		Candidate{Kind: Test, Dir: ".", Command: command, From: "--test-command", Rank: ciRank, own: true})
	return f
}

type finder struct {
	Found
	tree *tree
	seen map[string]int // kind and command to index
}

// add keeps a candidate once, with its best rank.
func (f *finder) add(c Candidate) {
	id := string(c.Kind) + " " + c.Command
	if c.Kind == Setup {
		id += " " + c.Job // a job is set up by its own steps
	}
	if i, ok := f.seen[id]; ok {
		if old := &f.Candidates[i]; old.Rank < c.Rank ||
			old.Rank == c.Rank && c.setups < old.setups && rowless(old.Job) == rowless(c.Job) {
			fix := old.Fix
			*old = c
			if old.Fix == "" {
				old.Fix = fix
			}
		} else if old.Fix == "" {
			old.Fix = c.Fix
		}
		return
	}
	if i := slices.IndexFunc(f.Candidates, c.variantOf); i >= 0 {
		old := f.Candidates[i]
		if c.Rank < old.Rank {
			c = old
		}
		c.variants = old.variants + 1
		f.Candidates[i] = c
		return
	}
	f.seen[id] = len(f.Candidates)
	f.Candidates = append(f.Candidates, c)
	if own := f.tree.venv(c.Dir, c.plain); own != "" && c.Kind != Setup {
		c.Command, c.plain, c.Rank = InDir(c.Dir, own), "", c.Rank-1
		f.add(c)
	}
}

// variantOf reports whether two commands differ only in matrix values. One is enough: of
// the same rank the last, which is the newest version.
func (c Candidate) variantOf(o Candidate) bool {
	return c.Kind == o.Kind && c.Kind != Setup && c.key != "" && c.Job != "" && c.Job != o.Job &&
		rowless(c.Job) == rowless(o.Job) &&
		c.Dir == o.Dir && versionless(c.key) == versionless(o.key)
}

// unbuilt are languages whose test commands may need a build first; "" is any.
var unbuilt = []string{"", "c", "node", "shell", "perl"}

// job adds the commands of a CI job.
func (f *finder) job(j job) {
	var builds []string
	setups, tested := 0, false
	for _, l := range j.lines {
		if l.uses != "" {
			l.text = actionCommand(l)
		}
		if strings.HasPrefix(l.text, "cargo +") {
			words := strings.Fields(l.text)
			// CI's choice of version
			l.text, l.rank = strings.Join(append(words[:1], words[2:]...), " "), l.rank-25
		}
		if l.text == "" || l.background {
			continue
		}
		if l.dir == "" || !f.tree.exists(l.dir) {
			continue // of another repository, or created by CI
		}
		s := f.tree.purposeOf(l.dir, l.text)
		if s.role == noRole {
			f.system(l.text)
			continue
		}
		if l.unread {
			if s.role != buildRole && s.role != setupRole {
				f.Shown = append(f.Shown,
					Left{kindOf(s.role), oneLine(l.text), j.file + " fills it in when it runs"})
			}
			continue
		}
		c := Candidate{Kind: kindOf(s.role), Name: cmp.Or(s.name, gateNames[s.role]), Language: s.language,
			Dir: l.dir, Command: InDir(l.dir, l.text), plain: l.text,
			From: j.file, Job: j.id(), Rank: l.rank - s.lower, key: s.key, secret: l.secret, setups: setups,
			Needs: strings.Join(j.needs, ", ")}
		if l.secret {
			c.Rank, c.Needs = c.Rank-60, strings.TrimPrefix(c.Needs+", secrets of CI", ", ")
		}
		if ofCI().MatchString(l.text) {
			c.Rank -= 30
		}
		if c.odd = variant().MatchString(s.key); c.odd ||
			heavy().MatchString(s.key) && strings.HasPrefix(s.key, "script ") {
			c.Rank -= 40
		}
		switch s.role {
		case setupRole:
			if !tested && !passingSetup(l.text) && f.uses(s.language) {
				f.add(c)
				setups++
			}
		case buildRole:
			builds = append(builds, inDir(l.dir, l.text))
		case testRole:
			tested = true
			if slices.Contains(unbuilt, s.language) {
				c.Build = chain(builds)
			}
			f.add(c)
			if l.env != "" { // in case it needs the variables of the job
				c.plain, c.Rank, c.again = l.env+c.plain, c.Rank-1, true
				c.Command = InDir(l.dir, c.plain)
				f.add(c)
			}
		default:
			c.Build = chain(builds)
			f.add(c)
		}
	}
}

// uses reports whether the repository has a project in the language. Otherwise CI only
// installs a tool with it.
func (f *finder) uses(language string) bool {
	return !slices.Contains([]string{"node", "python", "ruby", "php"}, language) ||
		slices.ContainsFunc(f.Places, func(p Place) bool { return p.Language == language })
}

// id identifies a job, including its matrix row.
func (j job) id() string { return fmt.Sprintf("%s: %s %d", j.file, j.name, j.row) }

// rowless is the id of a job without its matrix row.
func rowless(job string) string { return job[:strings.LastIndex(job, " ")+1] }

// passingSetup matches installations for the whole machine, which are not the repository's
// setup.
func passingSetup(text string) bool {
	return contains(text, "npm install -g", "npm i -g", "npm install --global", "codecov", "coveralls") ||
		pipTools().MatchString(text)
}

// pipTools matches runners and builders that are installed in addition to the project.
var pipTools = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`pip\d? install(?: -\S+)*(?: ['"]?(?:tox|nox|hatch|poetry|pipenv|uv|pdm|coverage|pre-commit|build|wheel|setuptools|pip)(?:[-\w]*|[=<>~\[].*)['"]?)+$`)
})

func kindOf(r role) Kind {
	switch r {
	case setupRole, buildRole:
		return Setup
	case testRole:
		return Test
	}
	return Gate
}

// system records packages to be installed by the system's package manager.
func (f *finder) system(text string) {
	words := strings.Fields(text)
	if len(words) < 3 || !slices.Contains([]string{"apt-get", "apt", "apk", "dnf", "yum"}, words[0]) ||
		!slices.ContainsFunc(words[1:], func(s string) bool { return s == "install" || s == "add" }) {
		return
	}
	var names []string
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && w != "install" && w != "add" && !strings.Contains(w, "$") {
			names = append(names, w)
		}
	}
	if len(names) > 0 && len(f.Notes) < 8 {
		f.Notes = append(f.Notes, "CI installs system packages: "+oneLine(strings.Join(names, " ")))
	}
}

func actionCommand(l ciLine) string {
	name, _, _ := strings.Cut(l.uses, "@")
	if command, ok := actions[name]; ok {
		for k, v := range l.with {
			command = strings.ReplaceAll(command, "{"+k+"}", v)
		}
		if strings.Contains(command, "{") {
			return ""
		}
		return strings.TrimSpace(command)
	}
	// Some actions run a given command: a retry, an emulator.
	for _, key := range []string{"command", "run", "script"} {
		if v := l.with[key]; v != "" && !strings.ContainsAny(v, "\n\x00") && !strings.Contains(v, "${{") {
			return v
		}
	}
	return ""
}

// targets adds the targets of the root's task files.
func (f *finder) targets() {
	for _, l := range f.tree.ownTasks() {
		if s := f.tree.purposeOf(l.dir, l.text); s.role != noRole && kindOf(s.role) != Setup {
			f.add(Candidate{Kind: kindOf(s.role), Name: cmp.Or(s.name, gateNames[s.role]),
				Language: s.language, Dir: l.dir, Command: l.text,
				plain: l.text, From: strings.Fields(l.text)[0], Rank: targetRank - s.lower, key: s.key})
		}
	}
}

// project adds the usual commands for the tools of a folder.
func (f *finder) project(p Project) {
	rank := conventionRank
	if p.own {
		rank = targetRank + 5
	}
	if p.Dir != "." {
		rank -= 5
	}
	add := func(k Kind, name, command, fix string, rank int) {
		if command == "" {
			return
		}
		if fix != "" {
			fix = InDir(p.Dir, fix)
		}
		said := f.tree.purposeOf(p.Dir, command)
		f.add(Candidate{Kind: k, Name: name, Language: p.Language, Dir: p.Dir, Command: InDir(p.Dir, command),
			plain: command, Fix: fix,
			From: path.Join(p.Dir, p.Why), Rank: rank, key: said.key, covers: p.covers})
	}
	add(Setup, "", p.Setup, "", conventionRank)
	for i, test := range p.Tests {
		add(Test, "", test, "", rank-20*min(i, 1))
	}
	for _, g := range p.Gates {
		add(Gate, g.Name, g.Command, g.FixCommand, conventionRank)
	}
}

func below(parent, dir string) bool {
	return parent != dir && (parent == "." || strings.HasPrefix(dir, parent+"/"))
}

// inDir runs a command in a folder as part of a longer one.
func inDir(dir, command string) string {
	if dir == "." {
		return command
	}
	return "(" + InDir(dir, command) + ")"
}

// InDir runs a command in a folder, a slash path.
func InDir(dir, command string) string {
	if dir == "." || dir == "" {
		return command
	}
	return "cd " + quoted(dir) + " && " + command
}

// chain runs commands one after the other until one fails.
func chain(commands []string) string {
	commands = unique(slices.Clone(commands))
	for i, c := range commands {
		if len(commands) > 1 && !strings.HasPrefix(c, "(") &&
			(contains(c, "||", ";") || strings.HasPrefix(c, "cd ")) {
			commands[i] = "(" + c + ")"
		}
	}
	return strings.Join(commands, " && ")
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

// quoted quotes a text as one shell word.
func quoted(s string) string {
	if q, err := syntax.Quote(s, syntax.LangPOSIX); err == nil {
		return q
	}
	return "''"
}
