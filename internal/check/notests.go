package check

import (
	"bufio"
	"errors"
	"os"
	"regexp"
	"sync"
)

// ranNothing is what runners say when there was nothing to run.
var ranNothing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)` +
		`\[no test files\]|\[no tests to run\]|warning: no tests to run|matched no packages|no packages to test` + // go
		`|^collected 0 items|no tests ran in |^ran 0 tests in |^no tests ran` + // pytest, unittest
		`|^no tests found, exiting|^no test files found|^\s*0 passing` + // jest, vitest, mocha
		`|^running 0 tests` + // cargo
		`|^(?:#|ℹ) tests 0\s*$|^1\.\.0\b` + // node:test, TAP, bats
		`|tests run: 0,|no tests to run\.|:test NO-SOURCE` + // maven, gradle
		`|\b0 examples, 0 failures|\b0 runs, 0 assertions|no tests executed!|no tests were found!!!` + // rspec, minitest, phpunit, ctest
		`|no test is available in|there are no tests to run|\| 0 passed \| 0 failed|^ran 0 tests across|error: no test modules found`) // dotnet, mix, deno, bun
})

// ranSomething is what they say when a test did run.
var ranSomething = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?mi)` +
		`^ok +\t\S+\t(?:\(cached\)|[0-9.]+s)(?:\s+coverage: .*)?\s*$|^\s*--- (?:PASS|FAIL|SKIP)|^FAIL\t` +
		`|\b[1-9][0-9]* (?:passed|passing|failed|failing|skipped|examples?,|runs,|tests?,)` +
		`|^ran [1-9][0-9]* tests?\b|^running [1-9][0-9]* tests?` +
		`|^(?:#|ℹ) tests [1-9]|^(?:not )?ok [1-9]|tests run: [1-9]|^OK \([1-9]|\bfailures?: [1-9]|tests:\s+[1-9]`)
})

// noTests tells whether a test step ran nothing. A runner that says so of one
// part while another part ran does not count.
func noTests(res Result) bool {
	s := res.Summary
	if positive(s.Passed) || positive(s.Failed) || len(s.Failures) > 0 {
		return false
	}
	if s.NoTests || res.executed != nil { // what was skipped did not run
		return true
	}
	if !ranNothing().MatchString(res.Tail) {
		return false
	}
	return !logMatches(res.Log, ranSomething())
}

func positive(n *int) bool { return n != nil && *n > 0 }

// logMatches looks through a whole log, line by line, in bounded memory.
func logMatches(path string, re *regexp.Regexp) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		if re.MatchString(clean(line)) {
			return true
		}
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return false
		}
	}
}
