package detect

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Left is a command that was seen and not taken, with the reason; it is
// offered as a comment.
type Left struct {
	Command string
	Why     string
}

// maxTests bounds the commands of one project to what a person would read.
const maxTests = 8

// heed gives the projects the commands that the repository itself names.
// Without any the projects stay as convention found them. What CI does not run
// (a template, a tool's own project) is left out, and told.
func (r *Result) heed(t *tree, claims []claim, isCI bool) {
	tests := slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.role != testRole })
	if len(tests) == 0 {
		return
	}
	heard, by := map[int]bool{}, map[int]string{}
	for i := range r.Projects {
		p := &r.Projects[i]
		mine := slices.DeleteFunc(slices.Clone(tests), func(c claim) bool { return !p.speaks(c.language, c.dir) })
		if len(mine) > 0 {
			if heard[i] = mine[0].by == ""; !heard[i] {
				by[i] = mine[0].by
				continue
			}
			r.leaveParts(p, mine)
			p.take(t, mine)
		}
	}
	if !isCI {
		return
	}
	r.addProjects(t, tests)
	var kept []Project
	for i, p := range r.Projects {
		switch {
		case p.Test == "" && p.Dir != ".":
		case p.Test != "" && !heard[i] && !p.fromClaim:
			why := "CI does not run it"
			if by[i] != "" {
				why = "CI runs it by " + by[i]
			}
			r.leave(p.Dir, p.Test, why)
			r.bequeath(p)
		default:
			kept = append(kept, p)
		}
	}
	r.Projects = kept
	r.heedGates(claims)
}

// bequeath leaves the setup of a project to the script or target that runs its
// tests now.
func (r *Result) bequeath(from Project) {
	for i := range r.Projects {
		if p := &r.Projects[i]; p.fromClaim && p.Dir == from.Dir && p.Setup == "" {
			p.Setup = from.Setup
		}
	}
}

// speaks says whether a command of that language in that folder is about the
// project.
func (p *Project) speaks(language, dir string) bool {
	if p.Test == "" {
		return false
	}
	own := p.Language
	switch {
	case own == "kotlin":
		own = "java"
	case own == "c++":
		own = "c"
	case slices.Contains([]string{"make", "just", "task", "script"}, own):
	case phrases().language(own).name == "":
		own = "other"
	}
	if own != language {
		return false
	}
	return dir == p.Dir || below(p.Dir, dir) && p.covers != nil && p.covers(dir)
}

// take makes the project's test commands of what CI runs of it.
func (p *Project) take(t *tree, claims []claim) {
	p.hear(claims)
	own := p.said(claims)
	if phrases().language(claims[0].language).whole {
		p.flags(claims)
		return
	}
	best := choose(own)
	if len(best) == 0 {
		return
	}
	if adapt := phrases().language(best[0].language).adapt; adapt != nil {
		best = adapt(p, best)
	}
	if len(best) == 0 {
		return
	}
	p.Why = best[0].from
	p.Tests = nil
	built := map[string]bool{}
	for _, c := range best {
		command := tidy(c.text)
		for _, b := range c.needed(t) {
			if !built[b.identity] {
				built[b.identity] = true
				command = b.text + " && " + command
			}
		}
		p.Tests = append(p.Tests, command)
	}
	p.Tests = unique(p.Tests)
	p.Test = p.Tests[0]
	p.prepare(best)
}

// said gives the claims that are commands for the project's own folder.
func (p *Project) said(claims []claim) []claim {
	return slices.DeleteFunc(slices.Clone(claims), func(c claim) bool {
		return c.dir != p.Dir || c.sign || strings.ContainsFunc(c.text, unicode.IsControl)
	})
}

// leaveParts tells what CI runs of one package beside the whole suite: nothing
// shows whether the commands that were taken run it as well.
func (r *Result) leaveParts(p *Project, claims []claim) {
	own := p.said(claims)
	best := choose(own)
	for _, c := range own {
		taken := func(o claim) bool { return o.identity == c.identity }
		l := Left{alone(p.Dir, tidy(c.text)), "CI runs it beside the others, for a part"}
		if c.narrow && !slices.ContainsFunc(best, taken) && !slices.Contains(r.Left, l) {
			r.Left = append(r.Left, l)
		}
	}
}

