package runner

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// IsIgnoreFile tells a file by which tools pass over others.
func IsIgnoreFile(p string) bool {
	switch base := path.Base(p); base {
	case ".gitignore", ".gitattributes", ".ignore", ".rgignore", ".fdignore":
		return true
	}
	return false
}

// typicalTests stand for the tests of a repository that we have not listed.
var typicalTests = []string{
	"a_test.go", "pkg/a_test.go", "test_a.py", "tests/test_a.py", "tests/unit/test_a.py", "a.test.js",
	"src/a.test.ts", "src/a.spec.ts", "src/__tests__/a.js", "test/a.js", "test/a.test.js",
	"tests/a.rs", "src/test/java/ATest.java", "spec/a_spec.rb", "test/a_test.rb", "tests/ATest.php",
	"test/a_test.exs", "tests/test_a.c", "tests/a_test.cc",
	"A.Tests/ATests.cs", "Tests/ATests.swift", "test/a.bats",
}

// typicalData stand for what tests read.
var typicalData = []string{"testdata/a.txt", "pkg/testdata/a.golden", "src/__snapshots__/a.test.js.snap", "tests/fixtures/a.json"}

// judgeIgnore refuses new lines of an ignore or attribute file that fit tests.
func (r *Rules) judgeIgnore(s checkout.Step) string {
	before := map[string]bool{}
	for _, line := range strings.Split(string(s.Before), "\n") {
		before[strings.TrimSpace(line)] = true
	}
	after := map[string]bool{}
	for _, line := range strings.Split(string(s.After), "\n") {
		after[strings.TrimSpace(line)] = true
	}
	for line := range before {
		if kept, is := strings.CutPrefix(line, "!"); is && !after[line] &&
			r.hidesTest(path.Dir(s.Path), kept) {
			return "Without the line " + line + " tests would be hidden from git."
		}
	}
	for _, line := range strings.Split(string(s.After), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "!") || before[line] {
			continue
		}
		pattern := line
		if strings.Contains(path.Base(s.Path), "attributes") {
			glob, attributes := attributesOf(line)
			if isHarmless(attributes) {
				continue
			}
			pattern = glob
		}
		if r.hidesTest(path.Dir(s.Path), pattern) {
			return "The line " + line + " would hide tests from git."
		}
	}
	return ""
}

// byProduct is a folder, or a file without an ending, that running tests leaves beside them.
var byProduct = pattern.Lazy(`/\.?(te?mp|cache|\w+[_-]cache|out|outputs?|logs?|locks?|build|_build|coverage|` +
	`results?|reports?|artifacts?|node_modules)$`)

// hidesTest tells whether an ignore pattern fits a test, a known one or a typical one.
func (r *Rules) hidesTest(dir, pattern string) bool {
	plain := strings.Trim(pattern, "/")
	if p := path.Join(dir, plain); !strings.ContainsAny(plain, "*?[") && r.IsTest(p) {
		// Beside tests also what they build is put, which does not stand there yet.
		if kind, err := r.Kind(p); err != nil || kind != checkout.Absent ||
			r.IsTest(plain) && !byProduct().MatchString(plain) {
			return true
		}
	}
	globs := []string{plain, plain + "/**"}
	if !strings.Contains(strings.TrimSuffix(pattern, "/"), "/") {
		globs = append(globs, "**/"+plain, "**/"+plain+"/**")
	}
	if strings.HasSuffix(pattern, "/") {
		globs = globs[1:]
		if len(globs) > 1 {
			globs = []string{globs[0], globs[2]}
		}
	}
	var tests []string
	for _, t := range r.testsOnDisk() {
		if below, is := strings.CutPrefix(t, dir+"/"); is || dir == "." {
			tests = append(tests, below)
		}
	}
	if len(tests) > 0 || dir == "." || r.IsTest(path.Join(dir, "a.json")) { // elsewhere no test reads anything
		tests = append(tests, typicalData...)
	}
	tests = append(tests, typicalTests...)
	for _, t := range tests {
		for _, glob := range globs {
			if doublestar.MatchUnvalidated(glob, t) {
				return true
			}
		}
	}
	return false
}

// testsOnDisk lists tests of the checkout, as many as a bounded walk finds.
func (r *Rules) testsOnDisk() []string {
	var found []string
	r.Walk(func(p string) {
		if r.IsTest(p) {
			found = append(found, p)
		}
	})
	return found
}
