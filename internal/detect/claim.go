package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/detect/ci"
)

// claim is a command that the repository itself says is run, and for what.
type claim struct {
	said
	dir, text string
	// from is the file that says so; sign is set where the command itself is
	// only for CI, and says no more than that such tests are run.
	from string
	sign bool
	// builds come before it in the same job.
	builds []build
	// packages and services are what the job brings of the system; servers are
	// programs that it leaves running.
	packages, services, servers []string
	// run is which job said so; by is the command that runs it inside.
	run int
	by  string
	// narrow runs a part of the suite; odd is of a job out of the ordinary.
	narrow, odd bool
	score       int
}

type build struct {
	said
	dir, text string
}

// witness reads commands in the light of the repository's own scripts.
type witness struct {
	tree  *tree
	book  *phrasebook
	depth int  // of scripts within scripts
	left  *int // looks at scripts; those that call each other end
}

// claims gives what runs say, in their order.
func (w witness) claims(runs []ci.Run) []claim {
	var out []claim
	for at, run := range runs {
		var builds []build
		var packages, servers []string
		odd := oddJob().MatchString(path.Base(run.File) + " " + run.Job)
		for _, step := range run.Steps {
			text := step.Text
			if step.Uses != "" {
				text = w.action(step)
			}
			text = w.brought(step.Dir, text)
			packages = append(packages, systemPackages(text)...)
			if step.Background {
				servers = append(servers, text)
				continue
			}
			for _, s := range w.say(step.Dir, text) {
				switch s.role {
				case noRole:
				case buildRole, setupRole:
					builds = append(builds, build{s.said, step.Dir, text})
				}
				if s.role == noRole || s.role == buildRole {
					continue
				}
				c := claim{said: s.said, dir: step.Dir, text: text, from: run.File, sign: s.sign, services: run.Services}
				if s.text != "" {
					c.text = s.text
				}
				if s.at != "" {
					c.dir = s.at
				}
				if c.dir == "" && w.book.language(c.language).whole {
					c.dir, c.sign = ".", true // in a folder made for the build
				}
				if c.dir == "" || asksOnly().MatchString(text) && c.role != testRole {
					continue
				}
				c.run, c.by = at, s.by
				c.builds, c.packages, c.servers = slices.Clone(builds), slices.Clone(packages), slices.Clone(servers)
				c.weigh(w.tree)
				c.odd = odd
				out = append(out, c)
			}
		}
	}
	return out
}

// asksOnly are commands that change files or only print.
var asksOnly = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\s(?:--version|--help|--fix|--write|-[Vh])(?:\s|$)`)
})

// brought takes a well-known program that CI puts into the checkout for the
// one that is installed here.
func (w witness) brought(dir, text string) string {
	first, rest, _ := strings.Cut(text, " ")
	if name := path.Base(first); name != first && sources[name] != "" && !w.tree.isFile(path.Join(dir, first)) {
		return strings.TrimSpace(name + " " + rest)
	}
	return text
}

// oddJob is one that tests something out of the ordinary.
var oddJob = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)nightly|minim|\bmin|msrv|32|saniti|asan|tsan|valgrind|coverage|windows|macos|bench|release|publish|external|downstream|daily|weekly|fuzz`)
})

