package guard

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/bmatcuk/doublestar/v4"
)

// A partRunner is a file of which only a part concerns the runner: that part must
// stay as it is, the rest is free. slice cuts the part out of the text, in a form
// that two versions can be compared by; exists is false for a file that is absent.
type partRunner struct {
	names []string
	slice func(g *Guard, p, text string, other string) any
	what  string
}

var partRunners = []partRunner{
	{[]string{"**/package.json"}, packageJSON, "its scripts and test sections"},
	{[]string{"**/pyproject.toml"}, pyproject, "its test sections"},
	{[]string{"**/Cargo.toml"}, cargoTOML, "its test tables"},
	{[]string{"**/go.mod"}, goMod, "what it says about tests"},
	{[]string{"**/{GNUmakefile,makefile,Makefile,Makefile.am,Makefile.in,Makefile.inc,*.mk,*.mak}", "**/{justfile,.justfile,Justfile}"}, makeFile, "its test targets"},
	{[]string{"**/composer.json"}, composerJSON, "its scripts and test sections"},
	{[]string{"**/deno.{json,jsonc}"}, denoJSON, "its tasks and test sections"},
	{[]string{"**/build.gradle", "**/build.gradle.kts", "**/settings.gradle", "**/settings.gradle.kts", "**/gradle.properties", "**/build.sbt", "**/build.xml", "**/*.gradle", "**/*.gradle.kts"}, blockSlice(gradleWords), "its test settings"},
	{[]string{"**/pom.xml"}, pomXML, "its test settings"},
	{[]string{"**/mix.exs"}, blockSlice(mixWords), "its test settings"},
	{[]string{"**/{CMakeLists.txt,*.cmake,meson.build,BUILD,BUILD.bazel,Package.swift,dune,SConstruct}"}, lineSlice(cmakeWords), "its lines about tests"},
	{[]string{"**/{Rakefile,rakefile,Rakefile.rb,rakefile.rb,*.rake,Guardfile,Taskfile.yml,Taskfile.yaml,setup.py,build.rs,Gruntfile.js,gulpfile.js}", "{tasks,dodo}.py"}, blockSlice(taskWords), "its test tasks"},
	{[]string{"**/{vite,astro,svelte,webpack,rspack,rollup}.config.*"}, blockSlice(viteWords), "its test settings"},
	{[]string{"**/{*.csproj,*.fsproj,*.vbproj,*.sln,*.props,*.slnx,global.json}"}, dotnetLines, "its test settings"},
	{[]string{"**/{Gemfile,requirements*.txt,Pipfile}"}, lineSlice(sourceWords), "where its test libraries come from"},
	{[]string{"**/{mise,.mise}.toml"}, miseTOML, "its tasks and its environment"},
	{[]string{"**/pnpm-workspace.yaml"}, lineSlice(pnpmWords), "its packages and where they come from"},
	{[]string{"**/setup.cfg"}, setupCfg, "its test sections"},
	{[]string{"**/CMake{,User}Presets.json"}, presets, "its test presets"},
	{[]string{"**/rust-toolchain{,.toml}"}, lineSlice(`^\s*path\b`), "where the toolchain comes from"},
	{[]string{"**/{tsconfig,jsconfig}*.json"}, lineSlice(tsconfigWords), "where it finds test libraries"},
}

func partRunnerOf(p string) *partRunner {
	for i := range partRunners {
		for _, glob := range partRunners[i].names {
			if doublestar.MatchUnvalidated(glob, p) {
				return &partRunners[i]
			}
		}
	}
	return nil
}

