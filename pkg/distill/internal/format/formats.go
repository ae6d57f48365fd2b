// Package format knows the output of single tools: rows in tables of runners and of
// linters, and a few readers with code. A stream of lines comes in; failures and counts go
// out. A reader handles only its own tool, opens files only through the given tree, and
// leaves used lines alone.
package format

import (
	"slices"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
)

// Formats lists all formats: structured ones first, then test frameworks, then
// compilers and linters. To add a tool, write a row in one of the tables, and a folder
// of outputs under testdata.
func Formats() []core.Format {
	readers := []core.Format{
		{Name: "wrappers", Read: readStreams, Core: true},
		{Name: "TeamCity", Read: readTeamCity, Core: true, Words: []string{"##teamcity["}},
		{Name: "go test", Also: []string{"gotestsum"}, Read: readGo, Counts: true, Empty: []string{"no packages to test"}},
		{Name: "go list", Read: readGoList, Words: goListWords},
		{Name: "report", Read: readReports, Core: true},
		{Name: "TAP", Read: readTAP, Counts: true, Core: true, Empty: []string{"1..0"}},
		{Name: "cargo nextest", Read: readNextest, Words: []string{"Nextest run ID", " Summary ["}, Counts: true},
		{Name: "table", Read: readRules},

		{Name: "linters", Read: readLinters},
	}
	return slices.Concat(readers, signs(), []core.Format{
		{Name: "test runner", Read: core.ReadGeneric, Core: true},
		{Name: "compiler", Read: core.ReadDiagnostics, Core: true},
		{Name: "trace", Read: core.ReadTraces, Core: true},
		{Name: "finding", Read: core.ReadFindings, Core: true},
	})
}

// signs are tools that need no reader in code: the core or the tables read them. Here stands how
// their output is recognized, and whether each of their runs prints counts.
func signs() []core.Format {
	return []core.Format{
		{Name: "jest", Signs: []string{"Test Suites: "}, Counts: true,
			Empty: []string{"No tests found, exiting with code"}},
		{Name: "dotnet test", Signs: []string{"Test run for ", "Test summary: total: "}, Counts: true,
			Empty: []string{"No test is available in"}},
		{Name: "XCTest", Also: []string{"Swift Testing"}, Signs: []string{"Test Case '"}, Counts: true},
		{Name: "GoogleTest", Signs: []string{"[==========] "}, Counts: true},
		{Name: "prove", Signs: []string{"Files="}, Counts: true},
		{Name: "ginkgo", Signs: []string{"Running Suite: "}},
		{Name: "pytest", Signs: []string{"test session starts", "short test summary info", "= FAILURES ="},
			Counts: true},
		{Name: "node:test", Signs: []string{"ℹ pass "}, Counts: true},
		{Name: "Catch2", Signs: []string{" host application."}, Counts: true,
			Empty: []string{"No test cases matched", "No tests ran"}},
		{Name: "cargo nextest", Signs: []string{"Nextest run ID"}, Counts: true},
		{Name: "cargo test", Signs: []string{"test result: ", "     Running "}, Counts: true},
		{Name: "Maven", Signs: []string{"<<< FAILURE!", "<<< ERROR!", "[INFO] BUILD "},
			Empty: []string{"[INFO] No tests to run."}},
		{Name: "vitest", Signs: []string{" RUN  v"}, Counts: true, Empty: []string{"No test files found"}},
		{Name: "mocha", Signs: []string{" passing ("}, Counts: true},
		{Name: "playwright", Signs: []string{" tests using ", " test using "}, Counts: true},
		{Name: "jasmine", Signs: []string{" specs, "}, Counts: true, Empty: []string{"No specs found"}},
		{Name: "karma", Signs: []string{": Executed "}},
		{Name: "bun test", Signs: []string{"bun test v"}, Counts: true},
		{Name: "deno test", Signs: []string{" tests from ./", " test from ./"}, Counts: true,
			Empty: []string{"error: No test modules found"}},
		{Name: "rspec", Signs: []string{"rspec ./", "rspec './", " examples, "}, Counts: true},
		{Name: "minitest", Signs: []string{" runs/s, ", " skips"}, Counts: true},
		{Name: "Pest", Signs: []string{"  FAILED  Tests\\"}, Counts: true},
		{Name: "PHPUnit", Signs: []string{"PHPUnit "}, Counts: true, Empty: []string{"No tests executed!"}},
		{Name: "ExUnit", Signs: []string{"Running ExUnit with seed"}, Counts: true},
		{Name: "bats", Signs: []string{"(in test file "}, Counts: true},
		{Name: "ScalaTest", Signs: []string{"*** FAILED ***"}},
		{Name: "Robot Framework", Signs: []string{"| FAIL |"}},
		{Name: "CTest", Signs: []string{"% tests passed, "}, Counts: true,
			Empty: []string{"No tests were found!!!"}},
		{Name: "unittest", Signs: []string{" tests in ", " test in "}, Counts: true,
			Empty: []string{"NO TESTS RAN", "Ran 0 tests in "}},
		{Name: "cucumber", Signs: []string{"Failing scenarios:", "Failing Scenarios:", "--- Failed scenarios:"}},
	}
}

// Counts reports whether a tool always prints its counts.
func Counts(name string) bool {
	return slices.ContainsFunc(Formats(), func(x core.Format) bool {
		return x.Counts && (x.Name == name || slices.Contains(x.Also, name))
	})
}
