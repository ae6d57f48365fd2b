package detect

import (
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
)

// manifest is what package.json says about running things. Fields whose form
// varies are raw: one odd field must not hide the others.
type manifest struct {
	Scripts         map[string]json.RawMessage `json:"scripts"`
	PackageManager  json.RawMessage            `json:"packageManager"`
	Workspaces      json.RawMessage            `json:"workspaces"`
	Dependencies    map[string]json.RawMessage `json:"dependencies"`
	DevDependencies map[string]json.RawMessage `json:"devDependencies"`
	ESLintConfig    json.RawMessage            `json:"eslintConfig"`
}

func (m *manifest) script(name string) string { return rawString(m.Scripts[name]) }

func rawString(r json.RawMessage) string {
	var s string
	if json.Unmarshal(r, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

func (m *manifest) depends(names ...string) string {
	for _, n := range names {
		if _, ok := m.Dependencies[n]; ok {
			return n
		}
		if _, ok := m.DevDependencies[n]; ok {
			return n
		}
	}
	return ""
}

// packager is how one of the package managers is called.
type packager struct {
	name, test, run, exec, each string
}

var packagers = map[string]packager{
	"npm":  {"npm", "npm test", "npm run ", "npx ", "npm test --workspaces --if-present"},
	"pnpm": {"pnpm", "pnpm test", "pnpm run ", "pnpm exec ", "pnpm -r --if-present run test"},
	"yarn": {"yarn", "yarn test", "yarn run ", "yarn run ", "yarn workspaces run test"},
	// `bun test` would be bun's own runner, whatever the script says.
	"bun": {"bun", "bun run test", "bun run ", "bunx ", "bun run --filter '*' test"},
}

type nodeProject struct {
	*dir
	m    manifest
	pm   packager
	lock string
}

func lookNode(d *dir) *Project {
	if d.has("package.json") == "" {
		return nil
	}
	n := nodeProject{dir: d}
	if json.Unmarshal([]byte(d.text("package.json")), &n.m) != nil {
		return &Project{Why: "package.json", Notes: []string{"package.json could not be read"}}
	}
	n.pm, n.lock = n.packager()
	p := &Project{Why: "package.json"}
	members := n.workspaces()
	p.covers = func(dir string) bool { return matchesAny(positive(members), strings.TrimPrefix(dir, d.path+"/")) }
	p.Test, p.own = n.test(members)
	if p.Test == "" && d.has("deno.json", "deno.jsonc") != "" {
		return nil // package.json is there for deno
	}
	if p.Test == "node --test" && n.underDeno() {
		return nil // the tests are deno's
	}
	p.more = n.otherTests(p.Test)
	p.Gates = n.gates()
	if p.Test != "" || len(p.Gates) > 0 {
		p.Setup = n.setup()
	}
	if p.Test == "" {
		p.Notes = append(p.Notes, "package.json has no test script")
	}
	return p
}

func (n nodeProject) underDeno() bool {
	for dir := n.path; ; dir = path.Dir(dir) {
		if n.tree.isFile(path.Join(dir, "deno.json")) || n.tree.isFile(path.Join(dir, "deno.jsonc")) {
			return true
		}
		if dir == "." {
			return false
		}
	}
}

// otherTests are the scripts that test, and that the chosen one does not call.
func (n nodeProject) otherTests(chosen string) []string {
	name := strings.TrimPrefix(strings.TrimPrefix(chosen, n.pm.run), n.pm.name+" ")
	body := n.m.script(strings.TrimPrefix(name, "run "))
	var out []string
	for _, s := range slices.Sorted(maps.Keys(n.m.Scripts)) {
		text := n.m.script(s)
		if s == "test" || n.pm.run+s == chosen || scriptRole(s, text) != testRole || again().MatchString(s) || placeholder(text) || watchesOnly(text) || mentions(body, s) {
			continue
		}
		if text == body {
			continue // the same tests again
		}
		out = append(out, n.pm.run+s)
	}
	return out
}

// again are scripts that run the same tests, counted or all in one.
var again = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`cov(?:erage)?\b|[:_.-]all$|^all`)
})