// judgePartRunner compares the parts that concern the runner.
func (g *Guard) judgePartRunner(s step) string {
	if isIgnoreFile(s.path) {
		return g.judgeIgnore(s)
	}
	if g.isTarget(s) {
		return "make would take the file for its target of tests, and run none."
	}
	if reason := judgeKept(s); reason != "" && s.stays {
		return reason
	}
	if g.dropsAsserts(s) {
		return "A release build compiles the tests' assertions away; leave the build type as it is."
	}
	part := partRunnerOf(s.path)
	if part == nil && g.fold {
		part = partRunnerOf(foldCase(s.path))
	}
	if part == nil && g.isIncluded(s.path) {
		part = partRunnerOf("Makefile")
	}
	if part == nil {
		return ""
	}
	if replacesSymbols(s) {
		return "An option of the linker or the preprocessor would replace what tests are made of."
	}
	if reason := g.shadowsMake(s); reason != "" {
		return reason
	}
	if !s.existed && path.Base(s.path) == "go.mod" && path.Dir(s.path) != "." {
		return "A nested go.mod takes its directory out of the tests; it may not be added."
	}
	before, after := part.slice(g, s.path, string(s.before), string(s.after)), part.slice(g, s.path, string(s.after), string(s.before))
	if reflect.DeepEqual(before, after) {
		return ""
	}
	if old, is := before.(registrations); is && old.extends(after.(registrations)) {
		return ""
	}
	return fmt.Sprintf("The file also configures or starts tests; %s must stay as they are.", part.what)
}

// shadowsMake tells a make file that make would read instead of the one it reads.
func (g *Guard) shadowsMake(s step) string {
	order := []string{"GNUmakefile", "makefile", "Makefile"}
	if s.existed || !s.stays {
		return ""
	}
	for i, name := range order {
		if !strings.EqualFold(path.Base(s.path), name) {
			continue
		}
		for _, other := range order[i:] {
			p := path.Join(path.Dir(s.path), other)
			if kind, err := g.tree.Kind(p); err == nil && kind == File && p != s.path {
				return "make would read this file instead of " + other + "."
			}
		}
	}
	return ""
}

// testLibraries are packages whose origin must not change.
var testLibrary = lazy(`(?i)^@?(jest|vitest|mocha|chai|ava|tap|jasmine|sinon|expect|cypress|playwright|testing-library|types/jest|ts-jest|babel-jest|pytest|unittest|hypothesis|tox|nose|phpunit|pest|rspec|minitest|test-unit|proptest|quickcheck|rstest|insta|pretty_assertions|testify|ginkgo|gomega)\b|/(testify|ginkgo|gomega|go-cmp|phpunit|pest)\b|^(phpunit|pestphp)/|^@(jest|vitest|playwright|testing-library)/`)

var foreignSource = lazy(`^(file|link|portal|npm|git|git\+\w+|github|http|https|workspace|patch):|^[./]|^[\w-]+/[\w-]+`)

type object = map[string]any

