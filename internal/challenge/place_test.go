package challenge

import (
	"maps"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testfile"
)

func TestFind(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "calc/sum.go": "// Doc.\npackage calc\n", "main.go": "package main\n",
		"sub/go.mod": "module \"example.com/sub\"\n", "sub/a/a.go": "package a\n", "sub/b.go": "package sub\n", "crate/Cargo.toml": "[package]\n",
	}
	read := func(p string) ([]byte, error) {
		if text, is := files[p]; is {
			return []byte(text), nil
		}
		return nil, nil
	}
	for _, c := range []struct {
		changed        string
		tests          []string
		path, form, in string
	}{
		{"calc/sum.go", []string{"calc/other_test.go", "calc/sum_test.go", "main_test.go"}, "calc/more_1a_test.go", "calc/sum_test.go", "example.com/m/calc"},
		{"main.go", []string{"calc/sum_test.go"}, "more_1a_test.go", "calc/sum_test.go", ""},
		{"sub/a/a.go", nil, "sub/a/more_1a_test.go", "", "example.com/sub/a"},
		{"sub/b.go", nil, "sub/more_1a_test.go", "", "example.com/sub"},
		{"calc.py", []string{"tests/conftest.py", "tests/__init__.py", "tests/test_other.py", "tests/test_calc.py"}, "tests/test_more_1a.py", "tests/test_calc.py", ""},
		{"src/calc.py", []string{"src/calc_test.py"}, "src/more_1a_test.py", "src/calc_test.py", ""},
		{"shop/models.py", []string{"shop/tests.py"}, "shop/test_more_1a.py", "shop/tests.py", ""},
		{"calc.py", nil, "test_more_1a.py", "", ""},
		{"src/calc.ts", []string{"src/calc.test.ts", "src/a.spec.ts"}, "src/more_1a.test.ts", "src/calc.test.ts", ""},
		{"lib/calc.js", []string{"test/calc.js"}, "test/more_1a.js", "test/calc.js", ""},
		{"lib/calc.mjs", nil, "lib/more_1a.test.mjs", "", ""},
		{"crate/src/lib.rs", nil, "crate/tests/more_1a.rs", "", ""},
		{"lib/calc.rb", []string{"test/calc_test.rb"}, "test/more_1a_test.rb", "test/calc_test.rb", ""},
		{"lib/calc.rb", []string{"test/test_calc.rb"}, "test/test_more_1a.rb", "test/test_calc.rb", ""},
		{"lib/calc.rb", []string{"spec/calc_spec.rb"}, "spec/more_1a_spec.rb", "spec/calc_spec.rb", ""},
		{"src/main/java/Calc.java", []string{"src/test/java/CalcTest.java"}, "src/test/java/More1aTest.java", "src/test/java/CalcTest.java", ""},
	} {
		p, ok, err := Find([]string{"README.md", c.changed}, "1a", Before{Tests: c.tests, Read: read})
		if err != nil || !ok {
			t.Errorf("%s: got %t, %v", c.changed, ok, err)
			continue
		}
		in := ""
		if p.Go != nil {
			in = p.Go.Import
		}
		if p.Path != c.path || p.Form != c.form || in != c.in {
			t.Errorf("%s with %q: got %s, form %q, import %q", c.changed, c.tests, p.Path, p.Form, in)
		}
		if testfile.Of(p.Path) != testfile.Case {
			t.Errorf("%s is no file of tests", p.Path)
		}
	}
	if _, ok, _ := Find([]string{"data.json"}, "1a", Before{Read: read}); ok {
		t.Error("a place for tests of data was found")
	}
}

func TestGoTestsGoByTheirPackage(t *testing.T) {
	p := Place{Path: "calc/more_1a_test.go", Go: &GoPlace{Path: "calc/more1a/more_test.go", Package: "calc"}}
	for text, want := range map[string]string{
		"package calc\n": p.Path, "package more_test\n": p.Go.Path, "// x\npackage calc_test\n": p.Go.Path, "nothing": p.Path,
	} {
		if got := p.For(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestTheFormNamesWhatIsTouched(t *testing.T) {
	files := map[string]string{
		"test/application/response.test.js": "ctx.body = 1\n", "test/response/back.test.js": "res.back('/x'); ctx.body = 1\n",
		"test/response/body.test.js": "ctx.body = 1\n", "test/other.test.js": "feedback\n",
	}
	read := func(p string) ([]byte, error) { return []byte(files[p]), nil }
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, "test/application/response.test.js"},
		{[]string{"back"}, "test/response/back.test.js"},
		{[]string{"body", "unknown"}, "test/application/response.test.js"}, // all but one hold it: the name of the file decides
		{[]string{"unknown"}, "test/application/response.test.js"},
	} {
		p, ok, err := Find([]string{"lib/response.js"}, "1a", Before{Tests: slices.Sorted(maps.Keys(files)), Names: c.names, Read: read})
		if err != nil || !ok || p.Form != c.want {
			t.Errorf("%q: got %s, %t, %v, want %s", c.names, p.Form, ok, err, c.want)
		}
	}
}