// mentions says whether a script calls another one.
func mentions(body, script string) bool {
	for _, f := range strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune(" \t&|;()\"'", r) }) {
		if f == script || strings.HasSuffix(f, "*") && strings.HasPrefix(script, strings.TrimSuffix(f, "*")) {
			return true
		}
	}
	return false
}

// packager goes by what package.json says, then the lock file here or above.
func (n nodeProject) packager() (packager, string) {
	said, _, _ := strings.Cut(rawString(n.m.PackageManager), "@")
	locks := [][2]string{
		{"pnpm-lock.yaml", "pnpm"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"}, {"yarn.lock", "yarn"},
		{"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"},
	}
	for _, l := range locks {
		if n.has(l[0]) != "" && (said == "" || said == l[1]) {
			return packagers[l[1]], l[0]
		}
	}
	if pm, ok := packagers[said]; ok {
		return pm, ""
	}
	if root := n.tree.root(); root.path != n.path {
		for _, l := range locks {
			if root.has(l[0]) != "" {
				return packagers[l[1]], ""
			}
		}
	}
	return packagers["npm"], ""
}

func (n nodeProject) setup() string {
	if len(n.m.Dependencies)+len(n.m.DevDependencies) == 0 && len(n.workspaces()) == 0 {
		return ""
	}
	switch {
	case n.lock == "" && n.pm.name == "npm":
		return "npm install --no-package-lock" // a new lock file is not the task's
	case n.lock == "":
		return n.pm.name + " install"
	case n.pm.name == "npm":
		return "npm ci"
	case n.pm.name == "yarn" && n.berry():
		return "yarn install --immutable"
	}
	return n.pm.name + " install --frozen-lockfile"
}

// berry says whether yarn is of version 2 or later.
func (n nodeProject) berry() bool {
	v := rawString(n.m.PackageManager)
	return n.has(".yarnrc.yml") != "" || strings.HasPrefix(v, "yarn@") && !strings.HasPrefix(v, "yarn@1")
}

// runners are test runners by their package, with what starts them once.
var runners = [][2]string{
	{"vitest", "vitest run"}, {"jest", "jest"}, {"mocha", "mocha"}, {"ava", "ava"}, {"tap", "tap"}, {"jasmine", "jasmine"}, {"uvu", "uvu"},
}

var watching = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--watch(All)?\b(=true)?|--ui\b|\bvitest\s+(watch|dev)\b`)
})

// test gives the command, and whether it is a script of the repository's own.
func (n nodeProject) test(members []string) (command string, own bool) {
	script := n.m.script("test")
	if placeholder(script) {
		script = ""
	}
	if script != "" && !watchesOnly(script) {
		return n.pm.test, true
	}
	for _, name := range []string{"test:ci", "test:run", "test:unit", "tests", "unit"} {
		if s := n.m.script(name); s != "" && !placeholder(s) && !watchesOnly(s) {
			return n.pm.run + name, true
		}
	}
	if len(members) > 0 && n.anyMemberTests(members) {
		each := n.pm.each
		if n.pm.name == "yarn" && n.berry() {
			each = "yarn workspaces foreach -A run test"
		}
		return each, true
	}
	for _, r := range runners {
		if n.m.depends(r[0]) != "" {
			return n.pm.exec + r[1], false
		}
	}
	isTest := func(name string) bool { return nodeTest().MatchString(name) }
	if n.pm.name == "bun" && n.find(isTest) != "" {
		return "bun test", false
	}
	file := n.findText(func(p string) bool { return jsFile().MatchString(p) }, nodeTestImport())
	switch {
	case file == "":
	case strings.HasSuffix(file, "ts") && n.m.depends("tsx") != "":
		return n.pm.exec + "tsx --test", false
	default:
		return "node --test", false
	}
	return "", false
}

var (
	nodeTest = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[._](test|spec)\.[cm]?[jt]sx?$`)
	})
	jsFile = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(^|/)[^/]*test.*\.[cm]?[jt]s$`)
	})
	nodeTestImport = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`["']node:test["']`)
	})
)

// placeholder knows what `npm init` writes where there are no tests.
func placeholder(script string) bool {
	return script == "" || strings.Contains(script, "no test specified") || script == "exit 0" || script == "true"
}

