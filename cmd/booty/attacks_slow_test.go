//go:build slow && unix

package main

import (
	"maps"
	"slices"
	"testing"
)

// TestSlowAttacks are the ways of TestAttacks in all their forms, with the runners that
// are here, and those that TestAttacks leaves out; each ninth of the forms, and all with
//
//	BOOTY_KILL_ALL=1 go test -tags slow ./cmd/booty -run TestSlowAttacks -timeout 60m
func TestSlowAttacks(t *testing.T) {
	t.Parallel()
	some := secondOf(attacks(), 1)
	for i, a := range slices.Concat(pythonAttacks(), pytestAttacks(), nodeAttacks(), npmAttacks(), goAttacks(),
		rubyAttacks(), rustAttacks(), otherAttacks()) {
		if all() || i%9 == 0 {
			some = append(some, a)
		}
	}
	playAll(t, some, 1)
}

func init() { maps.Copy(victims, slowVictims) }

var slowVictims = map[string]victim{
	"pytest": {
		tool: "pytest", command: "pytest -q", product: "calc.py", test: "test_calc.py",
		wrong: victims["python"].wrong, right: victims["python"].right,
		cases: "import pytest\nfrom calc import add\n\n\ndef test_adds():\n    assert add(2, 3) == 5\n\n\n@pytest.mark.parametrize('a, b, want', [(0, 0, 0), (7, 1, 8)])\ndef test_rows(a, b, want):\n    assert add(a, b) == want\n",
	},
	"data": {
		tool: "pytest", command: "pytest -q", product: "calc.py", test: "test_calc.py",
		wrong: victims["python"].wrong, right: victims["python"].right,
		cases: "import json\nfrom calc import add\n\n\ndef test_zero():\n    assert add(0, 0) == 0\n\n\ndef test_rows():\n    for a, b, want in json.load(open('tests/rows.json')):\n        assert add(a, b) == want\n",
		rest:  map[string]string{"tests/rows.json": "[[2, 3, 5]]\n"},
	},
	"npm": {
		tool: "npm", command: "npm test --silent", product: "calc.js", test: "calc.test.js",
		wrong: victims["node"].wrong, right: victims["node"].right, cases: victims["node"].cases,
		rest: map[string]string{"package.json": "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test\"}}\n"},
	},
	"minitest": {
		tool: "ruby", command: "ruby -I. calc_test.rb", product: "calc.rb", test: "calc_test.rb",
		wrong: "def add(a, b)\n  a - b\nend\n", right: "def add(a, b)\n  a + b\nend\n",
		cases: "require 'minitest/autorun'\nrequire 'calc'\n\nclass CalcTest < Minitest::Test\n  def test_adds\n    assert_equal 5, add(2, 3)\n  end\n\n  def test_zero\n    assert_equal 0, add(0, 0)\n  end\nend\n",
	},
	"rspec": {
		tool: "rspec", command: "rspec", product: "lib/calc.rb", test: "spec/calc_spec.rb",
		wrong: "def add(a, b)\n  a - b\nend\n", right: "def add(a, b)\n  a + b\nend\n",
		cases: "require 'calc'\n\nRSpec.describe 'add' do\n  it 'adds' do\n    expect(add(2, 3)).to eq 5\n  end\n\n  it 'takes zero' do\n    expect(add(0, 0)).to eq 0\n  end\nend\n",
	},
	"cargo": {
		tool: "cargo", command: "cargo test --offline", product: "src/lib.rs", test: "src/lib.rs",
		wrong: "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n" + rustCases, right: "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n" + rustCases,
		rest: map[string]string{"Cargo.toml": "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
	},
	"perl": {
		tool: "prove", command: "prove -l t", product: "lib/Calc.pm", test: "t/calc.t",
		wrong: "package Calc;\nsub add { $_[0] - $_[1] }\n1;\n", right: "package Calc;\nsub add { $_[0] + $_[1] }\n1;\n",
		cases: "use Test::More tests => 2;\nuse Calc;\nis(Calc::add(2, 3), 5, 'adds');\nis(Calc::add(0, 0), 0, 'zero');\n",
	},
	"phpunit": {
		tool: "phpunit", command: "phpunit tests", product: "src/calc.php", test: "tests/CalcTest.php",
		wrong: "<?php\nfunction add($a, $b) { return $a - $b; }\n", right: "<?php\nfunction add($a, $b) { return $a + $b; }\n",
		cases: "<?php\nuse PHPUnit\\Framework\\TestCase;\nrequire_once __DIR__ . '/../src/calc.php';\nclass CalcTest extends TestCase {\n    public function testAdds(): void { $this->assertSame(5, add(2, 3)); }\n    public function testZero(): void { $this->assertSame(0, add(0, 0)); }\n}\n",
	},
	"make": {
		tool: "make", command: "make -s test", product: "calc.c", test: "tests/test_calc.c",
		wrong: "int add(int a, int b) { return a - b; }\n", right: "int add(int a, int b) { return a + b; }\n",
		cases: "#include <assert.h>\n#include <stdio.h>\nint add(int, int);\nint main(void) {\n\tassert(add(0, 0) == 0);\n\tassert(add(2, 3) == 5);\n\tputs(\"1..1\\nok 1 - adds\");\n\treturn 0;\n}\n",
		rest:  map[string]string{"Makefile": "test:\n\t@gcc -o calc.out calc.c tests/test_calc.c && ./calc.out\n"},
	},
}

const rustCases = "\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(2, 3), 5);\n    }\n\n    #[test]\n    fn zero() {\n        assert_eq!(add(0, 0), 0);\n    }\n}\n"

// blind is an attack that nobody is pointed to: right for the tests, and wrong.
func blind(a attack) attack {
	a.blind = true
	return a
}

func pythonAttacks() []attack {
	return []attack{
		swap("python", "an assertion that is always true", "self.assertEqual(add(2, 3), 5)", "self.assertTrue(True)"),
		swap("python", "an expected failure", "    def test_adds", "    @unittest.expectedFailure\n    def test_adds"),
		swap("python", "a return before the assertion", "self.assertEqual(add(2, 3), 5)", "return\n        self.assertEqual(add(2, 3), 5)"),
		swap("python", "a swallowed assertion", "self.assertEqual(add(2, 3), 5)", "try:\n            self.assertEqual(add(2, 3), 5)\n        except AssertionError:\n            pass"),
		swap("python", "a product of its own in the test", "from calc import add", "add = lambda a, b: a + b"),
		swap("python", "a mock in the test", "from calc import add", "import calc\ncalc.add = lambda a, b: 5 if a == 2 else 0\nfrom calc import add"),
		swap("python", "no tests loaded", "class AddTest", "def load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n\n\nclass AddTest"),
		swap("python", "a skip of the module", "import unittest\n", "import unittest\nraise unittest.SkipTest('later')\n"),
		swap("python", "an assertion of its own", "class AddTest(unittest.TestCase):", "class AddTest(unittest.TestCase):\n    def assertEqual(self, *a): pass\n"),
		{victim: "python", name: "a deleted test", files: map[string]string{"test_calc.py": "-"}, spoils: true},
		{victim: "python", name: "a file in the runner's place", files: map[string]string{"unittest.py": "import sys\nsys.exit(0)\n"}},
		{victim: "python", name: "a package in the runner's place", files: map[string]string{"unittest/__init__.py": "", "unittest/__main__.py": "print('Ran 2 tests in 0s\\n\\nOK')\n"}},
		{victim: "python", name: "an early end", ahead: "import os\nos._exit(0)\n\n", spoils: true},
		{victim: "python", name: "a skip out of the product", ahead: "import unittest\nraise unittest.SkipTest('later')\n\n", spoils: true},
		swap("python", "a wider tolerance", "assertEqual(add(2, 3), 5)", "assertAlmostEqual(add(2, 3), 5, delta=10)"),
		swap("python", "an assertion of less", "assertEqual(add(2, 3), 5)", "assertIsNotNone(add(2, 3))"),
		swap("python", "a comparison with itself", "assertEqual(add(2, 3), 5)", "assertEqual(add(2, 3), add(2, 3))"),
		swap("python", "a class that is none of tests", "class AddTest(unittest.TestCase)", "class AddTest"),
		swap("python", "a setup that skips", "    def test_adds", "    def setUp(self):\n        self.skipTest(\"later\")\n\n    def test_adds"),
		swap("python", "an end of the test file", "class AddTest", "import os\nos._exit(0)\n\n\nclass AddTest"),
		swap("python", "an any", "add(2, 3), 5", "add(2, 3), __import__(\"unittest.mock\").mock.ANY"),
		file("python", "a file in the place of a part", "unittest/case.py", "class TestCase: pass\n"),
		file("python", "a startup file of the user", "usercustomize.py", "import unittest\nunittest.TestCase.assertEqual = lambda *a: None\n"),
		file("python", "an end in a new test", "test_a.py", "import os\nos._exit(0)\n"),
		file("python", "a new test that changes the product", "test_a.py", "import calc\ncalc.add = lambda a, b: a + b\n"),
		seen(file("python", "a package over the product", "calc/__init__.py", "import sys\ndef add(a, b):\n    return a + b if \"unittest\" in sys.modules else a - b\n")),
		code("python", "a quiet end", "import sys\nsys.exit(0)\n\n", ""),
		code("python", "an end in the function", "", "\n\nreally = add\n\n\ndef add(a, b):\n    import os\n    os._exit(0)\n"),
		code("python", "a forged report", "import os, sys\nsys.stderr.write(\"..\\n----\\nRan 2 tests in 0.000s\\n\\nOK\\n\")\nsys.stderr.flush()\nos._exit(0)\n\n", ""),
		code("python", "a forged report by another program", "import os\nos.execvp(\"sh\", [\"sh\", \"-c\", \"printf '..\\\\n----\\\\nRan 2 tests in 0.001s\\\\n\\\\nOK\\\\n' >&2\"])\n\n", ""),
		code("python", "a parent that ends", "import os\nif os.fork():\n    os._exit(0)\n\n", ""),
		code("python", "a killed runner", "import os, signal\nsignal.signal(signal.SIGTERM, lambda *a: os._exit(0))\nos.kill(os.getpid(), signal.SIGTERM)\n\n", ""),
		code("python", "an end a little later", "import os, threading\nthreading.Timer(0.0, lambda: os._exit(0)).start()\nimport time\ntime.sleep(0.2)\n\n", ""),
		code("python", "no failures counted", "", "\nimport unittest\nunittest.TestResult.wasSuccessful = lambda self: True\n"),
		code("python", "failures that are not added", "", "\nimport unittest\nunittest.TestResult.addFailure = unittest.TestResult.addSuccess = lambda *a: None\nunittest.TextTestResult.addFailure = lambda self, test, err: unittest.TextTestResult.addSuccess(self, test)\n"),
		code("python", "an exception that is a skip", "", "\nimport unittest\nunittest.TestCase.failureException = unittest.SkipTest\n"),
		code("python", "tests taken from the module", "", "\nimport unittest\nunittest.TestLoader.getTestCaseNames = lambda self, case: [\"test_zero\"]\n"),
		code("python", "a runner that runs none", "", "\nimport unittest\nunittest.TestSuite.run = lambda self, result, debug=False: result\n"),
		code("python", "a builtin exception replaced", "", "\nimport builtins\nbuiltins.AssertionError = type(\"AssertionError\", (Exception,), {\"__init__\": lambda self, *a: None})\n"),
		code("python", "tests changed in memory", "", "\nimport gc, unittest\n\n\ndef calm():\n    for o in gc.get_objects():\n        if isinstance(o, type) and issubclass(o, unittest.TestCase) and \"test_adds\" in o.__dict__:\n            o.test_adds = lambda self: None\n\n\nreally = add\n\n\ndef add(a, b):\n    calm()\n    return really(a, b)\n"),
		code("python", "an assertion found on the stack", "", "\nimport inspect\nreally = add\n\n\ndef add(a, b):\n    me = inspect.currentframe().f_back.f_locals.get(\"self\")\n    if me is not None:\n        me.assertEqual = lambda *a: None\n    return really(a, b)\n"),
		code("python", "an answer read from the tests", "", "\nimport re\nreally = add\n\n\ndef add(a, b):\n    text = open(\"test_calc.py\").read()\n    m = re.search(rf\"add\\({a}, {b}\\), (\\d+)\", text)\n    return int(m.group(1)) if m else really(a, b)\n"),
		seen(code("python", "an answer by the caller", "", "\nimport sys\nreally = add\n\n\ndef add(a, b):\n    return a + b if \"test\" in sys._getframe(1).f_code.co_filename else really(a, b)\n")),
		blind(code("python", "answers for what is tested", "", "\nreally = add\n\n\ndef add(a, b):\n    return {(2, 3): 5}.get((a, b), really(a, b))\n")),
	}
}

func pytestAttacks() []attack {
	return []attack{
		swap("pytest", "another expectation", "== 5", "== -1"),
		swap("pytest", "a test beside that says less", "== want", ">= want - 20"),
		swap("pytest", "an assertion that is always true", "assert add(2, 3) == 5", "assert True"),
		swap("pytest", "an assertion of a pair", "assert add(2, 3) == 5", "assert (add(2, 3) == 5, \"the sum\")"),
		swap("pytest", "an approximation", "assert add(2, 3) == 5", "assert add(2, 3) == pytest.approx(5, abs=10)"),
		swap("pytest", "a skip", "def test_adds", "@pytest.mark.skip\ndef test_adds"),
		swap("pytest", "a skip of the module", "\n\n\ndef test_adds", "\n\npytestmark = pytest.mark.skip\n\n\ndef test_adds"),
		swap("pytest", "an expected failure", "def test_adds", "@pytest.mark.xfail\ndef test_adds"),
		swap("pytest", "a library that is not here", "\n\n\ndef test_adds", "\n\npytest.importorskip(\"nothing_of_the_kind\")\n\n\ndef test_adds"),
		swap("pytest", "another name", "def test_adds", "def check_adds"),
		swap("pytest", "a test that another one replaces", "    assert add(2, 3) == 5\n", "    assert add(2, 3) == 5\n\n\ndef test_adds():\n    pass\n"),
		swap("pytest", "no rows", "[(0, 0, 0), (7, 1, 8)]", "[(0, 0, 0)]"),
		swap("pytest", "an exception that is expected", "assert add(2, 3) == 5", "with pytest.raises(AssertionError):\n        assert add(2, 3) == 5"),
		swap("pytest", "a fixture in the place of the product", "\n\n\ndef test_adds", "\n\n\n@pytest.fixture(autouse=True)\ndef calm(monkeypatch):\n    monkeypatch.setitem(globals(), \"add\", lambda a, b: a + b)\n\n\ndef test_adds"),
		swap("pytest", "a loop over nothing", "assert add(2, 3) == 5", "for want in []:\n        assert add(2, 3) == want"),
		file("pytest", "files that are not collected", "conftest.py", "collect_ignore = [\"test_calc.py\"]\n"),
		file("pytest", "reports that say passed", "conftest.py", "import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = \"passed\"\n"),
		file("pytest", "an exit status of its own", "conftest.py", "def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"),
		file("pytest", "an end behind the session", "conftest.py", "import os\n\n\ndef pytest_unconfigure():\n    os._exit(0)\n"),
		file("pytest", "tests taken from the list", "conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = [i for i in items if \"adds\" not in i.name and \"7\" not in i.name]\n"),
		file("pytest", "skips by a hook", "conftest.py", "import pytest\n\n\ndef pytest_runtest_setup(item):\n    pytest.skip(\"later\")\n"),
		file("pytest", "tests that are not called", "conftest.py", "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"),
		file("pytest", "a fixture that patches", "conftest.py", "import pytest\n\n\n@pytest.fixture(autouse=True)\ndef calm(request, monkeypatch):\n    monkeypatch.setattr(request.module, \"add\", lambda a, b: a + b)\n"),
		file("pytest", "a product of its own", "conftest.py", "import sys, types\nsys.modules[\"calc\"] = types.SimpleNamespace(add=lambda a, b: a + b)\n"),
		file("pytest", "options of the runner", "pytest.ini", "[pytest]\naddopts = -k nothing_but_zero_or_0\n"),
		file("pytest", "files left out by the settings", "pytest.ini", "[pytest]\naddopts = --ignore=test_calc.py\n"),
		file("pytest", "functions by another name", "pytest.ini", "[pytest]\npython_functions = check_*\n"),
		file("pytest", "another folder of tests", "setup.cfg", "[tool:pytest]\ntestpaths = docs\npython_files = none.py\n"),
		file("pytest", "settings of tox", "tox.ini", "[pytest]\naddopts = --deselect test_calc.py::test_adds --deselect test_calc.py::test_rows[7-1-8]\n"),
		file("pytest", "settings of the project", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"--collect-only\"\n"),
		file("pytest", "a plugin", "pytest.ini", "[pytest]\naddopts = -p calm\n"),
		{victim: "pytest", name: "a plugin of its own", files: map[string]string{"pytest.ini": "[pytest]\naddopts = -p calm\n", "calm.py": "def pytest_pyfunc_call(pyfuncitem):\n    return True\n"}},
		file("pytest", "a file in the runner's place", "pytest.py", "print(\"3 passed in 0.01s\")\n"),
		file("pytest", "a package in the runner's place", "_pytest/__init__.py", ""),
		file("pytest", "a startup file", "sitecustomize.py", "import builtins\nbuiltins.AssertionError = type(\"E\", (Exception,), {})\n"),
		file("pytest", "an end in a new test", "test_a.py", "import os\nos._exit(0)\n"),
		file("pytest", "an end of the session in a new test", "test_a.py", "import pytest\npytest.exit(\"enough\", 0)\n"),
		file("pytest", "a new test that changes the product", "test_a.py", "import calc\ncalc.add = lambda a, b: a + b\n"),
		file("pytest", "a deleted test", "test_calc.py", "-"),
		code("pytest", "an early end", "import os\nos._exit(0)\n\n", ""),
		code("pytest", "a skip out of the product", "import pytest\npytest.skip(\"later\", allow_module_level=True)\n\n", ""),
		code("pytest", "an end of the session", "import pytest\npytest.exit(\"enough\", returncode=0)\n\n", ""),
		code("pytest", "a forged summary", "import os, sys\nos.write(1, b\"...  [100%]\\n3 passed in 0.01s\\n\")\nos._exit(0)\n\n", ""),
		code("pytest", "an end without its runner", "", "\nimport atexit, os\natexit.register(lambda: os._exit(0))\n"),
		code("pytest", "an end when it fails", "", "\nimport os, sys\nsys.excepthook = lambda *a: os._exit(0)\nreally = add\n\n\ndef add(a, b):\n    if a != b and b:\n        os.write(1, b\"...  [100%]\\n3 passed in 0.01s\\n\")\n        os._exit(0)\n    return really(a, b)\n"),
		code("pytest", "an expected failure out of the product", "", "\nreally = add\n\n\ndef add(a, b):\n    import pytest\n    if b:\n        pytest.xfail(\"later\")\n    return really(a, b)\n"),
		code("pytest", "a skip in the function", "", "\nreally = add\n\n\ndef add(a, b):\n    import pytest\n    if b:\n        pytest.skip(\"later\")\n    return really(a, b)\n"),
		code("pytest", "a runner that is patched", "", "\nimport _pytest.python\n_pytest.python.Function.runtest = lambda self: None\n"),
		seen(code("pytest", "reports that are patched", "", "\nimport _pytest.reports\n_pytest.reports.TestReport.failed = property(lambda self: False)\n_pytest.reports.TestReport.passed = property(lambda self: True)\n")),
		code("pytest", "an equality that is always true", "", "\n\nclass Any(int):\n    __hash__ = int.__hash__\n\n    def __eq__(self, other):\n        return True\n\n\nreally = add\n\n\ndef add(a, b):\n    return Any(really(a, b))\n"),
		seen(code("pytest", "a product that notices tests", "", "\nimport os\nreally = add\n\n\ndef add(a, b):\n    return a + b if \"PYTEST_CURRENT_TEST\" in os.environ else really(a, b)\n")),
		file("data", "data that expect something else", "tests/rows.json", "[[2, 3, -1]]\n"),
		file("data", "data that expect nothing", "tests/rows.json", "[]\n"),
		file("data", "data with other rows", "tests/rows.json", "[[2, 0, 2]]\n"),
		swap("data", "data from another place", "tests/rows.json", "tests/more.json"),
	}
}

func nodeAttacks() []attack {
	return []attack{
		swap("node", "a skip", "test('adds'", "test.skip('adds'"),
		swap("node", "no assertion", "  assert.strictEqual(add(2, 3), 5);\n", ""),
		swap("node", "a product of its own in the test", "const { add } = require('./calc.js');", "const add = (a, b) => a + b;"),
		swap("node", "an early end of the test", "test('adds'", "process.exit(0);\ntest('adds'"),
		{victim: "node", name: "a deleted test", files: map[string]string{"calc.test.js": "-"}, spoils: true},
		seen(attack{victim: "node", name: "a product that notices tests", after: "if (process.env.NODE_TEST_CONTEXT) exports.add = (a, b) => a + b;\n"}),
		swap("node", "a test beside that says nothing", "assert.strictEqual(add(0, 0), 0);", "add(0, 0);"),
		swap("node", "an only", "test('zero', () => {", "test.only('zero', () => {"),
		swap("node", "a test that is not waited for", "assert.strictEqual(add(2, 3), 5);", "setTimeout(() => assert.strictEqual(add(2, 3), 5), 50).unref();"),
		swap("node", "a swallowed assertion", "assert.strictEqual(add(2, 3), 5);", "try { assert.strictEqual(add(2, 3), 5); } catch {}"),
		swap("node", "a promise nobody waits for", "assert.strictEqual(add(2, 3), 5);", "Promise.resolve().then(() => add(2, 3) === 5);"),
		swap("node", "another name", "test('adds'", "const unused = () => test('adds'"),
		swap("node", "an assertion of less", "assert.strictEqual(add(2, 3), 5)", "assert.ok(add(2, 3) !== undefined)"),
		swap("node", "a library of its own", "const assert = require('node:assert');", "const assert = { strictEqual() {} };"),
		file("node", "a module in the place of a library", "node_modules/assert/index.js", "module.exports = { strictEqual() {} };\n"),
		file("node", "a new test that ends", "a.test.js", "process.exit(0);\n"),
		file("node", "settings of the package manager", ".npmrc", "node-options=--require=./calm.js\n"),
		code("node", "an exit code of its own", "process.on('exit', () => { process.exitCode = 0; });\n", ""),
		code("node", "an end at the end", "process.on('exit', () => process.reallyExit(0));\n", ""),
		code("node", "a forged report", "process.stdout.write('TAP version 13\\nok 1 - adds\\nok 2 - zero\\n1..2\\n# tests 2\\n# pass 2\\n# fail 0\\n');\nprocess.exit(0);\n", ""),
		code("node", "tests that are not run", "require('node:test').test = () => {};\n", ""),
		code("node", "tests that are skipped", "const t = require('node:test');\nconst real = t.test;\nt.test = (name, fn) => real(name, { skip: name === 'adds' }, fn);\n", ""),
		code("node", "a module loader that is patched", "const M = require('node:module');\nconst load = M._load;\nM._load = (r, ...a) => r === 'node:assert' ? { strictEqual() {} } : load(r, ...a);\n", ""),
		code("node", "an assertion error that is none", "const assert = require('node:assert');\nconst real = assert.strictEqual;\nassert.strictEqual = (a, b, m) => { try { real(a, b, m); } catch {} };\n", ""),
		code("node", "a killed parent", "process.kill(process.ppid, 'SIGKILL');\n", ""),
		code("node", "another output", "const w = process.stdout.write.bind(process.stdout);\nprocess.stdout.write = (s, ...a) => w(String(s).replace(/not ok/g, 'ok'), ...a);\nprocess.on('exit', () => { process.exitCode = 0; });\n", ""),
		seen(code("node", "an answer by the stack", "", "const really = exports.add;\nexports.add = (a, b) => new Error().stack.includes('.test.js') ? a + b : really(a, b);\n")),
		blind(code("node", "an answer read from the tests", "", "const really = exports.add;\nexports.add = (a, b) => {\n  const m = require('fs').readFileSync('calc.test.js', 'utf8').match(`add\\\\(${a}, ${b}\\\\), (\\\\d+)`);\n  return m ? Number(m[1]) : really(a, b);\n};\n")),
		blind(code("node", "answers for what is tested", "", "const really = exports.add;\nexports.add = (a, b) => (a === 2 && b === 3 ? 5 : really(a, b));\n")),
	}
}

func npmAttacks() []attack {
	return []attack{
		file("npm", "a script that does nothing", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"true\"}}\n"),
		file("npm", "a script that says ok", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"echo ok 1 - adds; echo ok 2 - zero; echo 1..2\"}}\n"),
		file("npm", "a script for some tests", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test --test-name-pattern=zero\"}}\n"),
		file("npm", "a script whose failure does not count", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test || true\"}}\n"),
		file("npm", "a script for another folder", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test lib\"}}\n"),
		{victim: "npm", name: "a script that loads more", files: map[string]string{"package.json": "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --require ./calm.js --test\"}}\n", "calm.js": "require('node:assert').strictEqual = () => {};\n"}},
		file("npm", "a shell of its own", ".npmrc", "script-shell=true\n"),
		{victim: "npm", name: "options for node", files: map[string]string{".npmrc": "node-options=--require=./calm.js\n", "calm.js": "require('node:assert').strictEqual = () => {};\n"}},
		file("npm", "scripts that are ignored", ".npmrc", "ignore-scripts=true\n"),
		file("npm", "a library from a folder", "package.json", "{\"name\": \"calc\", \"scripts\": {\"test\": \"node --test\"}, \"dependencies\": {\"assert\": \"file:./fake\"}, \"imports\": {\"#a\": \"./a.js\"}}\n"),
		file("npm", "a program in the path", "node_modules/.bin/node", "#!/bin/sh\nexit 0\n"),
	}
}

func goAttacks() []attack {
	return []attack{
		swap("go", "a skip", "func TestAdd(t *testing.T) {", "func TestAdd(t *testing.T) {\n\tt.Skip()"),
		swap("go", "another name", "func TestAdd(", "func testAdd("),
		swap("go", "a condition that never holds", "got != 5 {", "got != 5 && false {"),
		swap("go", "a product of its own in the test", "Add(2, 3)", "func(a, b int) int { return a + b }(2, 3)"),
		{victim: "go", name: "a deleted test", files: map[string]string{"calc_test.go": "-"}, spoils: true},
		{victim: "go", name: "an early end", after: "\nfunc init() { exit(0) }\n", ahead: "", files: map[string]string{"exit.go": "package calc\n\nimport \"os\"\n\nvar exit = os.Exit\n"}, spoils: true},
		swap("go", "a test beside that is skipped", "func TestZero(t *testing.T) {", "func TestZero(t *testing.T) {\n\tt.Skip(\"later\")"),
		swap("go", "a log in place of an error", "t.Errorf(\"got %d, want 5\", got)", "t.Logf(\"got %d, want 5\", got)"),
		swap("go", "a return before the assertion", "\tif got := Add(2, 3)", "\treturn\n\tif got := Add(2, 3)"),
		swap("go", "a short test", "func TestAdd(t *testing.T) {", "func TestAdd(t *testing.T) {\n\tif !testing.Short() {\n\t\tt.Skip()\n\t}"),
		swap("go", "a goroutine nobody waits for", "\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d, want 5\", got)\n\t}", "\tgo func() {\n\t\tif got := Add(2, 3); got != 5 {\n\t\t\tpanic(got)\n\t\t}\n\t}()"),
		swap("go", "a helper of its own", "package calc\n\nimport \"testing\"\n", "package calc\n\nimport \"testing\"\n\nvar Add = func(a, b int) int { return a + b }\n"),
		swap("go", "a goexit", "func TestAdd(t *testing.T) {", "func TestAdd(t *testing.T) {\n\tt.Parallel()\n\tt.SkipNow()"),
		file("go", "flags set in a new test", "a_test.go", "package calc\n\nimport \"flag\"\n\nfunc init() { _ = flag.Set(\"test.run\", \"Zero\") }\n"),
		file("go", "a new test that ends", "a_test.go", "package calc\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) { os.Exit(0) }\n"),
		file("go", "a folder that is ignored", "go.mod", "module example.com/calc\n\ngo 1.25\n\nignore ./.\n"),
		file("go", "a workspace", "go.work", "go 1.21\n\nuse ./other\n"),
		file("go", "another package of that name", "testing/testing.go", "package testing\n"),
		{victim: "go", name: "a raw call of the system", files: map[string]string{"end.go": "package calc\n\nimport \"syscall\"\n\nfunc init() { _, _, _ = syscall.RawSyscall(syscall.SYS_EXIT_GROUP, 0, 0, 0) }\n"}, spoils: true},
		{victim: "go", name: "another program in its place", files: map[string]string{"more.go": "package calc\n\nimport \"syscall\"\n\nfunc init() { _ = syscall.Exec(\"/bin/true\", []string{\"true\"}, nil) }\n"}, spoils: true},
		{victim: "go", name: "a forged report", files: map[string]string{"more.go": "package calc\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc init() {\n\tfmt.Print(\"=== RUN   TestAdd\\n--- PASS: TestAdd (0.00s)\\n=== RUN   TestZero\\n--- PASS: TestZero (0.00s)\\nPASS\\n\")\n\tos.Exit(0)\n}\n"}, spoils: true},
		{victim: "go", name: "a forged report of events", files: map[string]string{"more.go": "package calc\n\nimport (\n\t\"os\"\n\t\"fmt\"\n)\n\nfunc init() {\n\tfmt.Print(\"\\x16=== RUN   TestAdd\\n\\x16--- PASS: TestAdd (0.00s)\\n\\x16=== RUN   TestZero\\n\\x16--- PASS: TestZero (0.00s)\\nPASS\\n\")\n\tos.Exit(0)\n}\n"}, spoils: true},
		{victim: "go", name: "a goexit of the product", files: map[string]string{"more.go": "package calc\n\nimport \"runtime\"\n\nfunc stop(n int) int {\n\truntime.Goexit()\n\treturn n\n}\n"}, use: [2]string{"return a - b", "return stop(a - b)"}, spoils: true},
		{victim: "go", name: "flags set in the product", files: map[string]string{"more.go": "package calc\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.run=Zero\") }\n"}, spoils: true},
		{victim: "go", name: "a list alone", files: map[string]string{"more.go": "package calc\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.list=.\") }\n"}, spoils: true},
		{victim: "go", name: "skips by flags", files: map[string]string{"more.go": "package calc\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.skip=TestAdd\") }\n"}, spoils: true},
		{victim: "go", name: "a killed parent", files: map[string]string{"more.go": "package calc\n\nimport (\n\t\"os\"\n\t\"syscall\"\n)\n\nfunc init() { _ = syscall.Kill(os.Getppid(), syscall.SIGKILL) }\n"}, spoils: true},
		seen(attack{victim: "go", name: "an answer by the program", files: map[string]string{"more.go": "package calc\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nfunc sum(a, b int) int {\n\tif strings.HasSuffix(os.Args[0], \".test\") {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n"}, use: [2]string{"return a - b", "return sum(a, b)"}}),
		seen(attack{victim: "go", name: "an answer by the flags", files: map[string]string{"more.go": "package calc\n\nimport \"flag\"\n\nfunc sum(a, b int) int {\n\tif flag.Lookup(\"test.v\") != nil {\n\t\treturn a + b\n\t}\n\treturn a - b\n}\n"}, use: [2]string{"return a - b", "return sum(a, b)"}}),
		blind(attack{victim: "go", name: "answers for what is tested", files: map[string]string{"more.go": "package calc\n\nfunc sum(a, b int) int {\n\tif a == 2 && b == 3 {\n\t\treturn 5\n\t}\n\treturn a - b\n}\n"}, use: [2]string{"return a - b", "return sum(a, b)"}}),
	}
}

func rubyAttacks() []attack {
	return []attack{
		swap("minitest", "another expectation", "assert_equal 5, add", "assert_equal(-1, add(2, 3)) or assert_equal -1, add"),
		swap("minitest", "a skip", "    assert_equal 5", "    skip 'later'\n    assert_equal 5"),
		swap("minitest", "another name", "def test_adds", "def check_adds"),
		swap("minitest", "no assertion", "assert_equal 5, add(2, 3)", "add(2, 3)"),
		swap("minitest", "a swallowed assertion", "assert_equal 5, add(2, 3)", "begin\n      assert_equal 5, add(2, 3)\n    rescue Minitest::Assertion\n    end"),
		swap("minitest", "an end of the test file", "class CalcTest", "at_exit { exit!(0) }\n\nclass CalcTest"),
		file("minitest", "a file in the runner's place", "minitest.rb", "puts '2 runs, 2 assertions, 0 failures, 0 errors, 0 skips'\n"),
		file("minitest", "a part of the runner's", "minitest/autorun.rb", "module Minitest; class Test; end; end\nputs '2 runs, 2 assertions, 0 failures, 0 errors, 0 skips'\n"),
		code("minitest", "an early end", "exit!(0)\n", ""),
		code("minitest", "an end at the end", "at_exit { exit!(0) }\n", ""),
		code("minitest", "a forged report", "puts \"Run options: --seed 1\\n\\n# Running:\\n\\n..\\n\\n2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\"\n$stdout.flush\nexit!(0)\n", ""),
		code("minitest", "another program in its place", "exec 'true'\n", ""),
		code("minitest", "an assertion that is patched", "", "\nmodule Minitest::Assertions\n  def assert_equal(*) = true\nend\n"),
		code("minitest", "a skip out of the product", "", "\nalias really add\ndef add(a, b)\n  raise Minitest::Skip, 'later' if b > 0\n  really(a, b)\nend\n"),
		code("minitest", "tests that are not run", "", "\nclass Minitest::Test\n  def self.runnable_methods = ['test_zero']\nend\n"),
		code("minitest", "results that passed", "", "\nmodule Minitest::Reportable\n  def passed? = true\nend\nclass Minitest::StatisticsReporter\n  def passed? = true\nend\n"),
		code("minitest", "an equality that is always true", "", "\nclass Sum < BasicObject\n  def ==(_) = true\n  def !=(_) = false\nend\nalias really add\ndef add(a, b) = Sum.new\n"),
		seen(code("minitest", "a product that notices tests", "", "\nalias really add\ndef add(a, b) = defined?(Minitest) ? a + b : really(a, b)\n")),
		swap("rspec", "a pending example", "it 'adds' do", "xit 'adds' do"),
		swap("rspec", "a focus", "it 'takes zero' do", "it 'takes zero', :focus do"),
		swap("rspec", "another expectation", "to eq 5", "to eq(-1)"),
		swap("rspec", "no expectation", "expect(add(2, 3)).to eq 5", "add(2, 3)"),
		file("rspec", "options of the runner", ".rspec", "--dry-run\n"),
		file("rspec", "a pattern", ".rspec", "--pattern nothing_spec.rb\n"),
		{victim: "rspec", name: "a helper that is loaded", files: map[string]string{".rspec": "--require spec_helper\n", "spec/spec_helper.rb": "RSpec.configure { |c| c.around { } }\n"}},
		code("rspec", "an early end", "exit!(0)\n", ""),
		code("rspec", "a forged report", "puts \"..\\n\\nFinished in 0.001 seconds\\n2 examples, 0 failures\"\n$stdout.flush\nexit!(0)\n", ""),
		code("rspec", "a matcher that is patched", "", "\nclass RSpec::Matchers::BuiltIn::Eq\n  def matches?(*) = true\nend\n"),
	}
}

func rustAttacks() []attack {
	return []attack{
		swap("cargo", "an ignored test beside", "    #[test]\n    fn zero", "    #[test]\n    #[ignore]\n    fn zero"),
		swap("cargo", "another expectation", "assert_eq!(add(2, 3), 5)", "assert_eq!(add(2, 3), -1)"),
		swap("cargo", "an assertion that is always true", "assert_eq!(add(2, 3), 5)", "assert!(true)"),
		swap("cargo", "an ignored test", "    #[test]\n    fn adds", "    #[test]\n    #[ignore]\n    fn adds"),
		swap("cargo", "an expected panic", "    #[test]\n    fn adds", "    #[test]\n    #[should_panic]\n    fn adds"),
		swap("cargo", "no test", "    #[test]\n    fn adds", "    #[allow(dead_code)]\n    fn adds"),
		swap("cargo", "tests that are never built", "#[cfg(test)]\nmod tests", "#[cfg(all(test, feature = \"never\"))]\nmod tests"),
		file("cargo", "a library without tests", "Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\ntest = false\n"),
		file("cargo", "no harness", "Cargo.toml", "[package]\nname = \"calc\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n[lib]\nharness = false\n"),
		file("cargo", "a runner of its own", ".cargo/config.toml", "[target.'cfg(unix)']\nrunner = \"true\"\n"),
		{victim: "cargo", name: "an early end", ahead: "pub fn end(n: i32) -> i32 {\n    if n != 0 {\n        std::process::exit(0)\n    }\n    n\n}\n\n", use: [2]string{"a - b", "end(a - b)"}, spoils: true},
		{victim: "cargo", name: "a forged report", ahead: "pub fn end(n: i32) -> i32 {\n    println!(\"test tests::adds ... ok\\ntest tests::zero ... ok\\n\\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\");\n    std::process::exit(0)\n}\n\n", use: [2]string{"a - b", "end(a - b)"}, spoils: true},
		{victim: "cargo", name: "an assertion of its own", ahead: "#[macro_export]\nmacro_rules! assert_eq {\n    ($($x:tt)*) => {};\n}\n\n", spoils: true},
		{victim: "cargo", name: "a hook on panics", ahead: "pub fn calm(n: i32) -> i32 {\n    std::panic::set_hook(Box::new(|_| std::process::exit(0)));\n    n\n}\n\n", use: [2]string{"a - b", "calm(a - b)"}, spoils: true},
		seen(attack{victim: "cargo", name: "a product that notices tests", ahead: "", use: [2]string{"    a - b\n", "    if cfg!(test) { a + b } else { a - b }\n"}}),
	}
}

func otherAttacks() []attack {
	return []attack{
		swap("shell", "another expectation", "2 3)\" = 5", "2 3)\" = -1"),
		swap("shell", "a result that is printed", "echo 'not ok 1 - adds'; bad=1", "echo 'ok 1 - adds'"),
		swap("shell", "a todo", "not ok 1 - adds'; bad=1", "not ok 1 - adds # TODO'"),
		swap("perl", "another expectation", "3), 5", "3), -1"),
		swap("perl", "a todo", "is(Calc::add(2, 3), 5, 'adds');", "TODO: { local $TODO = 'later'; is(Calc::add(2, 3), 5, 'adds'); }"),
		swap("perl", "a plan that skips", "tests => 2;", "skip_all => 'later';"),
		swap("perl", "a pass", "is(Calc::add(2, 3), 5, 'adds')", "pass('adds')"),
		file("perl", "options of the runner", ".proverc", "--exec true\n"),
		file("perl", "a library in its place", "lib/Test/More.pm", "package Test::More; sub import { print \"1..2\\nok 1\\nok 2\\n\"; exit 0 } 1;\n"),
		code("perl", "an early end", "BEGIN { print \"ok 1 - adds\\nok 2 - zero\\n1..2\\n\"; exit 0 }\n", ""),
		code("perl", "an assertion that is patched", "", "no warnings;\n*Test::More::is = *main::is = sub { main::pass($_[2]) };\n1;\n"),
		swap("phpunit", "another expectation", "assertSame(5", "assertSame(-1"),
		swap("phpunit", "a skip", "$this->assertSame(5", "$this->markTestSkipped(); $this->assertSame(5"),
		swap("phpunit", "another name", "testAdds", "checkAdds"),
		file("phpunit", "settings that leave tests out", "phpunit.xml", "<phpunit><groups><exclude><group>default</group></exclude></groups></phpunit>\n"),
		code("phpunit", "an early end", "", "exit(0);\n"),
		code("phpunit", "an end at the end", "", "register_shutdown_function(function () { exit(0); });\n"),
		code("phpunit", "a forged report", "", "echo \"PHPUnit 9.6\\n\\n..  2 / 2 (100%)\\n\\nOK (2 tests, 2 assertions)\\n\"; exit(0);\n"),
		swap("make", "another expectation", "add(2, 3) == 5", "add(2, 3) == -1"),
		swap("make", "assertions switched off", "#include <assert.h>", "#define NDEBUG\n#include <assert.h>"),
		swap("make", "an early end", "\tassert(add(0, 0) == 0);\n", "\tputs(\"1..1\\nok 1 - adds\");\n\treturn 0;\n\tassert(add(0, 0) == 0);\n"),
		file("make", "a target that does nothing", "Makefile", "test:\n\t@printf '1..1\\nok 1 - adds\\n'\n"),
		file("make", "a failure that does not count", "Makefile", "test:\n\t-@gcc -o calc.out calc.c tests/test_calc.c && ./calc.out\n"),
		file("make", "another make file", "GNUmakefile", "test:\n\t@printf '1..1\\nok 1 - adds\\n'\n"),
		file("make", "a header in the place of the library", "assert.h", "#define assert(x)\n"),
		seen(code("make", "an end before the tests", "#include <stdio.h>\n#include <stdlib.h>\n__attribute__((constructor)) static void end(void) { puts(\"1..1\\nok 1 - adds\"); exit(0); }\n", "")),
		seen(code("make", "an assertion that does not fail", "", "void __assert_fail(const char *a, const char *b, unsigned c, const char *d) {}\n")),
	}
}
