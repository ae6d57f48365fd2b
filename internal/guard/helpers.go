package guard

import (
	"path"
	"strings"
)

// Some helpers of tests cannot be told by the name of their file: a Go package
// that takes a *testing.T, a C++ file with the main function of all tests.

var (
	goTesting  = lazy(`(?m)^\s*(import\s+)?(\w+\s+)?"testing"\s*$`)
	goTestArgs = lazy(`\*testing\.[TBFM]\b|\btesting\.TB\b`)
	testPart   = lazy(`(?i)(^|[_-])tests?($|[_-])|^test(ing|util|help|kit|lib|support|suite|env|data|harness|fixture|common|framework)|[a-z]test$|test(ing|utils?|helpers?|kit)$`)
)

// isGoHelper tells a Go file that serves tests: by what it takes, and by a name on
// its path. A library for others' tests is a product of its own.
func isGoHelper(s step) bool {
	if path.Ext(s.path) != ".go" || !s.existed {
		return false
	}
	named := false
	for _, part := range strings.Split(strings.TrimSuffix(s.path, ".go"), "/") {
		named = named || testPart().MatchString(part)
	}
	return named && goTesting().Match(s.before) && goTestArgs().Match(s.before)
}

var (
	cMain      = lazy(`(?m)^\s*(extern\s+"C"\s+)?(int|auto|void)\s+main\s*\(`)
	cFramework = lazy(`(?m)^\s*(TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_\w*TEST_CASE|Test|ParameterizedTest)\s*\(`)
	cRunsAll   = lazy(`RUN_ALL_TESTS|Catch::Session|doctest::Context|unit_test_main|criterion_run_all_tests|CommandLineTestRunner|QTEST_|UNITY_BEGIN|cmocka_run|CU_\w*run`)
)

// takesMain tells a new C or C++ test whose main function would be linked in place
// of the one that the framework of the tests beside it brings.
func (g *Guard) takesMain(s step) bool {
	code := lex(languageOf(s.path), string(s.after)).code()
	if !cMain().MatchString(code) || cRunsAll().MatchString(code) {
		return false
	}
	names, err := g.tree.List(path.Dir(s.path))
	if err != nil {
		return false
	}
	framework := false
	for _, name := range names {
		p := path.Join(path.Dir(s.path), name)
		if lang := languageOf(p); lang == nil || lang.name != "c" || !isTestName(p) {
			continue
		}
		text, err := g.tree.ReadFile(p)
		if err != nil {
			continue
		}
		if cMain().Match(text) && !cRunsAll().Match(text) {
			return false // here each file is a program
		}
		framework = framework || cFramework().Match(text)
	}
	return framework
}
