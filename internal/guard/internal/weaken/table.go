package weaken

const (
	always reach = iota // in any new line of any test
	plain               // unless under a condition: an honest test may skip on one system
	bare                // where it touches old tests
	inOld               // in any new line of an old file
	top                 // outside of functions, where it runs when the file is loaded
)

// weakness is one known way to keep tests from telling.
type weakness struct {
	langs string // names, "" for all
	reach reach
	text  bool // look at strings too
	re    string
	why   string
}

const (
	skips    = "skips a test"
	only     = "keeps other tests from running"
	quits    = "ends the test process"
	hooks    = "runs around old tests"
	collects = "changes which tests are collected"
	redefine = "redefines what tests assert with"
)

var weaknesses = []weakness{
	// Go
	{"go", plain, false, `(\b(t|b|f|tb|tt|T\(\)))\.Skip(Now|f)?\(`, skips},
	{"go", always, false, `\b(os|syscall)\.Exit\(\s*(0|[a-zA-Z_]|-?(256|512|768|1024)\b)|` +
		`\bsyscall\.Kill\(\s*(syscall|os)\.Getp\w+\(\)\s*,\s*syscall\.SIGKILL`, quits},
	{"go", always, false, `^func\s+TestMain\s*\(`, "runs before all tests of the package"},
	{"go", inOld, false, `^func\s+init\s*\(`, "runs before all tests of the package"},
	{"go", always, true, `flag\.(Set|Lookup)\("test\.|testing\.Init\(`, "configures the runner"},
	{"go", bare, false, `\bruntime\.Goexit\(|\brecover\(\)|^\s*(var\s+)?t\s*:?=|\bos\.Args\s*=|` +
		`\bselect\s*\{\s*\}`, "keeps an old test from failing"},
	{"go", always, false, `^(func|var|const|type)\s+(true|false|nil|error|panic|len|cap|string|int|` +
		`bool|append|recover|byte|rune)\b`, redefine},

	// Python
	{"python", plain, false, `\bmark\.(skip|xfail)\b|@(unittest\.)?(skip|expectedFailure)\b|` +
		`@(skip|xfail)\b|\bpytest\.(skip|xfail)\(|\.skipTest\(|raise\s+(\w+\.)*Skip(Test|ped)?\b|` +
		`\bexpectedFailure\b`, skips},
	{"python", plain, false, `^\s*raise\b.*\bSkip(Test|ped)?\b`, skips},
	{"python", always, false, `\bskip[iI]f\(\s*(True|1|not False)\b|` +
		`\bskipUnless\(\s*(False|0|not True)\b|xfail\(\s*(True|reason|strict)`, skips},
	{"python", always, false, `\bos\._exit\(\s*(0\b|[a-zA-Z_])|\bos\.(abort|execv\w*)\(|` +
		`\bos\.kill(pg)?\(\s*os\.getp|\bpytest\.exit\(|\batexit\b|\bsys\.exit\s*=`, quits},
	{"python", top, false, `^\s*(sys\.exit|exit|quit)\(\s*([^1-9\s]|[1-9]\d{2}|[1-9]\d*\s*[^\d)\s]|[1-9]\d?\s*\)\s*\S|$)|` +
		`\braise\s+SystemExit`, quits},
	{"python", plain, false, `\ballow_module_level`, skips},
	{"python", bare, false, `\b(sys\.exit|exit|quit)\(|\braise\s+SystemExit|importorskip`, quits},
	{"python", inOld, false, `^\s*pytestmark\b|^\s*__test__\b|autouse\s*=\s*True|` +
		`^\s*def\s+(setUpModule|tearDownModule|setup_module|teardown_module|setup_function|` +
		`teardown_function|setup|teardown)\b`, collects},
	{"python", bare, false, `^\s*(async\s+)?def\s+(setUp|tearDown|setUpClass|tearDownClass|` +
		`setup_method|teardown_method|setup_class|teardown_class|asyncSetUp|asyncTearDown|run|` +
		`runTest|__init__|__new__|__init_subclass__|__getattr__\w*|addTypeEqualityFunc|` +
		`shortDescription|id|countTestCases|debug|defaultTestResult|doCleanups)\b`, hooks},
	{"python", always, false, `^\s*pytestmark\s*=.*\b(skip|xfail)\b|^\s*__test__\s*=|` +
		`\bcollect_ignore|\bpytest_plugins\b`, collects},
	{"python", top, false, `^\s*(async\s+)?def\s+(pytest_\w+|load_tests)\b`, collects},
	{"python", bare, false, `\bhookimpl\b`, collects},
	{"python", always, false, `\bTestCase\.\w+\s*=|` +
		`\b(pytest|unittest|builtins|_pytest)(\.\w+)+\s*=[^=]|^\s*(pytest|unittest|builtins)\s*=[^=]|` +
		`\b__builtins__\b|setattr\(\s*(\w+\.)*(unittest|pytest|builtins|TestCase|AssertionError)\b|` +
		`\bAssertionError\s*=|\bdef\s+(assertEqual|assertTrue|assertFalse|assertIs|assertIsNot|` +
		`assertIsNone|assertIsNotNone|assertIsInstance|assertRaises|assertRaisesRegexp?|isinstance|` +
		`all|any|len|abs)\b|\bTestProgram\b|\bTextTestRunner\b|\bTextTestResult\b`, redefine},
	{"python", top, false, `^\s*del\s+\w+\.|\bsys\.modules\s*\[.*=|\bsetattr\(|` +
		`\bpatch(\.\w+)?\(.*\)\.start\(|\bimportlib\.reload|\bglobals\(\)`,
		"replaces something for all tests"},
	{"python", bare, false, `^\s*del\s|\b(globals|locals|vars)\(\)|^\s*(exec|eval)\(|\bsys\.settrace|` +
		`\bsys\.modules|\bwarnings\.filterwarnings`, "changes what old tests see"},

	// JavaScript and TypeScript
	{"js", plain, false, `\b(describe|it|test|suite|context|specify|bench|step|` +
		`Deno\.test)(\.\w+)*\.(skip|todo|fixme|failing|fails|fail|slow)\b|\b(xit|xtest|xdescribe|` +
		`xcontext|xspecify)\b\s*[(.]|\b(this|t|ctx|test\.info\(\)|context|task)\.(skip|todo)\(|` +
		`^\s*pending\(|^\s*skip\(`, skips},
	{"js", always, false, `\b(skipIf|runIf)\(\s*(true|!0|1|false|!1|0)\b|` +
		`(^|[{,])\s*(skip|todo|fails)\s*:\s*(true|['"1]|![^a-zA-Z_$]|` +
		`!(false|null|undefined|NaN|void)\b)`, skips},
	{"js", always, false, `\b(describe|it|test|suite|context|specify|t|Deno\.test|` +
		`bench)(\.\w+)*\.only\b|\b(fit|fdescribe|fcontext|ftest)\s*[(.]|[{,]\s*only\s*:\s*(true|!0|` +
		`1)|^\s*only\s*:\s*(true|!0|1)`, only},
	{"js", always, false, `[{,]\s*(only|skip|todo|skipIf|fails)\s*(:\s*\w+\s*)?[,}].*=\s*(it|test|` +
		`describe|suite|context|specify)\b`, only},
	{"js", always, true, `\brequire\([^()]*\)(\.\w+)+\s*=[^=]`, "replaces something for all tests"},
	{"js", always, false, `\[\s*(['"\x60])\s*(['"\x60])\s*\]\s*\(.*=>\s*\{`,
		"hides the name of what it calls"},
	{"js", always, true, `\b(describe|it|test)\[['"](only|skip|todo)`, skips},
	{"js", always, false, `\bprocess\.(exit|abort|reallyExit|kill|_rawDebug)\s*\(|` +
		`\bprocess\.exitCode\s*=|\b(Deno|Bun)\.exit\(|\bprocess\.exit\s*=`, quits},
	{"js", always, true, `\bprocess\.(on|once|prependListener)\(\s*['"](exit|beforeExit|` +
		`uncaughtException|unhandledRejection)`, quits},
	{"js", inOld, false, `\b(jest|vi|vitest)\.(mock|doMock|unmock|setMock|enableAutomock)\(|` +
		`\bmock\.module\(|\brewire\(|\btd\.replace\(|\bjest\.retryTimes|` +
		`\b(it|test|describe|suite|context)\b.*\bretry\s*:\s*\d|^\s*retry\s*:\s*[1-9]|` +
		`\bretries\(|\bautomock\b`, "replaces what old tests use"},
	{"js", bare, false, `\bproxyquire\b`, "replaces what old tests use"},
	{"js", bare, false, `^\s*(test\.|suite\.|t\.)?(beforeEach|beforeAll|afterEach|afterAll|before|` +
		`after|setup|teardown|suiteSetup|suiteTeardown|onTestFinished|onTestFailed)\s*(\.each\w*)?\(`,
		hooks},
	{"js", always, false, `\b(global|globalThis|window|self)\.(it|test|describe|expect|before\w*|` +
		`after\w*|suite|assert|jest|vi|process|console|Error)\b[^(]*=[^=]|\b(Object|Array|String|` +
		`Number|Function|Promise|Map|Set|Error|RegExp|Boolean)\.prototype\.?\w*\s*=[^=]|` +
		`\bObject\.(is|keys|entries|values|getPrototypeOf)\s*=[^=]|` +
		`\b(assert|expect|chai|should|node_assert)(\.\w+)+\s*=[^=]|` +
		`\b(assert|expect)\s*=\s*(\(|function|async|\w+\s*=>|new\b|\{|null|noop|\w+\.fn\b)|` +
		`\boverwriteMethod\b|Object\.defineProperty\(\s*(global|globalThis|assert|expect|Object)|` +
		`\bObject\.assign\(\s*(global|globalThis|assert|expect|\w+\.prototype)|addEqualityTesters|` +
		`\brequire\.cache\b|\bexpect\.addSnapshotSerializer`, redefine},
	{"js", always, false, `^\s*(async\s+)?(toBe|toEqual|toStrictEqual|toMatch|toMatchObject|` +
		`toMatchSnapshot|toContain|toContainEqual|toHaveLength|toThrow|toThrowError|toBeTruthy|` +
		`toBeFalsy|toBeNull|toBeUndefined|toBeDefined|toBeCloseTo|toHaveProperty)\s*(\(.*\)\s*\{|:)|` +
		`expect\.extend\(\s*\{\s*(toBe|toEqual|toStrictEqual|toThrow)\b|` +
		`\bfunction\s+(expect|assert|it|test|describe)\b`, redefine},
	{"js", bare, false, `\bwith\s*\(|^\s*throw\b.*\bskip|\bdelete\s+\w|\bmockReturnValue|\bspyOn\(|` +
		`\bmockImplementation`, "changes what old tests see"},

	// Rust
	{"rust", plain, false, `#!?\[\s*(ignore\b|cfg_attr\(.*\bignore|cfg\(\s*(any\(\s*\)|not\(\s*(test|` +
		`all\(\s*\)|debug_assertions)|FALSE|false))`, skips},
	{"rust", always, false, `\bprocess::(exit|abort)\s*\(|\bpanic::set_hook|\blibc::_?exit|\bset_hook\(`,
		quits},
	{"rust", inOld, false, `#!\[\s*(cfg|feature|no_\w+|test_runner|reexport|recursion_limit|` +
		`crate_\w+|cfg_attr)`, collects},
	{"rust", always, false, `\bmacro_rules!\s*(assert(_eq|_ne|_matches)?|debug_assert\w*|panic|matches|` +
		`unreachable)\b|\bas\s+(assert\w*|assert_eq)\b|#\[\s*(ctor|global_allocator|panic_handler|` +
		`no_mangle|export_name)|#!\[\s*(test_runner|feature\(custom_test|no_main)`, redefine},
	{"rust", bare, false, `\bcatch_unwind\b`, "keeps an old test from failing"},

	// Java, Kotlin, C#
	{"java kotlin csharp", plain, false, `@(\w+\.)*(Disabled|Ignore|Ignored)\b|` +
		`\[\s*((Ignore|Explicit)\b|Fact\s*\(\s*Skip|Theory\s*\(\s*Skip)|\bSkip\s*=(?:[^=>]|$)|` +
		`(?:^\s*|@Test\b.*|\.config\(.*)\benabled\s*=\s*false|` +
		`\b(Assert\.(Ignore|Inconclusive|Pass)|Skip\.(If|IfNot|Unless|When))\(|` +
		`\b(xit|xtest|xdescribe|xshould|xcontext|xgiven)\b|` +
		`new\s+(\w*Skip\w*|TestAbortedException|AssumptionViolatedException|IgnoreException|` +
		`InconclusiveException)\b|\bTestAbortedException\(`, skips},
	{"java kotlin csharp", always, false, `\b(assume\w*|abort)\(\s*(false|!true|true|1\s*==|0\s*==)|` +
		`\bAssum\w+\.abort\(`, skips},
	{"java kotlin csharp", always, false, `\bSystem\.exit\(|` +
		`\bRuntime\.getRuntime\(\)\.(halt|exit|addShutdownHook)|\.halt\(\s*0|\bexitProcess\(|` +
		`\bEnvironment\.(Exit|FailFast)\(|\bProcess\.GetCurrentProcess\(\)\.Kill`, quits},
	{"java kotlin csharp", bare, false, `\b(thrown|expectedException|exceptionRule)\.expect\w*\(`,
		"keeps an old test from failing"},
	{"csharp", always, false, `\bglobal\s+using\s+(Assert|Fact\w*|Theory\w*|Test\w*|InlineData\w*|` +
		`Xunit|NUnit)\s*=`, redefine},
	{"kotlin", top, false, `^\s*((inline|internal|public|` +
		`infix)\s+)*fun\s+(<[^>]*>\s*)?(assert(Equals|NotEquals|True|False|Null|NotNull|Same|NotSame|` +
		`Is|IsNot|Fails|FailsWith|Contains|ContentEquals|Throws)?|expect|fail)\s*\(`, redefine},
	{"kotlin", always, true, `^\s*("f:|(test|should|describe|context|it|given|scenario|feature|` +
		`expect)\(\s*"f:)`, only},
	{"java kotlin csharp", bare, false, `@(Before|After|Rule|ClassRule|RegisterExtension|MockBean|` +
		`MockitoBean)\w*\b|\[\s*(SetUp|TearDown|OneTimeSetUp|OneTimeTearDown|TestInitialize|` +
		`TestCleanup|ClassInitialize|AssemblyInitialize)\b|\b(setUp|tearDown)\s*\(`, hooks},
	{"java kotlin csharp", always, false, `@(Before|After)Suite\b|` +
		`\[\s*(ModuleInitializer|AssemblyInitialize|assembly\s*:)|\[\s*SetUpFixture|@AutoService|` +
		`\bstatic\s*\{\s*$.*exit|\b(class|interface|object|record|enum)\s+(Assert|Assertions|TestCase)\b|` +
		`(?:@interface|\bannotation\s+class)\s+(Test|Tests)\b`, redefine},
	{"csharp", always, false, `\b(class|record|struct)\s+(Test|Tests|Fact|Theory)(Attribute)?\b`, redefine},

	// Ruby
	{"ruby", plain, false, `(?:^|[;(])\s*skip\s*;|;\s*skip\b(\s+[^=\s]|\(|\s*$)`, skips},
	{"ruby crystal", plain, false, `^\s*(xit|xdescribe|xcontext|xspecify|xexample|xfeature|xscenario|pending|` +
		`skip)\b(\s+[^=\s]|\(|\s*$)|^\s*(it|describe|context|specify|example|feature|scenario|test|` +
		`RSpec\.describe)\b.*,\s*:?(skip|pending)\b|^\s*:(skip|pending)\b.*\bdo\b|\b(skip|` +
		`pending):\s*(true|['"])|\bRSpec::Core::Pending|\bMiniTest::Skip|\bMinitest::Skip`, skips},
	{"ruby crystal", always, false, `^\s*(fit|fdescribe|fcontext|fspecify|fexample|focus)\b|,\s*:focus\b|` +
		`\bfocus:\s*true|filter_run`, only},
	{"ruby", always, false, `\bexit!|\bat_exit\b|\bKernel\.(exit|abort)|\bProcess\.(exit|kill|abort)|` +
		`\babort\b\s*(\(|$|['"])|^\s*exit\b|\btrap\b.*[{;]\s*exit\b`, quits},
	{"ruby", always, false, `\b(module|class)\s+(::)?(RSpec|Minitest|MiniTest|Test::Unit|Kernel|` +
		`Object|BasicObject|Module|Class|Integer|String|Array|Hash|Float|Numeric|NilClass|` +
		`Comparable)\b|\bRSpec\.configure\b|\bRSpec\.configuration\.(\w+\s*=[^=]|filter|add_|` +
		`exclusion|inclusion|expect_with|mock_with|prepend|include)|\bRSpec\.configuration\s*=|` +
		`\bMinitest\.\w+\s*[={]|\bMinitest::\w+\.\w+\s*=|` +
		`\bdef\s+((assert|refute)(_equal|_nil|_raises|_includes|_match|_in_delta|_same|_empty|` +
		`_predicate|_operator|_instance_of|_kind_of|_respond_to|_output|_not_equal|_not_nil|_raise)?|` +
		`expect|is_expected|should|should_not|eq)(\s|\(|;|$)|\b(Object|Kernel|Integer|RSpec|` +
		`Minitest)\S*\.(class_eval|send|prepend|include|define_method)|i_suck_and_my_tests|` +
		`\bTracePoint\b|\bset_trace_func\b|\brefine\s`, redefine},
	{"ruby", always, false, `\b[A-Z]\w*(\.singleton_class)?\.(class_eval|class_exec|module_eval|` +
		`instance_eval|define_singleton_method|define_method|prepend|alias_method|remove_method|` +
		`undef_method|send\(\s*:(define_method|prepend|include|remove_method))|\bdef\s+[A-Z]\w*\.\w+|` +
		`\bclass\s*<<\s*[A-Z]`, "changes a class for all tests"},
	{"crystal", bare, false, `^\s*(?:Spec\.)?(before|after|around)_(each|all|suite)\b`, hooks},
	{"crystal", always, false, `^\s*exit\b|\bProcess\.exit\b|\bat_exit\b|\babort\b`, quits},
	{"crystal", always, false, `\bdef\s+(should(_not)?|eq|expect_raises|fail|assert|it|describe)\b|` +
		`\b(module|class|struct)\s+(::)?(Spec|Object|Reference|Value|String|Int\d*|Array|Hash|Bool|Nil)\s*$`, redefine},
	{"ruby", bare, false, `^\s*(before|after|around|setup|teardown|subject!?\s*(?:\(|\{|do\b|$)|` +
		`prepend_before|append_after|include|extend|prepend|include_context|` +
		`def\s+(setup|teardown|run|before_setup|after_teardown|runnable_methods|initialize|` +
		`self\.\w+))\b|\.class_eval|\binstance_eval|\bundef(_method)?\b|\bremove_method\b|` +
		`\bremove_const\b`, hooks},

	// PHP
	{"php", bare, false, `\bexpectNotToPerformAssertions\(`, "keeps an old test from failing"},
	{"php", plain, false, `\b(markTestSkipped|markTestIncomplete)\(|->(skip|todo)\(`, skips},
	{"php", always, false, `->only\(\s*\)`, only},
	{"php", always, false, `\b(exit|die)\b\s*[(;]|\bregister_shutdown_function|` +
		`\bpcntl_(exec|alarm)\w*\(|\bposix_kill\(|__halt_compiler`, quits},
	{"php", always, false, `\bnamespace\s+PHPUnit|\bclass_alias\(|\b(runkit|uopz)\w*\(|` +
		`\bfunction\s+(assert(Same|Equals|True|False|Null|Count|Contains|InstanceOf|Empty|NotNull|` +
		`NotEquals|NotSame|That|ArrayHasKey|StringContainsString|GreaterThan|LessThan)?|` +
		`expectException|fail|run|runTest|runBare)\s*\(|\bset_error_handler\(`, redefine},
	{"php", bare, false, `\bpcntl_\w+\(`, quits},
	{"php", bare, false, `\bexpect(Exception|Error|Warning|Notice|Deprecation)\w*\(`,
		"keeps an old test from failing"},
	{"php", bare, false, `\bfunction\s+(setUp|tearDown|setUpBeforeClass|tearDownAfterClass|` +
		`__construct|__call)\b|^\s*(beforeEach|afterEach|beforeAll|afterAll|uses)\(|#\[\s*(Before|After)`,
		hooks},

	// Elixir
	{"elixir", plain, false, `@(tag|moduletag|describetag)\s+(:skip|:pending|pending:|:exclude|:integration|exclude:)|` +
		`@(moduletag|describetag)\s+skip:|@tag\s+skip:\s*([:\d"'!~%\[{(]|[a-z]\w*\s*$|not\b|nil\b)`, skips},
	{"elixir", always, false, `\bSystem\.(halt|stop|at_exit)\b|:init\.stop|:erlang\.halt`, quits},
	{"elixir", always, false, `\bExUnit\.(configure|start|after_suite|Server)\b|` +
		`\bdef(p|macro|macrop)?\s+(assert|refute|test|describe|(assert|refute)_(receive|received|` +
		`raise|in_delta))(\s|\(|$)|\bdefmodule\s+ExUnit|\bCode\.(compiler_options|purge|delete)|` +
		`:code\.(purge|delete|load)|import\s+ExUnit\.Assertions,`, redefine},
	{"elixir", bare, false, `(?:^|;)\s*(setup|setup_all|on_exit)(?:[^\w.]|\.[^(]|$)|` +
		`@(moduletag|describetag)\b|^\s*import\s.*\bexcept:|^\s*import\s+(Kernel|ExUnit(\.(Assertions|Callbacks|Case\w*|DocTest))?)(\s|,|$)|` +
		`^\s*use\s`, hooks},

	// C and C++
	{"c", plain, false, `\bGTEST_SKIP\b|\bDISABLED_|\bTEST_IGNORE\w*|\bBOOST_\w*disabled|` +
		`\bcmocka_skip|^\s*skip\(|\bSKIP\(|doctest::skip|\[\.\]`, skips},
	{"c", always, false, `\b(_exit|_Exit|quick_exit|atexit|at_quick_exit|on_exit)\s*\(|` +
		`\bexit\s*\(\s*(0|EXIT_SUCCESS)\s*\)|__attribute__\s*\(\(\s*(con|de)structor|` +
		`\[\[gnu::constructor`, quits},
	{"c", always, false, `^\s*#\s*(?:define\s+NDEBUG|(?:define|undef)\s+(?:assert|ASSERT_\w+|EXPECT_\w+|` +
		`REQUIRE\w*|static_assert|main|if|return|abort|TEST|TEST_F|TEST_P|strcmp|memcmp))\b|` +
		`\bGTEST_FLAG|::testing::FLAGS|FLAGS_gtest`, redefine},
	{"c", inOld, false, `^\s*#\s*undef\s+NDEBUG\b`, redefine},
	{"c", bare, false, `^\s*(int\s+)?main\s*\(|\bexit\s*\(|\babort\s*\(|\blongjmp\b|` +
		`^\s*#\s*pragma\s+(push_macro|pop_macro|redefine_extname|weak|init_seg|startup|exit|comment|` +
		`(GCC|clang)\s+(optimize|attribute|visibility))|` +
		`\b(setUp|tearDown)\s*\(\s*void`, "keeps old tests from running"},
	{"c", bare, false, `\bsignal\s*\(|^\s*#\s*line\b`, "keeps old tests from failing"},

	// Swift
	{"swift", bare, false, `\bXCTSkip\w*`, skips},
	{"swift", always, false, `\bXCTSkip(If\(\s*(true|!\s*false|\(|1)|Unless\(\s*(false|!\s*true|\(|0))`, skips},
	{"swift", plain, false, `\bXCTSkip\b|@(Test|Suite)\b.*\.disabled\(|` +
		`^\s*\.disabled\(\s*(\)|"|if:)|\.enabled\(if:\s*false|\bwithKnownIssue\b|\bXCTExpectFailure\b`,
		skips},
	{"swift", always, false, `(^|[^\w.])(_?exit|abort)\(|\bdefaultTestSuite\b|\binvokeTest\b|` +
		`\bfunc\s+(XCTAssert(Equal|NotEqual|True|False|Nil|NotNil|ThrowsError|NoThrow|GreaterThan|` +
		`LessThan)?\b|XCTFail|XCTUnwrap|record|recordFailure)\b|\batexit\b|^((public|internal|final|` +
		`package)\s+)*(struct|class|enum)\s+Test\b`, quits},
	{"swift", bare, false, `\b(setUp|tearDown|setUpWithError|tearDownWithError)\s*\(|` +
		`\bcontinueAfterFailure\b`, hooks},

	// shell
	{"shell", plain, false, `^\s*(skip|Skip|Pending|[xX](It|Describe|Context|Specify|Example|` +
		`ExampleGroup))\b`, skips},
	{"shell", always, false, `^\s*f(It|Describe|Context|Specify|Example|ExampleGroup)\b`, only},
	{"shell", inOld, false, `\btrap\b.*\b(EXIT|0|ERR|DEBUG)\b|\bexit\s+0\b`, quits},
	{"shell", always, false, `\bkill\b.*\$(\$|PPID|BASHPID)|^\s*exec\s+(true|:|/)|\bBATS_\w+=|` +
		`\bbats_\w+\s*\(\)`, quits},
	{"shell", bare, false, `(^\s*|[;&|]\s*)(exit\s*($|[;&|})]|0\b|\$|")|return\b|exec|trap|` +
		`set\s+\+\w|alias|unset|enable|hash|shopt)\b|\bPATH=`, "keeps old tests from running"},
	{"shell", bare, false, `^\s*(?:(?:export|declare|readonly|local)\s+)?(IFS|GLOBIGNORE|BASH_ENV|` +
		`SHELLOPTS|BASHOPTS|LD_\w+)=(?:\$?'[^']*'|"[^"]*"|[^\s"';&|]*)\s*(?:$|[;&|#])`,
		"changes how old lines are read"},
	{"shell", bare, false, `^\s*(function\s+)?(setup|teardown|setup_file|teardown_file|run|assert\w*|` +
		`test|\[|true|false|diff|cmp|grep|echo|exit|fail|die)\s*\(\)`, hooks},
	{"shell", inOld, false, `^\s*(function\s+)?(run|test|\[|diff|cmp|grep|exit|assert_(success|` +
		`failure|output|line|equal)|refute_(output|line))\s*\(\)`, redefine},

	// Gherkin
	{"other", always, false, `^\s*@(skip|ignore|wip|pending|disabled|only|focus)\b`, skips},
	{"other", bare, false, `^\s*(Background|Rule|Examples)\s*:`, hooks},
}
