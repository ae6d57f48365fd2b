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

// manifest is the part of package.json about running things. Fields of varying form are
// raw, so that one odd field does not hide the others.
type manifest struct {
	Scripts         map[string]json.RawMessage `json:"scripts"`
	PackageManager  json.RawMessage            `json:"packageManager"`
	Workspaces      json.RawMessage            `json:"workspaces"`
	Dependencies    map[string]json.RawMessage `json:"dependencies"`
	DevDependencies map[string]json.RawMessage `json:"devDependencies"`
}

func (m *manifest) script(name string) string { return rawString(m.Scripts[name]) }

func rawString(r json.RawMessage) string {
	var s string
	if json.Unmarshal(r, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

func (m *manifest) depends(name string) bool {
	_, ok := m.Dependencies[name]
	_, dev := m.DevDependencies[name]
	return ok || dev
}

// packager holds the commands of a package manager.
type packager struct {
	name, test, run, exec, each string
	berry                       bool // of yarn, 2 or later
}

var packagers = map[string]packager{
	"npm":  {"npm", "npm test", "npm run ", "npx ", "npm test --workspaces --if-present", false},
	"pnpm": {"pnpm", "pnpm test", "pnpm run ", "pnpm exec ", "pnpm -r --if-present run test", false},
	"yarn": {"yarn", "yarn test", "yarn run ", "yarn run ", "yarn workspaces run test", false},
	// `bun test` would be bun's own runner, whatever the script says.
	"bun": {"bun", "bun run test", "bun run ", "bunx ", "bun run --filter '*' test", false},
}

// lookNode tries the script "test", then other scripts by name, then those of the
// workspaces, then an installed runner.
func lookNode(d *dir) *Project {
	var m manifest
	if d.has("package.json") == "" {
		return nil
	}
	if json.Unmarshal([]byte(d.text("package.json")), &m) != nil {
		return &Project{Why: "package.json"} // it cannot be read
	}
	pm, lock := d.packager()
	members := d.workspaces(m)
	p := &Project{Why: "package.json", own: true,
		covers: func(dir string) bool {
			return matchesAny(positive(members),
				strings.TrimPrefix(dir, d.path+"/"))
		}}
	names := slices.Sorted(maps.Keys(m.Scripts))
	slices.SortStableFunc(names, func(a, b string) int { return len(a) - len(b) })
	for _, name := range names {
		text := m.script(name)
		switch r := scriptRole(name, text); {
		case placeholder(text) || watchesOnly(text) || m.accompanies(name):
		case name == "test":
			p.Tests = slices.Insert(p.Tests, 0, pm.test)
		case r == testRole:
			p.Tests = append(p.Tests, pm.run+name)
		case m.onlyFixes(name):
		case gateNames[r] != "" &&
			!slices.ContainsFunc(p.Gates, func(g QualityGate) bool { return g.Name == gateNames[r] }):
			p.Gates = append(p.Gates, QualityGate{gateNames[r], pm.run + name, pm.fix(m, name)})
		}
	}
	if len(p.Tests) == 0 && len(members) > 0 && d.anyMemberTests(members) {
		p.Tests = []string{pm.each}
	}
	if len(p.Tests) == 0 {
		p.Tests, p.own = d.nodeRunner(m, pm), false
	}
	if len(m.Dependencies)+len(m.DevDependencies)+len(members) > 0 {
		p.Setup = pm.install(lock)
	}
	return p
}

// accompanies reports whether the package manager runs a script before or after another one:
// it is a part of that one.
func (m *manifest) accompanies(name string) bool {
	for _, when := range []string{"pre", "post"} {
		if of, ok := strings.CutPrefix(name, when); ok && m.script(of) != "" {
			return true
		}
	}
	return false
}

// rewrites matches scripts that change files.
var rewrites = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` (?:--fix|--write|--autofix)(?:\s|=true|$)`) })

// onlyFixes reports whether a script fixes what another one finds: it is no gate.
func (m *manifest) onlyFixes(name string) bool {
	text := m.script(name)
	if !rewrites().MatchString(text) {
		return false
	}
	r := scriptRole(name, text)
	for other := range m.Scripts {
		if body := m.script(other); gateNames[r] != "" && scriptRole(other, body) == r &&
			!rewrites().MatchString(body) {
			return true
		}
	}
	return false
}

