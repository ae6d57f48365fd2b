// Package format knows what single tools print: one file for each, and one row
// in [Formats]. What comes in is a stream of lines; what goes out are failures
// and counts. A reader never looks at another one's tool, opens no file but
// through the tree it is given, and leaves alone the lines that were used.
package format

import (
	"slices"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
)

// Formats lists all formats: structured ones first, then test frameworks, then
// compilers and linters. To add one, write a function, a row, and a folder of
// outputs under testdata.
func Formats() []core.Format {
	return []core.Format{
		{Name: "folders", Read: readFolders, Core: true},
		{Name: "wrappers", Read: readStreams, Core: true},
		{Name: "JUnit XML", Read: readJUnitXML, Core: true},
		{Name: "ginkgo", Read: readGinkgo},
		{Name: "go test", Also: []string{"gotestsum"}, Read: readGo, Counts: true},
		{Name: "JSON lines", Read: readJSONLines, Core: true, Words: []string{`"Output":"`, `"log":"`}},
		{Name: "JSON report", Read: readJSON, Core: true},
		{Name: "XML report", Read: readXML, Core: true},
		{Name: "table", Read: readRules},
		{Name: "pytest-timeout", Read: readPyTimeout, Words: []string{"Timeout", "Fatal Python error: "}},
		{Name: "pytest", Read: readPytest, Counts: true},
		{Name: "unittest", Read: readUnittest, Counts: true, Empty: []string{"NO TESTS RAN"}},
		{Name: "doctest", Read: readDoctest},
		{Name: "cargo test", Also: []string{"cargo nextest"}, Read: readCargoTest, Counts: true},
		{Name: "vitest", Read: readVitest, Counts: true, Empty: []string{"No test files found"}},
		{Name: "jest", Read: readJest, Counts: true, Empty: []string{"No tests found, exiting with code"}},
		{Name: "node:test", Read: readNodeTest, Counts: true},
		{Name: "prove", Read: readProve, Counts: true},
		{Name: "TAP", Read: readTAP, Counts: true, Core: true},
		{Name: "bats", Read: readBatsPretty, Counts: true},
		{Name: "playwright", Read: readPlaywright, Counts: true, Words: []string{"Running ", " › "}},
		{Name: "mocha", Read: readMocha, Counts: true},
		{Name: "jasmine", Read: readJasmine, Counts: true, Empty: []string{"No specs found"}},
		{Name: "ava", Read: readAva, Counts: true},
		{Name: "bun test", Read: readBun, Counts: true, Words: []string{"bun test v"}},
		{Name: "deno test", Read: readDeno, Counts: true, Words: []string{" => ", " passed"}, Empty: []string{"error: No test modules found"}},
		{Name: "PHPUnit", Read: readPHPUnit, Counts: true, Empty: []string{"No tests executed!"}},
		{Name: "PHPUnit", Read: readTestDox},
		{Name: "Pest", Read: readPest, Counts: true},
		{Name: "ExUnit", Read: readExUnit, Counts: true},
		{Name: "dotnet test", Read: readDotnet, Counts: true},
		{Name: "XCTest", Also: []string{"Swift Testing"}, Read: readSwift, Counts: true},
		{Name: "busted", Read: readBusted},
		{Name: "rspec", Read: readRSpec, Counts: true},
		{Name: "minitest", Read: readMinitest, Counts: true},
		{Name: "JUnit", Read: readJUnitConsole},
		{Name: "Maven", Read: readMaven, Empty: []string{"[INFO] No tests to run."}},
		{Name: "Gradle", Read: readGradle},
		{Name: "TestNG", Read: readTestNG},
		{Name: "ScalaTest", Read: readScalaTest},
		{Name: "GoogleTest", Read: readGtest, Counts: true},
		{Name: "Catch2", Read: readCatch, Counts: true, Empty: []string{"No test cases matched", "No tests ran"}},
		{Name: "doctest", Read: readDoctestCPP},
		{Name: "Boost.Test", Read: readBoost},
		{Name: "dart test", Read: readDart},
		{Name: "clojure.test", Read: readClojure},
		{Name: "zig test", Read: readZig, Words: []string{"test.", "failed."}},
		{Name: "cucumber", Read: readCucumber, Words: []string{"scenario"}},
		{Name: "Robot Framework", Read: readRobot, Words: []string{"| FAIL |"}},

		{Name: "eslint", Read: readEslint},
		{Name: "shellcheck", Read: readShellcheck},
		{Name: "biome", Read: readBiome},
		{Name: "PHPStan", Read: readPHPStan},
		{Name: "php", Read: readPHPErrors},
		{Name: "deno check", Read: readDenoCheck, Words: []string{"[ERROR]"}},
		{Name: "rustc", Read: readArrows},
		{Name: "shapes", Read: readShapes},
		{Name: "ld", Read: readLinker},
		{Name: "CTest", Read: readCTest, Counts: true, Empty: []string{"No tests were found!!!"}},
		{Name: "make", Read: readMake},
		{Name: "npm", Read: readNpm},

		{Name: "test runner", Read: core.ReadGeneric, Core: true},
		{Name: "compiler", Read: core.ReadDiagnostics, Core: true},
		{Name: "trace", Read: core.ReadTraces, Core: true},
		{Name: "finding", Read: core.ReadFindings, Core: true},
	}
}

// Counts tells whether a tool of this name tells its counts however its run
// ends.
func Counts(name string) bool {
	return slices.ContainsFunc(Formats(), func(x core.Format) bool {
		return x.Counts && (x.Name == name || slices.Contains(x.Also, name))
	})
}
