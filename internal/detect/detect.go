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

// Kind is what a command is for.
type Kind string

// The kinds of commands.
const (
	Setup Kind = "setup"
	Gate  Kind = "gate"
	Test  Kind = "test"
)

// Candidate is a command that is worth a trial.
type Candidate struct {
	Kind Kind
	// Name is a gate's; Language is "" where a command may run anything.
	Name, Language string
	// Dir is a slash path; Command is run from the root all the same.
	Dir, Command string
	// Build is what CI runs before it in the same job, "" where it builds by itself.
	Build string
	// Fix makes a gate pass, where there is such a command.
	Fix string
	// From says where it is named, Job in which of CI's jobs.
	From, Job string
	// Needs is what CI has and a machine may lack: services, secrets.
	Needs string
	// Rank is higher for what is tried first.
	Rank int

	key, plain string // plain is the command in Dir
	secret     bool
	variants   int  // in how many more rows of a matrix CI runs it, with other values
	setups     int  // how many commands of its job come before it to set it up
	odd        bool // its words are those of a special build
	own        bool // the user named it
	again      bool // another candidate, with the variables of CI's job
	// covers are folders below whose tests a convention's command runs too.
	covers func(dir string) bool
}

// Full is the command with its build.
func (c Candidate) Full() string {
	if c.Build == "" {
		return c.Command
	}
	return c.Build + " && " + c.Command
}

// Secret reports whether CI gives it secrets.
func (c Candidate) Secret() bool { return c.secret }

// Left is a command that was seen and not taken, with the reason.
type Left struct {
	Kind    Kind
	Command string
	Why     string
}

// Place is a folder with a tool chain.
type Place struct{ Dir, Language, From string }

// Found is what a repository offers.
type Found struct {
	Places []Place
	// Candidates are ranked: those of a kind that come first are tried first.
	Candidates []Candidate
	// Shown are lines of CI that hold what only CI can fill in.
	Shown []Left
	Notes []string
	// Conventions are files with the project's rules.
	Conventions []string
}

// Look gathers the candidates of a repository. Nothing is run.
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
	for _, name := range []string{"AGENTS.md", "CLAUDE.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md", "CONTRIBUTING.rst"} {
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
			f.Notes = append(f.Notes, fmt.Sprintf("other rows of CI's matrix run it with other values (%d): %s", c.variants, oneLine(c.Command)))
		}
	}
	f.Notes = unique(f.Notes)
	return f.Found
}

// WithTestCommand has the user's own test command in place of what was found.
func (f Found) WithTestCommand(command string) Found {
	f.Candidates = slices.DeleteFunc(slices.Clone(f.Candidates), func(c Candidate) bool { return c.Kind == Test })
	f.Candidates = append(f.Candidates, Candidate{Kind: Test, Dir: ".", Command: command, From: "--test-command", Rank: ciRank, own: true})
	return f
}

type finder struct {
	Found
	tree *tree
	seen map[string]int // kind and command, to the place among the candidates
}