// hear keeps what runs beside the tests.
func (p *Project) hear(claims []claim) {
	for _, c := range claims {
		if c.sign || c.dir != p.Dir {
			continue
		}
		if len(c.services) > 0 {
			p.Notes = append(p.Notes, fmt.Sprintf("CI starts %s beside the tests", strings.Join(c.services, ", ")))
		}
		if len(c.packages) > 0 {
			p.Notes = append(p.Notes, "CI installs system packages first: "+strings.Join(unique(c.packages), " "))
		}
		for _, s := range c.servers {
			p.Notes = append(p.Notes, "CI leaves this running during the tests: "+s)
		}
		return
	}
}

// choose gives one command of each identity, the plainest and widest, in the
// order in which they are run. Narrow ones are for where there is nothing else.
func choose(claims []claim) []claim {
	best := map[string]int{}
	var order []claim
	for _, c := range claims {
		i, ok := best[c.identity]
		if !ok {
			best[c.identity] = len(order)
			order = append(order, c)
		} else if c.weight() < order[i].weight() {
			order[i] = c
		}
	}
	for _, bad := range []func(claim) bool{func(c claim) bool { return c.narrow }, func(c claim) bool { return c.odd }} {
		if slices.ContainsFunc(order, func(c claim) bool { return !bad(c) }) {
			order = slices.DeleteFunc(order, bad)
		}
	}
	// The same tool with other features, in the same job.
	for _, c := range claims {
		last := -1
		for i, o := range order {
			if o.identity == c.identity && o.run == c.run {
				last = i
			}
		}
		same := func(o claim) bool { return tidy(o.text) == tidy(c.text) }
		if last >= 0 && !c.narrow && !slices.ContainsFunc(order, same) {
			order = slices.Insert(order, last+1, c)
		}
	}
	return order[:min(len(order), maxTests)]
}

func (c claim) weight() int {
	if c.odd {
		return c.score + 5
	}
	return c.score
}

// needed gives what has to be built before the tests: in the same folder, of
// the same language, or by make before a script.
func (c claim) needed(t *tree) []build {
	var out []build
	for _, b := range slices.Backward(c.builds) {
		mixed := b.language == "make" && c.language == "script" || b.language == "script" && c.language == "make"
		if b.dir != c.dir || !mixed && (b.language != c.language || phrases().language(b.language).whole) {
			continue
		}
		if c.language == "make" && b.language == "make" || b.role == setupRole || !t.exists(b.dir) {
			continue // make sees to it itself
		}
		out = append(out, b)
	}
	return out
}

// prepare adds what CI fetches before the tests, and a plain checkout lacks.
func (p *Project) prepare(claims []claim) {
	for _, c := range claims {
		for _, b := range c.builds {
			if b.role == setupRole && b.language == "script" && b.dir == p.Dir && p.Setup == "" && p.fromClaim {
				p.Setup = b.text
			}
			text := strings.ReplaceAll(b.text, " --with-deps", "") // that would need root
			if dataBase().MatchString(text) {
				text = "RAILS_ENV=test " + text
			}
			if b.dir == p.Dir && fetches().MatchString(text) && !strings.Contains(p.Setup, text) && p.Setup != "" {
				p.Setup += " && " + text
			}
		}
	}
}

var fetches = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`playwright install\b|(?:rails|rake) db:|mix ecto\.`)
})