// watchesOnly says that a script would wait for changes for ever.
func watchesOnly(script string) bool {
	return watching().MatchString(script) && !contains(script, "--watch=false", "--watchAll=false", "--run", "--no-watch")
}

func (n nodeProject) gates() []QualityGate {
	var gates []QualityGate
	typecheck := false
	for _, s := range []string{"typecheck", "type-check", "check-types", "check:types", "types", "tsc"} {
		if n.m.script(s) != "" && !strings.Contains(n.m.script(s), "--watch") {
			gates = append(gates, QualityGate{Name: "typecheck", Command: n.pm.run + s})
			typecheck = true
			break
		}
	}
	if !typecheck && n.has("tsconfig.json") != "" && n.m.depends("typescript") != "" {
		gates = append(gates, QualityGate{Name: "typecheck", Command: n.pm.exec + "tsc --noEmit"})
	}
	if g, ok := n.lint(); ok {
		gates = append(gates, g)
	}
	return gates
}

func (n nodeProject) lint() (QualityGate, bool) {
	if s := n.m.script("lint"); s != "" && !placeholder(s) {
		g := QualityGate{Name: "lint", Command: n.pm.run + "lint"}
		for _, fix := range []string{"lint:fix", "lint-fix", "fix"} {
			if n.m.script(fix) != "" {
				g.FixCommand = n.pm.run + fix
				return g, true
			}
		}
		// A script of one eslint call takes --fix at its end.
		if strings.HasPrefix(s, "eslint ") && !contains(s, "&&", ";", "|", "--fix") {
			g.FixCommand = n.pm.run + "lint -- --fix"
			if n.pm.name == "yarn" || n.pm.name == "pnpm" || n.pm.name == "bun" {
				g.FixCommand = n.pm.run + "lint --fix"
			}
		}
		return g, true
	}
	if n.has("biome.json", "biome.jsonc") != "" && n.m.depends("@biomejs/biome") != "" {
		return QualityGate{"lint", n.pm.exec + "biome check .", n.pm.exec + "biome check --write ."}, true
	}
	config := n.has("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", "eslint.config.ts", "eslint.config.mts",
		".eslintrc", ".eslintrc.js", ".eslintrc.cjs", ".eslintrc.json", ".eslintrc.yml", ".eslintrc.yaml")
	if (config != "" || len(n.m.ESLintConfig) > 0) && n.m.depends("eslint") != "" {
		return QualityGate{"lint", n.pm.exec + "eslint .", n.pm.exec + "eslint . --fix"}, true
	}
	return QualityGate{}, false
}

// workspaces gives the globs of member folders.
func (n nodeProject) workspaces() []string {
	var list []string
	if json.Unmarshal(n.m.Workspaces, &list) == nil && len(list) > 0 {
		return list
	}
	var long struct {
		Packages []string `json:"packages"`
	}
	if json.Unmarshal(n.m.Workspaces, &long) == nil && len(long.Packages) > 0 {
		return long.Packages
	}
	if n.has("pnpm-workspace.yaml") != "" {
		for _, v := range parseYAML(n.text("pnpm-workspace.yaml")).get("packages").list() {
			list = append(list, v.text())
		}
		return list
	}
	return nil
}

func (n nodeProject) anyMemberTests(members []string) bool {
	for _, d := range n.tree.dirs {
		if !below(n.path, d.path) || d.has("package.json") == "" || !matchesAny(members, strings.TrimPrefix(d.path, n.path+"/")) {
			continue
		}
		var m manifest
		if json.Unmarshal([]byte(d.text("package.json")), &m) == nil && !placeholder(m.script("test")) {
			return true
		}
	}
	return false
}

// positive leaves out the exceptions: a member that the workspace excludes is
// excluded from the tests as well, not a project of its own.
func positive(globs []string) []string {
	var out []string
	for _, g := range globs {
		if !strings.HasPrefix(g, "!") {
			out = append(out, g)
		}
	}
	return out
}

func matchesAny(globs []string, dir string) bool {
	matched := false
	for _, g := range globs {
		g, not := strings.CutPrefix(g, "!")
		g = strings.TrimSuffix(path.Clean(strings.TrimPrefix(g, "./")), "/")
		if ok, err := doublestar.Match(g, dir); err == nil && ok {
			matched = !not
		}
	}
	return matched
}