var (
	narrowing = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s(?:-run|-k|--filter|-F|--grep|-p|--package|-pl|--projects|--exclude|` +
			`--no-default-features|-Dtest|--only|--bench|-bench|--lib|--bin|--test|--ignored|--skip|--target|` +
			`--group|--testsuite|--match|-w)(?:[\s=]|$)|\s--workspace=|\sworkspace [\w@]|\s-m ["']|\+nightly|--manifest-path`)
	})
	widening = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\s(?:--workspace|--all|--all-features|--features|-tags|--tags|--recursive|-r)\b`)
	})
)

// weigh gives the less the more of the suite a command seems to run, and the
// plainer it is.
func (c *claim) weigh(t *tree) {
	plain := strings.ReplaceAll(core(c.text), "--workspace ", "--all ")
	own, _, _ := strings.Cut(plain, " -- ") // behind it stands what the runner's runner is told
	n := len(narrowing().FindAllString(own, -1))
	before := ""
	for _, word := range strings.Fields(plain)[1:] {
		name := before == "-s" || before == "-e" || before == "--session" // of a session, though a folder is called so too
		before = word
		switch {
		case name:
		case strings.HasPrefix(word, "-"):
			c.score++
		case strings.Contains(word, "::"):
			n++
		case c.language != "shell" && strings.Trim(word, "./") != "" && !scripty(c.language) && t.exists(path.Join(c.dir, strings.TrimSuffix(word, "/..."))):
			n++
		}
	}
	c.narrow = n > 0
	c.score += 6*n - 4*len(widening().FindAllString(c.text, -1))
	if variable().MatchString(c.text) {
		c.score += 2
	}
}

// scripty are languages whose commands name a file to say what is run.
func scripty(language string) bool {
	return language == "script" || language == "make" || language == "node"
}

// action gives the command that an action stands for.
func (w witness) action(step ci.Step) string {
	name, _, _ := strings.Cut(step.Uses, "@")
	for _, l := range w.book.languages {
		if command, ok := l.actions[name]; ok {
			for _, m := range placeholderWord().FindAllString(command, -1) {
				command = strings.ReplaceAll(command, m, step.With[strings.Trim(m, "{}")])
			}
			return strings.TrimSpace(command)
		}
	}
	// Some run a command that they are given: a retry, an emulator.
	for _, key := range []string{"command", "run", "script"} {
		if v := step.With[key]; v != "" && !strings.ContainsAny(v, "\n\x00") {
			return v
		}
	}
	return ""
}

var placeholderWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{\w+\}`) })

// systemPackages gives what apt, apk or dnf are to bring.
func systemPackages(text string) []string {
	words := strings.Fields(text)
	if len(words) < 3 || !slices.Contains([]string{"apt-get", "apt", "apk", "dnf", "yum"}, words[0]) ||
		!slices.ContainsFunc(words[1:], func(s string) bool { return s == "install" || s == "add" }) {
		return nil
	}
	var out []string
	for _, word := range words[1:] {
		if !strings.HasPrefix(word, "-") && word != "install" && word != "add" {
			out = append(out, word)
		}
	}
	return out
}

// reading is what a command says once the repository's scripts are looked up.
type reading struct {
	said
	// text takes the place of the command where it is not empty.
	text string
	sign bool
	// at is the folder where it is another one; by is the wrapper.
	at, by string
}

// say looks a command up: as a script of package.json, a task, a make target,
// a script of the repository's own, and in the phrase book.
func (w witness) say(dir, text string) []reading {
	words := strings.Fields(text)
	for len(words) > 0 && variable().MatchString(words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return nil
	}
	for _, look := range []func(dir string, words []string) []reading{w.packageScript, w.denoTask, w.target, w.ownScript} {
		if r := look(dir, words); r != nil {
			return r
		}
	}
	return []reading{{said: w.book.read(text)}}
}

// within reads the commands inside of a script: only tests count.
func (w witness) within(script, dir string) []reading {
	if *w.left--; w.depth > 3 || *w.left < 0 {
		return nil
	}
	w.depth++
	var out []reading
	for _, step := range ci.Commands(script, dir) {
		for _, r := range w.say(step.Dir, step.Text) {
			if r.role != testRole {
				continue
			}
			if r.text == "" {
				r.text = step.Text
			}
			if r.at == "" {
				r.at = step.Dir
			}
			out = append(out, r)
		}
	}
	return out
}

