package shadow

import (
	"path"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var (
	cMain      = pattern.Lazy(`(?m)^\s*(extern\s+"C"\s+)?(int|auto|void)\s+main\s*\(`)
	cFramework = pattern.Lazy(`(?m)^\s*(TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|` +
		`BOOST_\w*TEST_CASE|Test|ParameterizedTest)\s*\(`)
	cRunsAll = pattern.Lazy(`RUN_ALL_TESTS|Catch::Session|doctest::Context|unit_test_main|` +
		`criterion_run_all_tests|CommandLineTestRunner|QTEST_|UNITY_BEGIN|cmocka_run|CU_\w*run`)
)

// TakesMain tells a new C or C++ test whose main function would be linked in place
// of the one that the framework of the tests beside it brings.
func TakesMain(c *checkout.Files, s checkout.Step) bool {
	code := lexer.Lex(lexer.Of(s.Path), string(s.After)).Code()
	if !cMain().MatchString(code) || cRunsAll().MatchString(code) {
		return false
	}
	names, err := c.List(path.Dir(s.Path))
	if err != nil {
		return false
	}
	framework := false
	for _, name := range names {
		p := path.Join(path.Dir(s.Path), name)
		if lang := lexer.Of(p); lang == nil || lang.Name != "c" || !checkout.IsTestName(p) {
			continue
		}
		text, err := c.ReadFile(p)
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