// packageJSON keeps what npm and test tools read, and test packages that come
// from an unusual place.
func packageJSON(_ *Guard, _, text, other string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	out := object{}
	for _, k := range []string{"scripts", "jest", "vitest", "mocha", "ava", "tap", "nyc", "c8", "cypress", "jasmine", "babel", "config", "pre-commit", "husky", "lint-staged", "wireit", "nx", "pnpm", "directories", "testem", "xo", "packageManager", "volta"} {
		if v, has := doc[k]; has {
			out[k] = v
		}
	}
	if name, _ := doc["name"].(string); testLibrary().MatchString(name) {
		out["name"] = name // a workspace of that name is taken for the library
	}
	previous, _ := parseJSON(other)
	if lost := missing(previous["workspaces"], doc["workspaces"]); lost {
		out["workspaces"] = doc["workspaces"]
	}
	for _, k := range []string{"dependencies", "devDependencies", "overrides", "resolutions", "optionalDependencies", "peerDependencies", "imports"} {
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

func parseJSON(text string) (object, bool) {
	if strings.TrimSpace(text) == "" {
		return object{}, true
	}
	var doc object
	err := json.Unmarshal([]byte(text), &doc)
	return doc, err == nil && doc != nil
}

// missing tells whether a list lost an element.
func missing(before, after any) bool {
	old, _ := before.([]any)
	new, _ := after.([]any)
	for _, o := range old {
		found := false
		for _, n := range new {
			found = found || reflect.DeepEqual(o, n)
		}
		if !found {
			return true
		}
	}
	return false
}

func keep(doc object, keys ...string) object {
	out := object{}
	for _, k := range keys {
		if v, has := doc[k]; has {
			out[k] = v
		}
	}
	return out
}

func composerJSON(_ *Guard, _, text, _ string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	out := keep(doc, "scripts", "autoload-dev", "repositories", "bin", "config", "scripts-aliases", "replace", "provide")
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

// runnerSpace are the namespaces of test libraries.
var runnerSpace = lazy(`(?i)^\\?(PHPUnit|Pest|Mockery|Prophecy|Codeception|Behat|PhpSpec|SebastianBergmann)\b`)

// presets keeps what CMake's presets say of tests.
func presets(_ *Guard, _, text, _ string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	return keep(doc, "testPresets", "workflowPresets")
}

func denoJSON(_ *Guard, _, text, _ string) any {
	doc, ok := parseJSON(text)
	if !ok {
		return text
	}
	out := keep(doc, "tasks", "test", "bench", "exclude")
	imports, _ := doc["imports"].(object)
	for name, v := range imports {
		if strings.Contains(name, "assert") || strings.Contains(name, "test") || strings.HasPrefix(name, "@std") || strings.HasPrefix(name, "std") {
			out["import "+name] = v
		}
	}
	return out
}

func parseTOML(text string) (object, bool) {
	var doc object
	err := toml.Unmarshal([]byte(text), &doc)
	return doc, err == nil
}

// miseTOML keeps all but which versions of tools are used.
func miseTOML(_ *Guard, _, text, _ string) any {
	doc, ok := parseTOML(text)
	if !ok {
		return text
	}
	delete(doc, "tools")
	return doc
}

// tables are the elements of an array of tables, in [[x]] or in x = [{}].
func tables(v any) []object {
	list, _ := v.([]object)
	values, _ := v.([]any)
	for _, e := range values {
		if t, ok := e.(object); ok {
			list = append(list, t)
		}
	}
	return list
}

// dig walks into tables by their keys.
func dig(doc object, keys ...string) any {
	var at any = doc
	for _, k := range keys {
		table, ok := at.(object)
		if !ok {
			return nil
		}
		at = table[k]
	}
	return at
}

func cargoTOML(_ *Guard, _, text, other string) any {
	doc, ok := parseTOML(text)
	if !ok {
		return text
	}
	previous, _ := parseTOML(other)
	out := keep(doc, "test", "bench")
	for _, keys := range [][]string{
		{"package", "autotests"}, {"package", "build"}, {"package", "autobins"}, {"package", "autoexamples"}, {"lib", "test"}, {"lib", "doctest"}, {"lib", "harness"}, {"lib", "path"}, {"package", "metadata", "nextest"},
		{"profile", "test"}, {"profile", "dev"}, {"workspace", "exclude"}, {"workspace", "default-members"}, {"package", "workspace"},
	} {
		if v := dig(doc, keys...); v != nil {
			out[strings.Join(keys, ".")] = v
		}
	}
	if missing(dig(previous, "workspace", "members"), dig(doc, "workspace", "members")) {
		out["members"] = dig(doc, "workspace", "members")
	}
	for _, kind := range []string{"bin", "example"} {
		for _, t := range tables(doc[kind]) {
			if t["test"] != nil || t["harness"] != nil {
				out[fmt.Sprint(kind, t["name"])] = t
			}
		}
	}
	for _, section := range []string{"patch", "replace", "dependencies", "dev-dependencies"} {
		collectForeign(out, section, doc[section])
	}
	return out
}

// collectForeign keeps test libraries taken from a place of our own.
func collectForeign(out object, at string, v any) {
	table, _ := v.(object)
	for name, sub := range table {
		spec, isTable := sub.(object)
		if !isTable {
			continue
		}
		if testLibrary().MatchString(name) && (spec["path"] != nil || spec["git"] != nil || spec["package"] != nil) {
			out[at+" "+name] = sub
		} else if strings.HasPrefix(at, "patch") {
			collectForeign(out, at+" "+name, sub)
		}
	}
}

var (
	goModReplace = lazy(`^\s*(replace\s+)?\S*(testify|onsi/|go-cmp|gotest\.tools|quicktest|gocheck|goconvey|matryer/is)\S*.*=>`)
	goModIgnore  = lazy(`^\s*(ignore\b|godebug\b|tool\b|\./)`)
)

func goMod(_ *Guard, _, text, _ string) any {
	out, inIgnore := []string{}, false
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "//")
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "ignore"):
			out, inIgnore = append(out, line), strings.HasSuffix(line, "(")
		case inIgnore && line == ")":
			inIgnore = false
		case inIgnore, goModReplace().MatchString(line), goModIgnore().MatchString(line), strings.HasPrefix(line, "module "):
			out = append(out, line)
		}
	}
	return out
}

