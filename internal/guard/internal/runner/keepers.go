package runner

import (
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// A keeper tells what a build file must go on to name: the sources of a test
// program, the libraries that tests use. More may be named, and the rest of the
// file is free.
type keeper struct {
	names []string
	list  func(p, text string) []string
	// stands gives what is still named, nil where list does.
	stands func(p, text string) []string
	what   string
}

var keepers = []keeper{
	{[]string{"**/{CMakeLists.txt,*.cmake,meson.build,Makefile.am}"}, testSources, nil, "a test source"},
	{[]string{"**/Makefile.am"}, automakeTests, nil, "a test program"},
	{[]string{"**/pom.xml"}, testDependencies, seenByTests, "a library of tests"},
	{[]string{"**/pom.xml"}, mavenModules, nil, "a module with its tests"},
	{[]string{"**/settings.gradle", "**/settings.gradle.kts"}, gradleProjects, nil,
		"a project with its tests"},
	{[]string{"**/{Cargo.toml,package.json}"}, members, nil, "a package with its tests"},
}

// judgeKept refuses a build file that no longer names what it must.
func judgeKept(s checkout.Step) string {
	for _, k := range keepers {
		if !s.Existed || !checkout.MatchAny(k.names, s.Path) {
			continue
		}
		stands := k.stands
		if stands == nil {
			stands = k.list
		}
		now := stands(s.Path, string(s.After))
		for _, old := range k.list(s.Path, string(s.Before)) {
			at := slices.Index(now, old)
			if at < 0 {
				return fmt.Sprintf("The file names %s that must stay: %s.", k.what, diff.Shorten(old))
			}
			now = slices.Delete(now, at, at+1)
		}
	}
	return ""
}

var (
	// ownFolder is the folder of a file of CMake, sourceFolder that of the uppermost one.
	ownFolder    = pattern.Lazy(`\$\{CMAKE_CURRENT_SOURCE_DIR\}/`)
	sourceFolder = pattern.Lazy(`\$\{(?:CMAKE|PROJECT)_SOURCE_DIR\}/`)
)

// inOwnFolder leaves out of paths what leads to the folder in which they are looked for
// in any case.
func inOwnFolder(p, text string) string {
	if path.Base(p) != "CMakeLists.txt" {
		return text
	}
	if p == "CMakeLists.txt" {
		text = sourceFolder().ReplaceAllString(text, "")
	}
	return ownFolder().ReplaceAllString(text, "")
}

var buildWord = pattern.Lazy(`[\w./+-]+\.\w+`)

// testSources are the test files that a build file names.
func testSources(p, text string) []string {
	var out []string
	text = inOwnFolder(p, text)
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for _, word := range buildWord().FindAllString(line, -1) {
			if p := strings.TrimPrefix(word, "./"); lexer.Of(p) != nil && checkout.IsTestName(p) &&
				!slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}

var automakeLists = pattern.Lazy(`^\s*(TESTS|check_PROGRAMS|check_SCRIPTS|dist_check_SCRIPTS)\s*\+?=(.*)$`)

func automakeTests(_, text string) []string {
	var out []string
	for _, line := range strings.Split(strings.ReplaceAll(text, "\\\n", " "), "\n") {
		if m := automakeLists().FindStringSubmatch(line); m != nil {
			for _, word := range strings.Fields(m[2]) {
				out = append(out, m[1]+" "+word)
			}
		}
	}
	return out
}

var (
	gradleInclude = pattern.Lazy(`\binclude(?:Build|Flat)?\b\s*\(?[^\n]*(?:,\s*\n[^\n]*)*`)
	gradleProject = pattern.Lazy(`["']([\w:./-]+)["']`)
)

// gradleProjects are the projects that a build includes.
func gradleProjects(_, text string) []string {
	var out []string
	text = lexer.Lex(lexer.Of("x.kts"), text).Live()
	for _, statement := range gradleInclude().FindAllString(text, -1) {
		for _, m := range gradleProject().FindAllStringSubmatch(statement, -1) {
			out = append(out, strings.TrimPrefix(m[1], ":"))
		}
	}
	return out
}

// testDependencies are the libraries of the scope test.
func testDependencies(_, text string) []string { return mavenDependencies(text, " test ") }

// seenByTests are the libraries that are there when tests run: those of any scope.
func seenByTests(_, text string) []string {
	return mavenDependencies(text, "  test compile provided runtime ")
}

func mavenDependencies(text, scopes string) []string {
	var out []string
	var at []string
	var dep map[string]string
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err != nil {
			return out
		}
		switch e := token.(type) {
		case xml.StartElement:
			at = append(at, e.Name.Local)
			if e.Name.Local == "dependency" {
				dep = map[string]string{}
			}
		case xml.CharData:
			if dep != nil && len(at) > 1 && at[len(at)-2] == "dependency" {
				dep[at[len(at)-1]] += strings.TrimSpace(string(e))
			}
		case xml.EndElement:
			at = at[:max(0, len(at)-1)]
			if e.Name.Local == "dependency" && strings.Contains(scopes, " "+dep["scope"]+" ") &&
				!slices.Contains(at, "plugin") {
				out = append(out, dep["groupId"]+":"+dep["artifactId"])
			}
		}
	}
}

var mavenModule = pattern.Lazy(`<module>\s*([^<]+?)\s*</module>`)

// mavenModules are the projects that a project builds with itself.
func mavenModules(_, text string) []string {
	var out []string
	for _, m := range mavenModule().FindAllStringSubmatch(withoutRemarks(text), -1) {
		out = append(out, m[1])
	}
	return out
}

// members are the packages that a package of Rust or of npm is made of.
func members(p, text string) (out []string) {
	var list any
	if path.Base(p) == "Cargo.toml" {
		doc, _ := parseTOML(text)
		list = dig(doc, "workspace", "members")
	} else {
		doc, _ := parseJSON(text)
		if list = dig(doc, "workspaces", "packages"); list == nil {
			list = doc["workspaces"]
		}
	}
	elements, _ := list.([]any)
	for _, e := range elements {
		if name, is := e.(string); is {
			out = append(out, name)
		}
	}
	return out
}

var release = pattern.Lazy(`(?i)\bCMAKE_BUILD_TYPE\b[^#\n]*"?\b(Release|MinSizeRel|RelWithDebInfo)\b`)

const plainAssert = `(?m)^\s*#\s*include\s*<(assert\.h|cassert)>`

// dropsAsserts tells a build that is made a release, in which assert does nothing,
// where tests rely on it.
func (r *Rules) dropsAsserts(s checkout.Step) bool {
	if !checkout.MatchAny([]string{"**/{CMakeLists.txt,*.cmake,CMakePresets.json,CMakeUserPresets.json}"},
		s.Path) ||
		len(release().FindAll(s.After, -1)) <= len(release().FindAll(s.Before, -1)) {
		return false
	}
	return r.TestsMention(plainAssert, lexer.Of("x.c"))
}