// add keeps a candidate once, with its best rank.
func (f *finder) add(c Candidate) {
	id := string(c.Kind) + " " + c.Command
	if c.Kind == Setup {
		id += " " + c.Job // a job is set up by its own steps
	}
	if i, ok := f.seen[id]; ok {
		if old := &f.Candidates[i]; old.Rank < c.Rank || old.Rank == c.Rank && c.setups < old.setups && rowless(old.Job) == rowless(c.Job) {
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

// variantOf reports whether two commands are the same in two rows of a matrix, with other
// values. One is enough: of the same rank the last, which is the newest version.
func (c Candidate) variantOf(o Candidate) bool {
	return c.Kind == o.Kind && c.Kind != Setup && c.key != "" && c.Job != "" && c.Job != o.Job && rowless(c.Job) == rowless(o.Job) &&
		c.Dir == o.Dir && versionless(c.key) == versionless(o.key)
}

// unbuilt are languages whose test commands may need a build before; "" is any.
var unbuilt = []string{"", "c", "node", "shell", "perl"}

// job takes the commands of one of CI's jobs.
func (f *finder) job(j job) {
	var builds []string
	setups, tested := 0, false
	for _, l := range j.lines {
		if l.uses != "" {
			l.text = actionCommand(l)
		}
		if strings.HasPrefix(l.text, "cargo +") {
			words := strings.Fields(l.text)
			l.text, l.rank = strings.Join(append(words[:1], words[2:]...), " "), l.rank-25 // CI's choice of version
		}
		if l.text == "" || l.background {
			continue
		}
		if l.dir == "" || !f.tree.exists(l.dir) {
			continue // of another repository, or made by CI
		}
		s := f.tree.say(l.dir, l.text)
		if s.role == noRole {
			f.system(l.text)
			continue
		}
		if l.unread {
			if s.role != buildRole && s.role != setupRole {
				f.Shown = append(f.Shown, Left{kindOf(s.role), oneLine(l.text), j.file + " fills it in when it runs"})
			}
			continue
		}
		c := Candidate{Kind: kindOf(s.role), Name: cmp.Or(s.name, gateNames[s.role]), Language: s.language, Dir: l.dir, Command: InDir(l.dir, l.text), plain: l.text,
			From: j.file, Job: j.id(), Rank: l.rank - s.lower, key: s.key, secret: l.secret, setups: setups, Needs: strings.Join(j.needs, ", ")}
		if l.secret {
			c.Rank, c.Needs = c.Rank-60, strings.TrimPrefix(c.Needs+", secrets of CI", ", ")
		}
		if ofCI().MatchString(l.text) {
			c.Rank -= 30
		}
		if c.odd = variant().MatchString(s.key); c.odd || heavy().MatchString(s.key) && strings.HasPrefix(s.key, "script ") {
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
			if l.env != "" { // where it fails without what the job sets for all
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

// uses reports whether the repository has a project of the language: else CI installs a tool of
// its own with it.
func (f *finder) uses(language string) bool {
	return !slices.Contains([]string{"node", "python", "ruby", "php"}, language) ||
		slices.ContainsFunc(f.Places, func(p Place) bool { return p.Language == language })
}

// id tells a job from others, also of the same matrix: those are each other's variants.
func (j job) id() string { return fmt.Sprintf("%s: %s %d", j.file, j.name, j.row) }

// rowless is the id of a job without its row: rows of one matrix have the same.
func rowless(job string) string { return job[:strings.LastIndex(job, " ")+1] }

// passingSetup are installations of tools for all of a machine, which are not the
// repository's.
func passingSetup(text string) bool {
	return contains(text, "npm install -g", "npm i -g", "npm install --global", "codecov", "coveralls") || pipTools().MatchString(text)
}

// pipTools are runners and builders that are installed besides the project.
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

// system notes what a package manager of the system is to bring.
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
	// Some run a command that they are given: a retry, an emulator.
	for _, key := range []string{"command", "run", "script"} {
		if v := l.with[key]; v != "" && !strings.ContainsAny(v, "\n\x00") && !strings.Contains(v, "${{") {
			return v
		}
	}
	return ""
}

// targets adds those of the root's task files.
func (f *finder) targets() {
	for _, l := range f.tree.ownTasks() {
		if s := f.tree.say(l.dir, l.text); s.role != noRole && kindOf(s.role) != Setup {
			f.add(Candidate{Kind: kindOf(s.role), Name: cmp.Or(s.name, gateNames[s.role]), Language: s.language, Dir: l.dir, Command: l.text,
				plain: l.text, From: strings.Fields(l.text)[0], Rank: targetRank - s.lower, key: s.key})
		}
	}
}

// project adds what is usual for the tools of a folder.
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
		said := f.tree.say(p.Dir, command)
		f.add(Candidate{Kind: k, Name: name, Language: p.Language, Dir: p.Dir, Command: InDir(p.Dir, command), plain: command, Fix: fix,
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

// inDir runs a command in a folder as a part of a longer one.
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

// chain runs one after the other, until one fails.
func chain(commands []string) string {
	commands = unique(slices.Clone(commands))
	for i, c := range commands {
		if len(commands) > 1 && !strings.HasPrefix(c, "(") && (contains(c, "||", ";") || strings.HasPrefix(c, "cd ")) {
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

// quoted makes a text one word of the shell.
func quoted(s string) string {
	if q, err := syntax.Quote(s, syntax.LangPOSIX); err == nil {
		return q
	}
	return "''"
}
