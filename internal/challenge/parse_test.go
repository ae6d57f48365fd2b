package challenge

import (
	"slices"
	"strings"
	"testing"
)

const goFile = "package more_test\n\nimport \"testing\"\n\n// comment\nfunc TestA(t *testing.T) {\n\tif 1 != 2 {\n\t\tt.Error()\n\t}\n}\n\nfunc TestB(t *testing.T) {}\n"

func TestParse(t *testing.T) {
	file := "```go\n" + goFile + "```\n"
	for _, c := range []struct {
		what, reply string
		names       []string
		problem     string
	}{
		{"as asked", "TEST TestA: \"one\"\nTEST TestB: \"two\"\n\n" + file, []string{"TestA", "TestB"}, ""},
		{"marked up", "- **TEST** `TestA`: “one”\n- TEST: TestB: \"two\"\n\nmore_test.go\n" + file, []string{"TestA", "TestB"}, ""},
		{"a title with a colon", "TEST abs: negative: \"one\"\n\n```js\ntest('abs: negative', () => {})\n```", []string{"abs: negative"}, ""},
		{"a longer fence", "TEST TestA: \"one\"\n~~~~go\n" + goFile + "```\n~~~~\n", []string{"TestA"}, ""},
		{"twice the same", "TEST TestA: \"one\"\nTEST TestA: \"two\"\n" + file, []string{"TestA"}, ""},
		{"no file", "TEST TestA: \"one\"\n", []string{"TestA"}, "no file"},
		{"two files", "TEST TestA: \"one\"\n" + file + file, []string{"TestA"}, "several fences"},
		{"no tests", file, nil, "no line names a test"},
		{"a test that is not there", "TEST TestC: \"one\"\n" + file, []string{"TestC"}, "no test TestC"},
		{"not closed", "TEST TestA: \"one\"\n```go\n" + goFile, []string{"TestA"}, "not closed"},
		{"another path", "TEST TestA: \"one\"\n\n.github/workflows/x.yml\n" + file, []string{"TestA"}, ".github/workflows/x.yml cannot be written"},
		{"a path that climbs", "TEST TestA: \"one\"\n\n`../../more_test.go`\n" + file, []string{"TestA"}, "../../more_test.go cannot be written"},
		{"a patch", "TEST TestA: \"one\"\n```\n*** Begin Patch\n*** Update File: a.go\nTestA\n*** End Patch\n```", []string{"TestA"}, "edits files"},
		{"a search block", "TEST TestA: \"one\"\n```\n<<<<<<< SEARCH\nTestA\n=======\n>>>>>>> REPLACE\n```", []string{"TestA"}, "edits files"},
		{"a file to remove", "TEST TestA: \"one\"\nDELETE old_test.go\n" + file, []string{"TestA"}, "edits files"},
	} {
		s, problems := Parse(c.reply, "cart/more_test.go")
		var names []string
		for _, test := range s.Tests {
			names = append(names, test.Name)
		}
		if !slices.Equal(names, c.names) {
			t.Errorf("%s: got tests %q, want %q", c.what, names, c.names)
		}
		if got := strings.Join(problems, "; "); !strings.Contains(got, c.problem) || c.problem == "" && got != "" {
			t.Errorf("%s: got problems %q, want %q", c.what, got, c.problem)
		}
	}
	if s, problems := Parse("NONE: The task says nothing of behavior.\n", "x_test.go"); s.None == "" || len(problems) > 0 {
		t.Errorf("nothing to test: got %+v, %q", s, problems)
	}
	many := strings.Repeat("TEST TestA%: \"x\"\n", 12)
	for i := range 12 {
		many = strings.Replace(many, "%", string(rune('a'+i)), 1)
	}
	if s, _ := Parse(many, "x_test.go"); len(s.Tests) != MaxTests {
		t.Errorf("got %d tests, want %d", len(s.Tests), MaxTests)
	}
}

func TestCodeOf(t *testing.T) {
	s := Suite{Text: goFile}
	if got, want := s.CodeOf(Test{Name: "TestA"}), "// comment\nfunc TestA(t *testing.T) {\n\tif 1 != 2 {\n\t\tt.Error()\n\t}\n}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Tests = []Test{{Name: "TestB"}, {Name: "TestA"}}
	if got, want := s.Head(), "package more_test\n\nimport \"testing\"\n\n"; got != want {
		t.Errorf("got head %q, want %q", got, want)
	}
	s.Text = "class X(T):\n    @mark\n    def test_a(self):\n        x = 1\n\n        assert x\n\n    def test_b(self):\n        pass\n"
	if got, want := s.CodeOf(Test{Name: "test_a"}), "    @mark\n    def test_a(self):\n        x = 1\n\n        assert x\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("TEST TestA: \"one\"\n```go\n" + goFile + "```\n")
	f.Add("NONE: nothing\n```\n")
	f.Add("- TEST `a`: “b”\n~~~\na\n~~~~")
	f.Add("TEST a: \"b\"\n../x.go\n```\na\n```\nDELETE x\n")
	f.Fuzz(func(t *testing.T, reply string) {
		s, problems := Parse(reply, "a/more_test.go")
		if len(problems) > 0 || s.None != "" {
			return
		}
		if len(s.Tests) == 0 || len(s.Tests) > MaxTests || strings.TrimSpace(s.Text) == "" {
			t.Fatalf("no problem, and got %+v", s)
		}
		for _, test := range s.Tests {
			if test.Name == "" || test.Quote == "" || !strings.Contains(s.Text, test.Name) {
				t.Errorf("got %+v of %q", test, s.Text)
			}
			if code := s.CodeOf(test); !strings.Contains(code, test.Name) {
				t.Errorf("the code of %q is %q", test.Name, code)
			}
			Founded(test.Quote, s.Text)
		}
	})
}
