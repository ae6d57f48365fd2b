package runner

import (
	"encoding/json"
	"maps"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/testfile"
)

// testLibraries are packages whose origin must not change.
var testLibrary = pattern.Lazy(`(?i)^@?(jest|vitest|mocha|chai|ava|tap|jasmine|sinon|expect|cypress|` +
	`playwright|testing-library|types/jest|ts-jest|babel-jest|pytest|unittest|hypothesis|tox|nose|` +
	`phpunit|pest|rspec|minitest|test-unit|proptest|quickcheck|rstest|insta|pretty_assertions|` +
	`testify|ginkgo|gomega)\b|/(testify|ginkgo|gomega|go-cmp|phpunit|pest)\b|^(phpunit|pestphp)/|` +
	`^@(jest|vitest|playwright|testing-library)/`)

var foreignSource = pattern.Lazy(`^(file|link|portal|npm|git|git\+\w+|github|http|https|workspace|` +
	`patch):|^[./]|^[\w-]+/[\w-]+`)

type object = map[string]any

// releasedManager is a package manager of some release, as its registry has it.
var releasedManager = pattern.Lazy(`^(npm|yarn|pnpm|bun)@\d[\w.-]*(\+sha\d+\.\w+)?$`)

// lockOf is the file in which a package manager writes which packages there are.
var lockOf = map[string]string{"npm": "package-lock.json", "yarn": "yarn.lock", "pnpm": "pnpm-lock.yaml",
	"bun": "bun.lock"}

// pnpmOther are settings of pnpm by which packages stay what they are: of which ones scripts
// may run when they are installed, and of what it warns.
var pnpmOther = []string{"onlyBuiltDependencies", "ignoredBuiltDependencies", "neverBuiltDependencies",
	"peerDependencyRules", "allowedDeprecatedVersions", "updateConfig", "auditConfig"}

var (
	// pnpmAside begins what a workspace says of which releases may be installed, and whose scripts run then.
	pnpmAside = pattern.Lazy(`^(minimumReleaseAgeExclude|trustPolicyExclude|` + strings.Join(pnpmOther, "|") + `)\s*:\s*(#.*)?$`)
	// pnpmElement is a package in such a list, or a line behind which nothing else can begin.
	pnpmElement = pattern.Lazy(`^\s*(-\s*["']?[@\w*][@\w.*/^~|<>= -]*["']?\s*)?(#.*)?$|^\s+["']?[@\w*][@\w.*/-]*["']?\s*:\s*(true|false)\s*(#.*)?$`)
)

// pnpmWorkspace are the lines of a workspace of pnpm about its packages and where they come from.
func pnpmWorkspace(r *Rules, p, text, other string) any {
	var kept []string
	aside := false
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		aside = pnpmAside().MatchString(bare) || aside && pnpmElement().MatchString(bare)
		if !aside {
			kept = append(kept, line)
		}
	}
	return lineSlice(pnpmWords)(r, p, strings.Join(kept, ""), other)
}

// byName is the name of a script that nothing runs but who asks for it.
var byName = pattern.Lazy(`^(start|stop|restart|dev|serve|preview|demo|ps|cleanup|deploy)(:[\w-]+)?$`)

// packageJSON keeps what npm and test tools read, and test packages that come
// from an unusual place.
func packageJSON(r *Rules, p, text, other string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	out := object{}
	for _, k := range []string{"scripts", "jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "cypress",
		"jasmine", "babel", "config", "pre-commit", "husky", "lint-staged", "wireit", "nx", "pnpm",
		"testem", "xo", "packageManager", "volta"} {
		if v, has := doc[k]; has {
			out[k] = v
		}
	}
	if pnpm, is := out["pnpm"].(object); is {
		if out["pnpm"] = without(pnpm, pnpmOther...); len(out["pnpm"].(object)) == 0 {
			delete(out, "pnpm")
		}
	}
	if pinned, is := out["volta"].(object); is {
		out["volta"] = withoutReleases(pinned)
	}
	if test := dig(doc, "directories", "test"); test != nil {
		out["directories test"] = test
	}
	manager, named := doc["packageManager"].(string)
	if !named { // the lock file says as much
		previous, _ := parseJSON(other)
		manager, _ = previous["packageManager"].(string)
	}
	if releasedManager().MatchString(manager) {
		name, _, _ := strings.Cut(manager, "@")
		if named || r.IsFile(path.Join(path.Dir(p), lockOf[name])) {
			out["packageManager"] = name
		}
	}
	if other == "" && path.Dir(p) != "." { // a package of its own: by name alone are its scripts run
		scripts, _ := doc["scripts"].(object)
		delete(out, "scripts")
		for name, script := range scripts {
			if !byName().MatchString(name) {
				out["script "+name] = script
			}
		}
	}
	for _, workspace := range members(p, text) {
		if strings.HasPrefix(workspace, "!") { // which takes some away
			out["workspaces "+workspace] = true
		}
	}
	if name, _ := doc["name"].(string); testLibrary().MatchString(name) {
		out["name"] = name // a workspace of that name is taken for the library
	}
	for _, k := range []string{"dependencies", "devDependencies", "overrides", "resolutions",
		"optionalDependencies", "peerDependencies", "imports"} {
		deps, _ := doc[k].(object)
		for name, v := range deps {
			version, isText := v.(string)
			if testLibrary().MatchString(name) && (!isText || foreignSource().MatchString(version)) {
				out[k+" "+name] = v
			}
		}
	}
	return out
}