const (
	gradleWords   = `(?i)\btests?\b|test\s*\{|Test\b|useJUnit|useTestNG|jvmTest|androidTest|sourceSets|testing\s*\{|\bcheck\b|onlyIf|enabled\s*=|ignoreFailures|\bexclude\b|taskGraph|afterEvaluate|failFast|excludeTest|filter\s*\{|TestTask\b|actions\.clear|\bsetActions|excludedTaskNames|jacoco|skipTests`
	gradleHarmles = `^\s*["']?(testImplementation|testRuntimeOnly|testCompileOnly|testFixturesImplementation|androidTestImplementation|testAnnotationProcessor|testCompile|kaptTest)\b`
	mixWords      = `\btest\b|test_\w+:|aliases|elixirc_paths|preferred_cli_env|warnings_as_errors|consolidate_protocols|cli:`
	taskWords     = `(?i)\b(test|tests|spec|specs|check|rspec|cucumber|minitest|pytest|default|verify|ci)\b|TestTask|RSpec::|cfg=|rustc-cfg|rustc-env|cmdclass|pytest11|tests_require`
	viteWords     = `(?i)\btest\s*:|vitest|\balias\b|setupFiles`
	cmakeWords    = `(?i)\b(add_test|enable_testing|include\s*\(\s*CTest|gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests|set_tests_properties|set_property\s*\(\s*TEST|ctest|CTEST_\w+|BUILD_TESTING|WILL_FAIL|DISABLED|SKIP_\w+|NDEBUG|b_ndebug|CMAKE_CROSSCOMPILING_EMULATOR|cc_test|py_test|go_test|java_test|test_suite|testTarget|test\s*\(|benchmark\s*\(|return\s*\(\s*\)|\(test\b|\(runtest|rule\b.*test)`
	dotnetWords   = `(?i)IsTestProject|xunit|nunit|mstest|Microsoft\.NET\.Test|RunSettings|VSTest|TestingPlatform|<Compile\s+Remove|<Exclude|Compile Include=.*\.\.|Project\(|Using\s+Include.*Assert|Using\s+.*(Static|Alias)`
	sourceWords   = `(?i)^\s*(gem\s+)?["']?(rspec|minitest|test-unit|cucumber|pytest|hypothesis|nose|tox|mock)[\w-]*["']?.*(path:|git:|github:|@|file:|-e\s|==0\.0)|^\s*(-e\s+|--editable\s+)?(\.|/|file:|git\+|https?:)\S*\b(pytest|hypothesis|nose|tox|rspec|minitest)\b`
	tsconfigWords = `(?i)"(jest|vitest|mocha|chai|assert|expect|@jest|@vitest|node:)[^"]*"\s*:\s*\[`
)

// registrations are the lines of a build file that speak of tests. Lines that
// merely register one more may join them.
type registrations []string

func lineSlice(words string) func(*Guard, string, string, string) any {
	re := lazy(words)
	return func(_ *Guard, _, text, _ string) any {
		out := registrations{}
		for _, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(stripComment(line, "#", "//"))
			if re().MatchString(line) {
				out = append(out, line)
			}
		}
		return out
	}
}

