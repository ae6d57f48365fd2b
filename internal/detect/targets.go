package detect

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// packageScript reads npm, pnpm, yarn and bun calls of a script.
func (w witness) packageScript(dir string, words []string) []reading {
	call, ok := scriptCall(words)
	if !ok {
		return nil
	}
	home := path.Join(dir, call.dir)
	var m manifest
	if json.Unmarshal([]byte(w.tree.text(path.Join(home, "package.json"))), &m) != nil {
		return nil
	}
	body := m.script(call.name)
	if body == "" && !call.each {
		return nil
	}
	r := scriptRole(call.name, body)
	id := strings.Join([]string{"script", home, call.name, call.filter}, " ")
	if r == testRole && wraps(body, "test") && call.name != "test" && call.filter == "" {
		id = strings.Join([]string{"script", home, "test", ""}, " ") // coverage around the tests
	}
	return []reading{{said: said{"node", r, id}}}
}

// wraps says whether a script runs another one and little else.
func wraps(body, name string) bool {
	return contains(body, "npm test", "npm run "+name, "yarn "+name, "pnpm "+name, "pnpm run "+name,
		"bun run "+name) && !strings.Contains(body, "&&")
}

type calledScript struct {
	name, dir, filter string
	each              bool
}

// scriptCall takes a call apart: options, filters, run, the script's name.
func scriptCall(words []string) (c calledScript, ok bool) {
	if !slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, words[0]) {
		return c, false
	}
	bun, run := words[0] == "bun", false
	rest := words[1:]
	for len(rest) > 0 {
		word := rest[0]
		value := ""
		if len(rest) > 1 {
			value = rest[1]
		}
		name, inline, joined := strings.Cut(word, "=")
		switch {
		case slices.Contains([]string{"--prefix", "-C", "--dir", "--cwd"}, name):
			c.dir = inline
			if !joined {
				c.dir, rest = value, rest[1:]
			}
		case slices.Contains([]string{"--filter", "-F", "-w", "--workspace", "workspace"}, name) && (joined || value != ""):
			c.filter, c.each = inline, true
			if !joined {
				c.filter, rest = value, rest[1:]
			}
		case word == "-r" || word == "--recursive" || word == "--workspaces" || word == "-ws":
			c.each, c.filter = true, "each"
		case strings.HasPrefix(word, "-"):
		case word == "run" || word == "run-script":
			run = true
		case bun && !run: // bun test is bun's own runner
			return c, false
		default:
			c.name = word
			if word == "t" && words[0] == "npm" {
				c.name = "test"
			}
			return c, true
		}
		rest = rest[min(1, len(rest)):]
	}
	return c, false
}

func (w witness) denoTask(dir string, words []string) []reading {
	if len(words) < 3 || words[0] != "deno" || words[1] != "task" {
		return nil
	}
	words = words[2:]
	if words[0] == "--cwd" && len(words) > 2 {
		dir, words = path.Join(dir, words[1]), words[2:]
	}
	return []reading{{said: said{"deno", scriptRole(words[0], ""), "task " + words[0]}, at: dir}}
}

// target reads make, just and task. Where the recipe is one plain test
// command and nothing is built first, that command is what is said.
func (w witness) target(dir string, words []string) []reading {
	runner := words[0]
	if runner != "make" && runner != "gmake" && runner != "just" && runner != "task" {
		return nil
	}
	var names []string
	rest := words[1:]
	for len(rest) > 0 {
		word := rest[0]
		switch {
		case (word == "-C" || word == "--directory") && len(rest) > 1:
			dir, rest = path.Join(dir, rest[1]), rest[1:]
		case (word == "-j" || word == "-f") && len(rest) > 1 && word == "-f":
			rest = rest[1:]
		case strings.HasPrefix(word, "-") || strings.Contains(word, "=") || strings.Trim(word, "0123456789") == "":
		default:
			names = append(names, word)
		}
		rest = rest[1:]
	}
	if len(names) == 0 || names[0] == "all" {
		return []reading{{said: said{"make", buildRole, "make " + dir}}}
	}
	var out []reading
	for _, name := range names {
		out = append(out, w.targetNamed(dir, runner, name)...)
	}
	return out
}

func (w witness) targetNamed(dir, runner, name string) []reading {
	r := scriptRole(name, "test")
	own := reading{said: said{"make", r, strings.Join([]string{runner, dir, name}, " ")}}
	if r == noRole {
		own.role = noRole
		return []reading{own}
	}
	file := ""
	for _, n := range makefiles {
		if file == "" && w.tree.isFile(path.Join(dir, n)) {
			file = path.Join(dir, n)
		}
	}
	if file == "" || runner == "just" || runner == "task" {
		if runner == "make" && (w.tree.isFile(path.Join(dir, "configure.ac")) ||
			w.tree.isFile(path.Join(dir, "Makefile.am")) || dir != "." && !w.tree.exists(dir)) {
			own.language = "c" // autotools or cmake make the file
		}
		return []reading{own}
	}
	if r != testRole {
		return []reading{own}
	}
	before, recipe := makeRecipe(w.tree.text(file), name)
	inner := w.within(recipe, dir)
	if len(inner) == 1 && inner[0].at == dir {
		if !before {
			return inner
		}
		own.language, own.identity = inner[0].language, inner[0].identity
		return []reading{own}
	}
	// What it runs elsewhere is run by it, and need not be run again.
	for i := range inner {
		if inner[i].sign, inner[i].by = true, runner+" "+name; inner[i].at == dir {
			own.language = inner[i].language
		}
	}
	return append([]reading{own}, inner...)
}

var makefiles = []string{"GNUmakefile", "makefile", "Makefile"}

// makeRecipe gives a target's lines, with plain variables put in, and whether
// something has to be made first.
func makeRecipe(text, name string) (before bool, recipe string) {
	vars := map[string]string{}
	for _, m := range makeVariable().FindAllStringSubmatch(text, -1) {
		vars[m[1]] = strings.TrimSpace(m[2])
	}
	fill := func(s string) string {
		for range 4 {
			s = makeUse().ReplaceAllStringFunc(s, func(u string) string {
				if v, ok := vars[strings.Trim(u, "$(){}")]; ok {
					return v
				}
				return u
			})
		}
		// Make's own functions and what is not set are not known here.
		return makeCall().ReplaceAllString(s, "$$unset")
	}
	in := false
	var b strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		head, rest, isHead := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "\t") && in:
			// Each line has a shell of its own.
			b.WriteString("(" + strings.TrimSpace(fill(strings.TrimLeft(line, "\t@-+ "))) + ")\n")
		case isHead && !strings.HasPrefix(line, "\t") && slices.Contains(strings.Fields(head), name) && !strings.HasPrefix(rest, "="):
			in = true
			rest, _, _ = strings.Cut(rest, "##")
			for _, p := range strings.Fields(strings.TrimLeft(rest, ":")) {
				before = before || !easyTarget().MatchString(p)
			}
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "\t") && !strings.HasPrefix(line, "#"):
			in = false
		}
	}
	return before, b.String()
}

var (
	makeVariable = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(?:export )?([A-Za-z_]\w*)[ \t]*[:?]?:?=[ \t]*([^\n]*)$`)
	})
	makeUse  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[({][A-Za-z_]\w*[)}]`) })
	makeCall = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[({][^)}\n]*[)}]`) })
	// easyTarget are prerequisites that the tests do without.
	easyTarget = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:install|deps?|tools?|fmt|format|vet|lint|tidy|mod|vendor|check|clean|\.|\|)`)
	})
)
