package product

import (
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/pattern"
)

// A change is reported if it adds code that only serves to please tests. Code that existed
// before passes.

// sign is a pattern of such code in a line.
type sign struct {
	langs string // names, "" for all
	text  bool   // match strings, too
	re    string
	why   string
}

const (
	notices    = "notices that tests run; code must behave the same without them"
	patches    = "changes what tests assert with"
	skipsTests = "lets code under test skip its tests"
	stops      = "ends the process where tests would run on"
)

var signs = []sign{
	{"", true, `\b(PYTEST_CURRENT_TEST|PYTEST_VERSION|PYTEST_XDIST_WORKER\w*|JEST_WORKER_ID|VITEST|` +
		`VITEST_(WORKER|POOL)_ID|VITEST_MODE|BATS_TEST_\w+|BATS_VERSION|XCTestConfigurationFilePath|` +
		`XCTestSessionIdentifier|PHPUNIT_COMPOSER_INSTALL|__PHPUNIT_PHAR__|NEXTEST|NEXTEST_RUN_ID|` +
		`NODE_TEST_CONTEXT|NODE_V8_COVERAGE|UNITTEST_RUNNING|CTEST_INTERACTIVE_DEBUG_MODE|GTEST_\w*|` +
		`RUST_TEST_THREADS|TEST_WORKER_INDEX|__coverage__)\b`, notices},
	// The system reduces a multiple of 256 to zero.
	{"", false, `(?i)\b(_?exit|exitprocess|halt)!?\s*\(\s*(-?(256|512|768|1024|1280|1536|2048|4096|` +
		`65536)|0x[0-9a-f]*00)\s*\)`, stops},
	// A skip requested by the code under test.
	{"python", true, `\bpytest\.(skip|xfail|exit|importorskip)\b|\bSkipTest\b|` +
		`_pytest\.outcomes(\s*$|[^\s]|\s+as\b|\s+import\s+[(\\*])|from\s+_pytest\s+import\s+.*\boutcomes\b|` +
		`from\s+(_?pytest|unittest)\S*\s+import\s+.*\b(skip|xfail|exit|Exit|importorskip|SkipTest|Skipped)\b`, skipsTests},
	{"java kotlin csharp", false, `\b(TestAbortedException|AssumptionViolatedException|SkipException|` +
		`SkippedException|IgnoreException|InconclusiveException|SuccessException)\b|\bAssum(e|` +
		`ptions)\.\w+\(|\bAssert\.(Ignore|Inconclusive|Pass)\(`, skipsTests},
	{"ruby", false, `\b(Minitest|MiniTest)::Skip\b|\bRSpec::Core::Pending\b|SkipDeclaredInExample`,
		skipsTests},
	{"php", false, `\bmarkTest(Skipped|Incomplete)\b|\bSkipped(WithMessage|Test)\w*\b`, skipsTests},
	{"swift", false, `\bXCTSkip\w*\b`, skipsTests},
	{"c", false, `\bGTEST_SKIP\b|(^|[^\w.>])_?exit\s*\(\s*77\s*\)`, skipsTests},
	{"go", false, `\bruntime\.Goexit\(`, skipsTests},
	// Go
	{"go", false, `\btesting\.(Testing|CoverMode)\(`, notices},
	{"go", true, `flag\.Lookup\("test\.|os\.Args\b.*(\.test\b|_test\b|-test\.)|"test\.v"|"test\.run"|` +
		`"-test\.`, notices},
	{"go", false, `^(func|var|const|type)\s+(true|false|nil|error|panic|len|recover|append|string|` +
		`int|bool)\b`, patches},
	// Python
	{"python", true, `['"](_?pytest|unittest|nose2?|doctest|py\.test|` +
		`hypothesis)(\.\w+)*['"]\s+(not\s+)?in\s+(sys\.modules|sys\.argv|list\(sys\.modules|` +
		`set\(sys\.modules|globals|\w*modules|" ".join|str\(sys)|sys\.modules(\.get\(|\[|\.keys\(\)|` +
		`\.__contains__\()\s*['"](_?pytest|unittest|nose|doctest|conftest)|\b(sys\.argv|__main__|` +
		`sys\._getframe|inspect|traceback)\b.*['"]\S*(pytest|unittest|test_|conftest)|` +
		`find_spec\(\s*['"]_?pytest|['"](PYTEST|UNITTEST|TESTING|IS_TEST|RUNNING_TESTS|` +
		`UNIT_TEST)\w*['"]|\bsettings\.TESTING\b|['"]test['"]\s+in\s+sys\.argv`, notices},
	{"python", true, `f_code\.co_(name|filename).*test|` +
		`['"]test_?['"]\s+in\s+[\w.()]*(frame|stack|caller|filename|co_name)`, notices},
	{"python", false, `\bTestCase\.\w+\s*=[^=]|\b(pytest|unittest|_pytest)(\.\w+)+\s*=[^=]|` +
		`\b__builtins__\s*[\[.].*=[^=]|setattr\(\s*(\w+\.)*(pytest|unittest|builtins|__builtins__|` +
		`TestCase)\b|\bsys\.exit\s*=|\bbuiltins\.(AssertionError|BaseException|Exception|isinstance|` +
		`len|any|all|bool|int|float|str|list|dict|tuple|set|abs|sum|round|sorted|__build_class__|` +
		`__import__)\s*=|\bsys\.(settrace|setprofile)\(\s*lambda|\bgc\.get_(objects|referrers)\(|` +
		`\bf_(locals|globals)\s*\[[^\]]*\]\s*=[^=]|` +
		`['"]\s*['"]\s*:\s*lambda\s+\w+\s*,\s*\w+\s*:\s*True|\b__(eq|ne)__\s*=\s*\w+\s*$|` +
		`\bPyFrame_LocalsToFast|\bforbiddenfruit|\bcurse\(`, patches},
	{"python", true, `['"]__(eq|ne)__['"]\s*:|setattr\([^)]*['"]__(eq|ne)__['"]|^\s*TEST_RUNNER\s*=`,
		patches},
	{"python", true, `from\s+unittest\.mock\s+import\s+.*\bANY\b|\bmock\.ANY\b|` +
		`sys\.modules\s*\[\s*['"](pytest|unittest|tests?\b|conftest|([\w.]*\.)?test_)`, patches},
	// JavaScript and TypeScript
	{"js", false, `^\s+.*\bif\s*\(\s*!?import\.meta\.vitest|\breturn\b.*\bimport\.meta\.vitest|` +
		`\bimport\.meta\.vitest\s*\?[^.]|=\s*!!?\s*import\.meta\.vitest`, notices},
	{"js", true, `NODE_ENV['"\]]*\s*[!=]==?\s*['"\x60]test|` +
		`['"\x60]tests?['"\x60]\s*[!=]==?\s*\S*NODE_ENV|` +
		`typeof\s+(jest|vi|vitest|describe|it|test|expect|beforeEach|afterEach|mocha|jasmine|` +
		`__vitest_\w+)\s*[!=]==?|\bglobalThis\.(jest|vi|describe|it|expect|__vitest_\w+|__jest\w*|` +
		`beforeEach|jasmine|mocha)\b|\bglobal\.(jest|describe|it|expect|beforeEach|afterEach|jasmine|` +
		`mocha)\b|['"](jest|describe|it|expect|vi|__vitest_worker__)['"]\s+in\s+(global|globalThis|` +
		`window)|process\.(argv|execArgv|env\.npm_\w+|title|mainModule)\b.*\b(jest|vitest|mocha|test|` +
		`spec)|require\.cache.*(jest|mocha|vitest|chai|test)|\.stack\b.*\.?\b(test|spec|jest|vitest|` +
		`mocha)\b|import\.meta\.env\.(MODE|TEST|VITEST)\s*[!=]*=*\s*['"]?(test|vitest)?|` +
		`npm_lifecycle_event|module\.parent\b.*test|require\.main\b.*test|\{\s*NODE_ENV\s*\}.*test`,
		notices},
	{"js", false, `\b(global|globalThis|window)\.(it|test|describe|expect|before\w*|after\w*|suite|` +
		`assert|Error)\s*=[^=]|\b(assert|expect|chai|should)(\.\w+)+\s*=[^=]|\b(Object|Array|` +
		`Function|Number|Promise|Map|Set)\.prototype\.(toString|valueOf|toJSON|every|some|includes|` +
		`indexOf|equals|forEach|map|constructor|hasOwnProperty)\s*=[^=]|` +
		`\bObject(\s+as\s+\w+\))?\.(is|keys|entries|values|getPrototypeOf)\s*=[^=]|` +
		`\bprocess\.(exit|reallyExit|emit|on)\s*=[^=]|\basymmetricMatch\b|\$\$typeof.*|` +
		`\bconsole\.assert\s*=[^=]|\bJSON\.stringify\s*=[^=]|` +
		`Object\.defineProperty\(\s*(assert|expect|globalThis|global)\b`, patches},
	{"js", true, `require\(\s*['"](node:)?(assert|test|chai|expect|jest|vitest|` +
		`@jest/globals)(/strict)?['"]\s*\)(\.\w+)+\s*=[^=]|Object\.(defineProperty|defineProperties|` +
		`assign)\(\s*(require\(\s*['"](node:)?(assert|test|chai|expect|jest|vitest)|process\s*,)|` +
		`Symbol\.for\(\s*['"]jest|require\(\s*['"](node:)?module['"]\s*\)\._|` +
		`Module\._(load|resolveFilename|extensions)`, patches},
	{"js", true, `process\.reallyExit\(`, stops},
	// Rust
	{"rust", true, `\bcfg!\(\s*(not\()?\s*test|#!?\[\s*cfg\(\s*(not\(\s*test\s*\)|` +
		`all\([^)]*not\(\s*test)|current_exe\(\).*(deps|test)|thread::current\(\)\.name\(\)|` +
		`env::args.*test|CARGO_(BIN_EXE|TARGET_TMPDIR)|"--test-threads"|"--nocapture"|` +
		`env::args.*\bdeps\b`, notices},
	{"rust", false, `\bmacro_rules!\s*(assert\w*|panic|debug_assert\w*)\b|#\[\s*(ctor|panic_handler)|` +
		`\bpanic::set_hook\b.*exit|#!\[\s*(test_runner|reexport_test_harness_main|` +
		`feature\([^)]*custom_test_frameworks|cfg_attr\(\s*test\s*,\s*no_main)`, patches},
	// JVM and .NET
	{"java kotlin", true, `forName\(\s*"(org\.junit|org\.testng|junit\.|io\.kotest|kotlin\.test)|` +
		`getProperty\(\s*"(surefire|sun\.java\.command|java\.class\.path|org\.gradle\.test)|` +
		`getResource\(\s*"/?org/junit|"(surefire|junit|org\.junit)[\w.]*"`, notices},
	{"java kotlin csharp", false, `\bRuntime\.getRuntime\(\)\.halt|\.halt\(\s*0|\bEnvironment\.FailFast`,
		stops},
	{"csharp", true, `GetAssemblies\(\).*(xunit|nunit|testhost|mstest|Test)|` +
		`ProcessName.*(testhost|test|vstest)|"(testhost|(xunit|nunit)\.[a-gik-wyz]\w*|vstest)|` +
		`Environment\.CommandLine.*(?i:test)|UnitTestDetector|FriendlyName.*(test|Test)`, notices},
	{"java kotlin", false, `^(?:(?:public|final|abstract|open|data|sealed|internal|private|` +
		`static)\s+)*(?:class|record|enum(?:\s+class)?|interface|object)\s+(Object|String|Integer|` +
		`Long|Short|Byte|Double|Float|Boolean|Character|Number|Math|System|Thread|Runnable|Iterable|` +
		`Comparable|StringBuilder|Throwable|Exception|RuntimeException|Error|AssertionError|` +
		`\w*ArgumentException|IllegalStateException|Int|Any|Unit|List|Map|Set|Array)\b`,
		"stands in for a class of the platform"},
	{"kotlin", false, `^\s*(?:(?:inline|internal|public|infix)\s+)*fun\s+(?:<[^>]*>\s*)?` +
		`(assert(Equals|NotEquals|True|False|Null|NotNull|Same|NotSame|Is|Fails\w*|Contains|ContentEquals|` +
		`Throws)?|fail)\s*\(`, patches},
	{"csharp java kotlin", false, `\b(class|object|record)\s+(Assert|Assertions|Xunit|NUnit)\b`, patches},
	{"csharp", false, `\[\s*(assembly:\s*)?(ModuleInitializer|` +
		`System\.Runtime\.CompilerServices\.ModuleInitializer)`, "runs before all else"},
	// Ruby
	{"ruby", true, `\bdefined\?\s*\(?\s*(::)?(RSpec|Minitest|MiniTest|Test::Unit|Cucumber)\b|` +
		`\bRails\.env\.test\?|(RAILS_ENV|RACK_ENV|APP_ENV)['"]\]?\)?\s*==\s*['"]test|` +
		`(\$0|\$PROGRAM_NAME|ARGV|\bcaller(_locations)?|\$LOADED_FEATURES|\$")(\W.*)?(\b(rspec|spec|` +
		`minitest|test)\b|_spec\b|_test\b)|(Object|Kernel)\.const_defined\?\(\s*:?['"]?(RSpec|Minitest)`,
		notices},
	{"ruby", false, `\b(module|class)\s+(::)?(RSpec|Minitest|MiniTest|Test::Unit|BasicObject)\b|` +
		`\b(Minitest|RSpec|BasicObject)(::\w+)*\.(class_eval|module_eval|prepend|include|send|` +
		`define_method)`, patches},
	// PHP
	{"php", true, `(defined|getenv|constant)\(\s*['"]PHPUNIT|` +
		`(class_exists|in_array|interface_exists)\(.*(PHPUnit|Pest)|` +
		`(APP_ENV|app\(\)->environment\().*['"]test|runningUnitTests|` +
		`\$_SERVER\[['"]argv['"]\].*(phpunit|test)|PHP_SAPI.*phpdbg`, notices},
	{"php", false, `\bnamespace\s+PHPUnit|\bclass_alias\(|\b(runkit|uopz)\w*\(`, patches},
	// Elixir
	{"elixir", true, `Mix\.env(\(\))?\s*[!=]==?\s*:test|:test\s*[!=]==?\s*Mix\.env|` +
		`ensure_loaded\?\(\s*ExUnit|whereis\(\s*ExUnit|\bMIX_ENV\b.*test|ExUnit\.\w+|` +
		`function_exported\?\(\s*ExUnit`, notices},
	{"elixir", false, `^\s*config\s+:ex_unit\b|put_(all_)?env\(\s*(:ex_unit\b|\[\s*ex_unit:)`, patches},
	{"elixir", false, `\bdefmodule\s+ExUnit|\bdefimpl\s+(ExUnit|Inspect|Kernel)|:meck\.`, patches},
	// C and C++
	{"c", false, `^\s*#\s*(if|ifdef|ifndef|elif)\b.*\b(UNIT_?TESTS?|TESTING|TEST_BUILD|RUNNING_TESTS|` +
		`GTEST\w*|CATCH_\w+|DOCTEST_\w+|IS_TEST|TEST)\b`, notices},
	{"c", true, `(program_invocation_(short_)?name|argv\[0\]|/proc/self/(exe|cmdline|comm)|` +
		`getprogname\(\)).*test|getenv\(\s*"(CTEST|GTEST|TEST|CK_)\w*`, notices},
	{"c", false, `^\s*#\s*(define|undef)\s+(assert|NDEBUG|(ASSERT|EXPECT)(_(TRUE|FALSE|EQ|NE|L[TE]|G[TE]|STR\w*|MEM\w*|FLOAT\w*|DOUBLE\w*|NEAR|THAT|` +
		`\w*THROWS?\w*|DEATH\w*|EXIT\w*|PRED\w*|HRESULT\w*|NO_FATAL\w*|CALL|NULL|NOT_NULL|PTR\w*|INT\w*|UINT\w*|` +
		`BOOL\w*|FAIL\w*|ENUM\w*|IN_RANGE|EQUAL\w*|OK|ERR\w*|GTEST\w*))?|REQUIRE(_(FALSE|THROWS\w*|NOTHROW\w*|` +
		`THAT|EQ|NE|L[TE]|G[TE]|MESSAGE|UNARY\w*))?|CHECK(_(FALSE|THROWS\w*|NOTHROW\w*|THAT|EQ|NE|L[TE]|G[TE]|` +
		`MESSAGE|UNARY\w*|EQUAL\w*))|strcmp|` +
		`memcmp|main|if|TEST(_F|_P|_CASE|_ASSERT\w*)?)\b`, patches},
	{"c", false, `^(?:[\w"]+[\s*]+)+(abort|__assert\w*|_assert|_wassert)\s*\([^;]*$`, patches},
	// Swift
	{"swift", true, `NSClassFromString\(\s*"XCT|"XCTest(?:["'./_ ]|[BCOSR]|$)|environment\[.*(XCT|TEST)|` +
		`CommandLine\.arguments.*xctest`, notices},
	{"swift", false, `\bfunc\s+XCT\w+\s*[(<]`, patches},
	// shell
	{"shell", false, `\$\{?BATS_(TEST|SUITE|FILE|RUN|ROOT|LIBEXEC|VERSION|TMPDIR|CWD|NUMBER|PARENT|OUT)(_|\b)`,
		notices},
	{"shell", true, `\btrap\s+(--\s+)?['"]?[^'"]*\bexit(\s+0)?\s*;?['"]?\s+(\w+\s+)*(EXIT|0|ERR|DEBUG)\b`,
		stops},
	{"shell", true, `^\s*(function\s+\[|\[\s*\(\s*\))|\balias\s+(test|\[|grep|diff|cmp|bats|false)=|` +
		`^\s*(function\s+)?(test|diff|cmp|grep|false|run|` +
		`assert\w*)\s*(\(\s*\))?\s*\{\s*(return(\s+0)?|true|:)?\s*;?\s*\}`, patches},
	// Lua, Dart and others
	{"lua", true, `package\.loaded\[?\.?['"]?busted|\b_G\.(describe|it|assert)\b`, notices},
	{"dart", true, `FLUTTER_TEST|Platform\.environment.*TEST|dart:test`, notices},
}

type compiledSign struct {
	sign
	regexp *pattern.Pattern
}

var signsOf = sync.OnceValue(func() func(string) []compiledSign {
	var mu sync.Mutex
	byLang := map[string][]compiledSign{}
	return func(name string) []compiledSign {
		mu.Lock()
		defer mu.Unlock()
		if list, ok := byLang[name]; ok {
			return list
		}
		list := []compiledSign{}
		for _, s := range signs {
			if s.langs == "" || strings.Contains(" "+s.langs+" ", " "+name+" ") {
				list = append(list, compiledSign{s, pattern.Compile(s.re)})
			}
		}
		byLang[name] = list
		return list
	}
})