var dotnetVersion = lazy(`\s*\bVersion(Override)?="[^"$]*"|<Version>[^<$]*</Version>`)

// dotnetLines are the lines about tests without the versions of packages.
func dotnetLines(g *Guard, p, text, other string) any {
	return lineSlice(dotnetWords)(g, p, dotnetVersion().ReplaceAllString(text, ""), other)
}

// pnpmWords are what of a pnpm workspace reaches tests: where packages lie, and
// packages from a place of our own.
const pnpmWords = `^\s*(packages|nodeOptions|scriptShell|shellEmulator|enablePrePostScripts|pnpmfile|globalPnpmfile|patchedDependencies)\s*:|^\s*-\s*["']?[!.\w*/-]+["']?\s*$|:\s*["']?(file|link|portal|npm|workspace|patch|git|github|https?):`

var newCase = lazy(`(?i)^(add_test|gtest_discover_tests|gtest_add_tests|catch_discover_tests|doctest_discover_tests|cc_test|py_test|go_test|java_test|test|\.testTarget|\(test)\s*\(?`)

// extends tells whether the old registrations all stand, and the new ones do no
// more than add a test.
func (before registrations) extends(after registrations) bool {
	i := 0
	for _, line := range after {
		if i < len(before) && before[i] == line {
			i++
			continue
		}
		if !newCase().MatchString(line) || strings.Contains(line, "DISABLED") || strings.Contains(line, "WILL_FAIL") {
			return false
		}
	}
	return i == len(before)
}

func stripComment(line string, marks ...string) string {
	for _, m := range marks {
		if strings.HasPrefix(strings.TrimSpace(line), m) {
			return ""
		}
	}
	return line
}

// blockSlice keeps the lines that speak of tests together with the blocks that
// they open, and the headers of blocks around them.
func blockSlice(words string) func(*Guard, string, string, string) any {
	re := lazy(words)
	harmless := lazy(gradleHarmles)
	return func(_ *Guard, p, text, _ string) any {
		lang := languageOf(p)
		if lang == nil {
			lang = languageOf(sliceLanguage(p))
		}
		t := readText(lang, splitLines(text))
		out := []string{}
		for i, line := range t.live {
			line = strings.TrimSpace(line)
			if line == "" || harmless().MatchString(line) {
				continue
			}
			hit := re().MatchString(line)
			for b := t.outline.at[i]; b != nil && !hit; b = b.parent {
				hit = re().MatchString(strings.TrimSpace(t.live[b.line]))
			}
			if hit {
				out = append(out, line)
			}
		}
		return out
	}
}

// sliceLanguage is a name by whose language a build file can be read.
func sliceLanguage(p string) string {
	switch base := path.Base(p); {
	case strings.Contains(base, "ake") && !strings.HasSuffix(base, ".py"), base == "Guardfile":
		return "x.rb"
	case strings.HasPrefix(base, "Taskfile"):
		return "x.py"
	}
	return "x.kt"
}

var pomWords = lazy(`(?is)<plugin>(?:[^<]|<[^/]|</[^p]|</p[^l])*?(surefire|failsafe|jacoco|antrun|exec-maven|gmavenplus|build-helper|groovy|testng)(?:.*?)</plugin>|<(skip\w*|maven\.test\.\w+|testFailureIgnore|testSourceDirectory|testResources|failIfNoTests|argLine|surefire\.\w+|test|groups|excludedGroups|modules|sourceDirectory)>.*?</`)

// pomVersion is which release of a plugin is used.
var pomVersion = lazy(`<version>[\w.-]+</version>`)

func pomXML(_ *Guard, _, text, other string) any {
	out := []string{}
	for _, m := range pomWords().FindAllString(text, -1) {
		if strings.HasPrefix(m, "<modules>") && strings.Count(m, "<module>") >= strings.Count(other, "<module>") {
			continue
		}
		out = append(out, strings.Join(strings.Fields(pomVersion().ReplaceAllString(m, "")), " "))
	}
	return out
}
