package runner

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// A keeper tells what a build file must go on to name: the sources of a test
// program, the libraries that tests use. More may be named, and the rest of the
// file is free.
type keeper struct {
	names []string
	list  func(text string) []string
	what  string
}

var keepers = []keeper{
	{[]string{"**/{CMakeLists.txt,*.cmake,meson.build,Makefile.am}"}, testSources, "a test source"},
	{[]string{"**/Makefile.am"}, automakeTests, "a test program"},
	{[]string{"**/pom.xml"}, testDependencies, "a library of tests"},
	{[]string{"**/settings.gradle", "**/settings.gradle.kts"}, gradleProjects,
		"a project with its tests"},
}

// judgeKept refuses a build file that no longer names what it must.
func judgeKept(s checkout.Step) string {
	for _, k := range keepers {
		if !s.Existed || !checkout.MatchAny(k.names, s.Path) {
			continue
		}
		now := k.list(string(s.After))
		for _, old := range k.list(string(s.Before)) {
			at := slices.Index(now, old)
			if at < 0 {
				return fmt.Sprintf("The file names %s that must stay: %s.", k.what, diff.Shorten(old))
			}
			now = slices.Delete(now, at, at+1)
		}
	}
	return ""
}

var buildWord = pattern.Lazy(`[\w./+-]+\.\w+`)

// testSources are the test files that a build file names.
func testSources(text string) []string {
	var out []string
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

func automakeTests(text string) []string {
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
func gradleProjects(text string) []string {
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
func testDependencies(text string) []string {
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
			if e.Name.Local == "dependency" && dep["scope"] == "test" {
				out = append(out, dep["groupId"]+":"+dep["artifactId"])
			}
		}
	}
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