// fix returns the script that fixes what another one finds.
func (pm packager) fix(m manifest, name string) string {
	for _, fix := range []string{name + ":fix", name + "-fix"} {
		if m.script(fix) != "" {
			return pm.run + fix
		}
	}
	text, r := m.script(name), scriptRole(name, m.script(name))
	for _, fix := range slices.Sorted(maps.Keys(m.Scripts)) {
		if m.onlyFixes(fix) && scriptRole(fix, m.script(fix)) == r {
			return pm.run + fix
		}
	}
	switch { // a script with a single eslint call takes --fix at its end
	case !strings.HasPrefix(text, "eslint ") || contains(text, "&&", ";", "|", "--fix"):
		return ""
	case pm.name == "npm":
		return pm.run + name + " -- --fix"
	}
	return pm.run + name + " --fix"
}

// nodeRunner starts an installed runner, or else node's own.
func (d *dir) nodeRunner(m manifest, pm packager) []string {
	for _, r := range []string{"vitest run", "jest", "mocha", "ava", "tap", "jasmine", "uvu", "tsx --test"} {
		if name, _, _ := strings.Cut(r, " "); m.depends(name) {
			return []string{pm.exec + r}
		}
	}
	if pm.name == "bun" {
		return []string{"bun test"}
	}
	if d.has("deno.json", "deno.jsonc") == "" && d.findText(jsFile().MatchString, nodeTestImport()) != "" {
		return []string{"node --test"}
	}
	return nil
}

// packager uses package.json, then the lock file here or at the root.
func (d *dir) packager() (packager, string) {
	var m manifest
	_ = json.Unmarshal([]byte(d.text("package.json")), &m) // unreadable is as good as empty
	said, version, _ := strings.Cut(rawString(m.PackageManager), "@")
	pm, lock := packagers[said], ""
	for _, at := range []*dir{d, d.tree.root()} {
		for _, l := range [][2]string{{"pnpm-lock.yaml", "pnpm"}, {"bun.lock", "bun"}, {"bun.lockb", "bun"},
			{"yarn.lock", "yarn"},
			{"package-lock.json", "npm"}, {"npm-shrinkwrap.json", "npm"}} {
			if at.has(l[0]) != "" && (pm.name == "" || pm.name == l[1]) && lock == "" {
				if pm = packagers[l[1]]; at == d {
					lock = l[0]
				}
			}
		}
	}
	if pm.name == "" {
		pm = packagers["npm"]
	}
	if pm.name == "yarn" &&
		(d.has(".yarnrc.yml") != "" || version != "" && !strings.HasPrefix(version, "1")) {
		pm.berry, pm.each = true, "yarn workspaces foreach -A run test"
	}
	return pm, lock
}

func (pm packager) install(lock string) string {
	switch {
	case lock == "" && pm.name == "npm":
		return "npm install --no-package-lock" // do not add a lock file
	case lock == "":
		return pm.name + " install"
	case pm.name == "npm":
		return "npm ci"
	case pm.berry:
		return "yarn install --immutable"
	}
	return pm.name + " install --frozen-lockfile"
}

var watching = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`--watch(All)?\b(=true)?|--ui\b|\bvitest\s+(watch|dev)\b`)
})

var (
	jsFile         = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)(^|/)[^/]*test.*\.[cm]?[jt]s$`) })
	nodeTestImport = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`["']node:test["']`) })
)

// placeholder detects the script that `npm init` writes without tests.
func placeholder(script string) bool {
	return script == "" || strings.Contains(script, "no test specified") || script == "exit 0" ||
		script == "true"
}

// watchesOnly reports whether a script would wait for changes forever.
func watchesOnly(script string) bool {
	return watching().MatchString(script) &&
		!contains(script, "--watch=false", "--watchAll=false", "--run", "--no-watch")
}

// workspaces returns the globs of member folders.
func (d *dir) workspaces(m manifest) []string {
	var list []string
	if json.Unmarshal(m.Workspaces, &list) == nil && len(list) > 0 {
		return list
	}
	var long struct {
		Packages []string `json:"packages"`
	}
	if json.Unmarshal(m.Workspaces, &long) == nil && len(long.Packages) > 0 {
		return long.Packages
	}
	if d.has("pnpm-workspace.yaml") != "" {
		for _, v := range parseYAML(d.text("pnpm-workspace.yaml")).get("packages").list() {
			list = append(list, v.text())
		}
		return list
	}
	return nil
}

func (d *dir) anyMemberTests(members []string) bool {
	for _, sub := range d.tree.dirs {
		if !below(d.path, sub.path) || sub.has("package.json") == "" ||
			!matchesAny(members, strings.TrimPrefix(sub.path, d.path+"/")) {
			continue
		}
		var m manifest
		if json.Unmarshal([]byte(sub.text("package.json")), &m) == nil && !placeholder(m.script("test")) {
			return true
		}
	}
	return false
}

// positive removes exclusions: a member that the workspace excludes is excluded from the
// tests, not a project of its own.
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
