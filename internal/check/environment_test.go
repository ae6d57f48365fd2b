package check

import (
	"context"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill"
)

// TestOutputsOfABrokenEnvironment reads whole outputs, as the distiller sees them.
func TestOutputsOfABrokenEnvironment(t *testing.T) {
	t.Parallel()
	const wantsJest = `{"devDependencies": {"jest": "^29"}}`
	for name, c := range map[string]struct {
		output string
		exit   int
		files  map[string]string
		want   string
	}{
		"curl, elsewhere":                {output: "curl: (7) Failed to connect to example.com port 443 after 3 ms: Couldn't connect to server\n", exit: 7, want: "example.com"},
		"curl, no name":                  {output: "curl: (6) Could not resolve host: example.com\n", exit: 6, want: "the network"},
		"curl, the code's server":        {output: "curl: (7) Failed to connect to localhost port 8080 after 0 ms: Couldn't connect to server\n", exit: 7},
		"a missing runner":               {output: "\n> test\n> vitest run\n\nsh: 1: vitest: not found\n", exit: 127, want: "vitest is not installed"},
		"a missing runner, by npm":       {output: "sh: 1: vitest: not found\nnpm ERR! Test failed.  See above for more details.\n", exit: 1, want: "vitest is not installed"},
		"a missing tool":                 {output: "sh: cargo: command not found\n", exit: 127, want: "cargo is not installed"},
		"a function that the code lacks": {output: "tests/t.sh: line 3: greet: command not found\n", exit: 127},
		"no linker":                      {output: "error: linker `cc` not found\n  |\n  = note: No such file or directory (os error 2)\n\nerror: could not compile `x` (bin \"x\") due to 1 previous error\n", exit: 101, want: "cc is not installed"},
		"no Java":                        {output: "The JAVA_HOME environment variable is not defined correctly,\nthis environment variable is needed to run this program.\n", exit: 1, want: "JAVA_HOME"},
		"no Java, short":                 {output: "Error: JAVA_HOME is not defined correctly.\n  We cannot execute\n", exit: 1, want: "JAVA_HOME"},
		"pip without a network":          {output: "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken by 'NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused')': /simple/requests/\nERROR: Could not find a version that satisfies the requirement requests (from versions: none)\nERROR: No matching distribution found for requests\n", exit: 1, want: "could not be downloaded"},
		"pip, no such version":           {output: "ERROR: Could not find a version that satisfies the requirement requests==99 (from versions: 2.0)\nERROR: No matching distribution found for requests==99\n", exit: 1},
		"postgres is away":               {output: "==================================== ERRORS ====================================\n___________________________ ERROR at setup of test_a ___________________________\ntests/conftest.py:5: in db\n    psycopg2.connect(host=\"localhost\")\nE   psycopg2.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused\n=========================== short test summary info ============================\nERROR tests/test_a.py::test_a - psycopg2.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused\n1 error in 0.10s\n", exit: 1, want: "port 5432"},
		"postgres is away, for one":      {output: "==================================== ERRORS ====================================\n___________________________ ERROR at setup of test_a ___________________________\ntests/conftest.py:5: in db\n    psycopg2.connect(host=\"localhost\")\nE   psycopg2.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused\n=========================== short test summary info ============================\nERROR tests/test_a.py::test_a - psycopg2.OperationalError: connection to server at \"localhost\" (127.0.0.1), port 5432 failed: Connection refused\n2 passed, 1 error in 0.10s\n", exit: 1, want: ""},
		"nothing installed": {
			output: "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'jest'\nRequire stack:\n- /x/a.js\n    at Function._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n  code: 'MODULE_NOT_FOUND'\n",
			exit:   1, files: map[string]string{"package.json": wantsJest}, want: "jest is not installed",
		},
		"installed, but not that":    {output: "Error: Cannot find module 'jest'\n", exit: 1, files: map[string]string{"package.json": wantsJest, "node_modules/a/package.json": "{}"}, want: "jest is not installed"},
		"a module of the code":       {output: "Error: Cannot find module './jest'\n", exit: 1, files: map[string]string{"package.json": wantsJest}},
		"a package nobody asks for":  {output: "Error: Cannot find module 'lodash'\n", exit: 1, files: map[string]string{"package.json": wantsJest}},
		"a test of such words":       {output: "TAP version 13\n1..1\nnot ok 1 - says what is missing\n  ---\n  message: 'sh: 1: vitest: not found'\n  ...\n# tests 1\n# pass 0\n# fail 1\n", exit: 1},
		"an assertion on such words": {output: "=================================== FAILURES ===================================\n____________________________________ test_a ____________________________________\n    def test_a():\n>       assert explain() == \"port 5432 failed: Connection refused\"\nE       AssertionError: assert 'x' == 'port 5432 failed: Connection refused'\n\ntests/test_a.py:4: AssertionError\n=========================== short test summary info ============================\nFAILED tests/test_a.py::test_a - AssertionError: assert 'x' == 'port 5432 failed: Connection refused'\n1 failed in 0.10s\n", exit: 1},
		"Java in a test's words":     {output: "--- FAIL: TestJava (0.00s)\n    a_test.go:5: Error: JAVA_HOME is not defined correctly.\nFAIL\nFAIL\texample.com/a\t0.01s\n", exit: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := New(Config{Dir: t.TempDir(), LogDir: t.TempDir()})
			testkit.Write(t, r.c.Dir, c.files)
			read, err := distill.Read(context.Background(), strings.NewReader(c.output), distill.Options{Dir: r.c.Dir, ExitCode: &c.exit})
			if err != nil {
				t.Fatal(err)
			}
			s := Summary{Counts: testreport.Counts{Passed: read.Passed, Failed: read.Failed}}
			for _, f := range read.Failures {
				s.Failures = append(s.Failures, failure.Failure{Test: f.Test, Message: f.Message, Kind: f.Kind})
			}
			got := r.environmentFault(Result{Step: Step{Kind: Test}, ExitCode: c.exit, Tail: c.output, Summary: s}).Cause
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q; read were %+v", got, c.want, s.Failures)
			}
		})
	}
}