var dataBase = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\S*(?:rails|rake) db:`)
})

// reporting is what CI adds for its screens and services: it says nothing
// about what is run. Commands that must not build what they test build it here.
var reporting = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(` (?:-v|--verbose|--stacktrace|--scan|--no-daemon|--no-build|--no-restore|--ci|-coverprofile[ =]\S+|-covermode[ =]\S+|` +
		`--cov(?:-[\w-]+)?(?:=\S+)?|--coverage(?:[=.-]\S+)?|--junitxml[ =]\S+|--junit-xml[ =]\S+|--log-junit[ =]\S+|--logger[ =](?:"[^"]*"|\S+)|--collect(?::| )\S*(?: [Cc]ode [Cc]overage"?)?|` +
		`--reporters?[ =]\S+|--formatter[ =]\S+|--color(?:=\S+)?|--colors(?:=\S+)?|--results-directory[ =]\S+|javadoc:\S+|jacoco:\S+|sonar:\S+|coveralls:\S+|--output-on-failure-only)(?: |$)`)
})

func tidy(text string) string {
	for range 12 {
		next := reporting().ReplaceAllString(text, " ")
		if next == text {
			break
		}
		text = next
	}
	return strings.TrimSpace(text)
}

// addProjects makes projects of what CI runs and no detector found: a runner
// of the repository's own, a make target.
func (r *Result) addProjects(t *tree, claims []claim) {
	places := map[string][]claim{}
	var order []string
	for _, c := range claims {
		if c.sign || slices.ContainsFunc(r.Projects,
			func(p Project) bool { return p.speaks(c.language, c.dir) }) || !t.exists(c.dir) || sampled(c.dir) {
			continue
		}
		key := c.dir + " " + c.language
		if places[key] == nil {
			order = append(order, key)
		}
		places[key] = append(places[key], c)
	}
	for _, key := range order {
		best := choose(places[key])
		if slices.ContainsFunc(best, func(c claim) bool { return c.narrow || c.odd && len(r.Projects) > 0 }) {
			continue
		}
		c := best[0]
		word := strings.Fields(core(c.text))[0]
		p := Project{Dir: c.dir, Language: c.language, Tool: path.Base(word), Why: c.from, Test: c.text, fromClaim: true}
		p.take(t, best)
		r.Projects = append(r.Projects, p)
	}
}

func (r *Result) leave(dir, command, why string) {
	r.Left = append(r.Left, Left{alone(dir, command), why})
}

func alone(dir, command string) string {
	if dir == "." {
		return command
	}
	return inDirAlone(dir, command)
}

// heedGates takes CI's command for a gate; one that CI does not run, and that
// no script of the repository's own is for, is left as a comment.
func (r *Result) heedGates(claims []claim) {
	for i := range r.Projects {
		p := &r.Projects[i]
		for _, c := range chooseGates(claims) {
			if c.dir != p.Dir || !p.speaks(c.language, c.dir) && c.language != "script" || c.sign {
				continue
			}
			name := gateNames[c.role]
			command := tidy(c.text)
			at := slices.IndexFunc(p.Gates, func(g Gate) bool { return g.Name == name })
			switch {
			case strings.HasPrefix(core(command), "tox") || strings.HasPrefix(core(command), "nox") || strings.Contains(command, "pre-commit"):
				p.confirm(name)
			case at < 0:
				p.Gates = append(p.Gates, Gate{Name: name, Command: command})
				p.confirm(name)
			default:
				p.Gates[at].Command = command
				p.confirm(name)
			}
		}
		var kept []Gate
		for _, g := range p.Gates {
			if p.confirmed[g.Name] || declared().MatchString(g.Command) {
				kept = append(kept, g)
				continue
			}
			r.leaveGate(p.Dir, g, "CI does not run it")
		}
		p.Gates = kept
	}
}

func (p *Project) confirm(gate string) {
	if p.confirmed == nil {
		p.confirmed = map[string]bool{}
	}
	p.confirmed[gate] = true
}

// declared is a gate that a script of the repository's own stands for.
var declared = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:npm run|pnpm run|bun run|yarn run|make|just|task|composer|deno task) `)
})

// chooseGates gives one command of each gate's name, folder and language.
func chooseGates(claims []claim) []claim {
	var out []claim
	for _, c := range claims {
		if gateNames[c.role] == "" {
			continue
		}
		same := func(o claim) bool { return o.role == c.role && o.dir == c.dir && o.language == c.language }
		if i := slices.IndexFunc(out, same); i < 0 {
			out = append(out, c)
		} else if c.weight() < out[i].weight() {
			out[i] = c
		}
	}
	return out
}

func (r *Result) leaveGate(dir string, g Gate, why string) {
	if dir != "." {
		g.Name = path.Base(dir) + "-" + g.Name
		g.Command = inDirAlone(dir, g.Command)
	}
	r.GatesLeft = append(r.GatesLeft, LeftGate{g, why})
}

// LeftGate is a gate that is offered as a comment.
type LeftGate struct {
	Gate
	Why string
}