// plainRelease is a release of a tool, as it says of itself.
var plainRelease = pattern.Lazy(`^\d+(\.\d+)*$`)

// withoutReleases keeps which tools are pinned, and what is pinned otherwise than to a release.
func withoutReleases(pinned object) object {
	out := object{}
	for tool, v := range pinned {
		if release, is := v.(string); is && plainRelease().MatchString(release) {
			v = true
		}
		out[tool] = v
	}
	return out
}

func parseJSON(text string) (object, bool) {
	if strings.TrimSpace(text) == "" {
		return object{}, true
	}
	var doc object
	err := json.Unmarshal([]byte(text), &doc)
	return doc, err == nil && doc != nil
}

// lastComma is one behind which nothing follows.
var lastComma = pattern.Lazy(`,(\s*[}\]])`)

// parseCommented reads JSON that may have remarks, and commas behind the last of a list.
func parseCommented(text string) (object, bool) {
	if doc, ok := parseJSON(text); ok {
		return doc, ok
	}
	return parseJSON(lastComma().ReplaceAllString(lexer.Lex(lexer.Of("x.js"), text).Live(), "$1"))
}

//go:noinline
func keep(doc object, keys ...string) object {
	out := object{}
	for _, k := range keys {
		if v, has := doc[k]; has {
			out[k] = v
		}
	}
	return out
}

// without gives a table without these keys.
func without(doc object, keys ...string) object {
	out := maps.Clone(doc)
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

func composerJSON(_ *Rules, _, text, other string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	out := keep(doc, "scripts", "autoload-dev", "repositories", "scripts-aliases", "replace")
	if spaces, is := dig(doc, "autoload-dev", "psr-4").(object); is {
		out["autoload-dev"] = withoutNewSpaces(doc["autoload-dev"].(object), spaces, other)
		if len(out["autoload-dev"].(object)) == 0 {
			delete(out, "autoload-dev")
		}
	}
	programs, _ := doc["bin"].([]any)
	for _, p := range append(programs, doc["bin"]) {
		if name, is := p.(string); is && runnerProgram().MatchString(path.Base(name)) {
			out["bin "+name] = true
		}
	}
	provided, _ := doc["provide"].(object)
	for name, v := range provided {
		if !strings.HasSuffix(name, "-implementation") { // which is the name of no package
			out["provide "+name] = v
		}
	}
	config, _ := doc["config"].(object)
	for _, k := range []string{"bin-dir", "vendor-dir", "bin-compat", "platform"} {
		if v, has := config[k]; has {
			out["config "+k] = v
		}
	}
	for _, scheme := range []string{"psr-4", "psr-0"} {
		spaces, _ := dig(doc, "autoload", scheme).(object)
		for name, v := range spaces {
			if runnerSpace().MatchString(name) {
				out["autoload "+name] = v
			}
		}
	}
	return out
}

// testSpace is a namespace of tests within that of a product.
var testSpace = pattern.Lazy(`(?i)\\(tests?|benchmarks?|fixtures?|specs?)\\$`)

// withoutNewSpaces is where the namespaces of tests lie, but for those that come newly: where
// old ones lie stays. A namespace of a library for tests is none of the project's.
func withoutNewSpaces(places, spaces object, other string) object {
	previous, _ := parseJSON(other)
	old, _ := dig(previous, "autoload-dev", "psr-4").(object)
	kept := object{}
	for name, v := range spaces {
		dir, _ := v.(string)
		if old[name] == nil && other != "" && testSpace().MatchString(name) && !runnerSpace().MatchString(name) &&
			testfile.Is(path.Join(dir, "x.php")) {
			continue
		}
		kept[name] = v
	}
	out := without(places, "psr-4")
	if len(kept) > 0 {
		out["psr-4"] = kept
	}
	return out
}

// runnerProgram is a name that a command of tests or of a gate may have.
var runnerProgram = pattern.Lazy(`(?i)unit|pest|spec|behat|codecept|test|check|stan|psalm|phan|rector|cs|kahlan|infection`)

// runnerSpace are the namespaces of test libraries.
var runnerSpace = pattern.Lazy(`(?i)^\\?(PHPUnit|Pest|Mockery|Prophecy|Codeception|Behat|PhpSpec|` +
	`SebastianBergmann)\b`)

// presets keeps what CMake's presets say of tests.
func presets(_ *Rules, _, text, _ string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	return keep(doc, "testPresets", "workflowPresets")
}

func denoJSON(_ *Rules, _, text, _ string) any {
	doc, ok := parseCommented(text)
	if !ok {
		return text
	}
	out := keep(doc, "tasks", "test", "bench", "exclude")
	imports, _ := doc["imports"].(object)
	for name, v := range imports {
		if strings.Contains(name, "assert") || strings.Contains(name, "test") ||
			strings.HasPrefix(name, "@std") || strings.HasPrefix(name, "std") {
			out["import "+name] = v
		}
	}
	return out
}