var (
	oddScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)doc|watch|update|debug|perf|bench|report|clean|setup|install|publish|release|deploy|fix|snapshot|latest|contest|attest|[:_-]ui$|smoke.*prod`)
	})
	typeScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:typecheck|type-check|check-types|check:types|types|tsc|type:check|ts:check|check:ts|tests?[:_-](?:types?|dts|tsd|typings?|tsc)(?:[:_-].*)?|test-dts|types?[:_-]?tests?)$`)
	})
	lintScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:lint|eslint|oxlint|biome)(?:[:_-].*)?$`)
	})
	formatScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:format|fmt|prettier|style)[:_-](?:check|ci|lint|verify)$|^check[:_-](?:format|style|fmt|prettier)$|^prettier$`)
	})
	testScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:tests?|unit|e2e|specs?|jest|vitest|mocha|cypress|playwright|integration)(?:[:_.-].*)?$|[:_.-](?:spec|e2e)$|tests?$`)
	})
	perhapsScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:ci|verify|coverage|cover|cov|check|all)(?:[:_.-](?:tests?|all|unit|ci))?$`)
	})
	buildScript = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:build|compile|prebuild|generate|codegen|bundle)(?:[:_.-].*)?$`)
	})
)

// scriptRole goes by the name of a script or target; its text decides where
// the name does not.
func scriptRole(name, body string) role {
	switch {
	case typeScript().MatchString(name):
		return typeRole
	case name == "check" && strings.Contains(body, "tsc"):
		return typeRole
	case (name == "format" || name == "fmt" || name == "prettier") && contains(body, "--check", "--list-different"):
		return formatRole
	case oddScript().MatchString(name):
		return noRole
	case lintScript().MatchString(name):
		return lintRole
	case formatScript().MatchString(name):
		return formatRole
	case testScript().MatchString(name) || perhapsScript().MatchString(name) && contains(body, "test", "jest", "mocha"):
		return testRole
	case buildScript().MatchString(name):
		return buildRole
	}
	return noRole
}

// ownScript is a program of the repository's own whose name says test. One
// that is only for CI is looked into: its tests are a sign.
func (w witness) ownScript(dir string, words []string) []reading {
	for len(words) > 1 && slices.Contains([]string{"sh", "bash", "tclsh", "perl"}, words[0]) {
		words = words[1:]
	}
	file := path.Join(dir, words[0])
	if !strings.Contains(words[0], "/") && file != words[0] || !w.tree.isFile(file) {
		return nil
	}
	body := w.tree.text(file)
	if forCI().MatchString(file) || asRoot().MatchString(body) {
		out := w.within(body, dir)
		for i := range out {
			out[i].sign = true
		}
		return out
	}
	if s := w.book.read(strings.Join(words, " ")); s.role != noRole {
		return []reading{{said: s}}
	}
	base := strings.ToLower(path.Base(file))
	switch {
	case testProgram().MatchString(base) && !oddScript().MatchString(base):
		return []reading{{said: said{"script", testRole, file}}}
	case strings.Contains(base, "lint") || strings.Contains(base, "shellcheck"):
		return []reading{{said: said{"script", lintRole, file}}}
	case strings.HasPrefix(base, "install") || strings.HasPrefix(base, "bootstrap") || strings.HasPrefix(base, "setup"):
		return []reading{{said: said{"script", setupRole, file}}}
	case strings.HasPrefix(base, "build") || strings.HasPrefix(base, "compile"):
		return []reading{{said: said{"script", buildRole, file}}}
	}
	return nil
}

var (
	forCI = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:\.[\w-]+|ci|\w+/ci)/`)
	})
	testProgram = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:run[-_]?)?(?:all[-_]?)?tests?(?:[-_.].*)?$|[-_]tests?(?:\.\w+)?$|^runtest|^(?:cucumber|specs?|e2e)(?:\.\w+)?$`)
	})
	// asRoot is a script that is made for a container.
	asRoot = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^\s*(?:sudo )?(?:apk add|apt-get install|apt install|yum install|dnf install)`)
	})
)
