package retrieval

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// The body of a failing test, with the helpers and fixtures that it uses, is
// shown before any product file, whatever the language and however large the
// test's file is; and what it speaks of leads to the product.
func TestTheFailingTestIsInView(t *testing.T) {
	for _, c := range []struct {
		name, file, first, body, helper, last string
		more                                  map[string]string
		failing                               FailingTest
		product                               string
	}{
		{
			name: "a function of Go and its helper", file: "filters/filters_test.go",
			first: "package filters\n\nimport \"testing\"\n\n",
			body:  "func TestAttrFilter(t *testing.T) {\n\tgot := attrFilter(\"a.b\")\n\tmustBe(t, got, \"deep\")\n}\n\n", helper: "func mustBe(t *testing.T, got, want string) {\n\tt.Helper()\n}\n\n",
			last: "func TestOther%d(t *testing.T) {\n\tcheckAllOfIt(%d)\n}\n\n", failing: FailingTest{Name: "example.org/filters.TestAttrFilter/deep"},
			more: map[string]string{"filters/attr.go": "package filters\n\nfunc attrFilter(s string) string { return s }\n"}, product: "filters/attr.go",
		},
		{
			name: "a function of pytest and a fixture of another file", file: "tests/test_filters.py", first: "import pytest\n\n",
			body: "def test_attr_filter(kiln):\n    assert attribute_of(kiln, 'glaze') == 930\n\n", last: "def test_other_%d():\n    assert fine(%d)\n\n",
			failing: FailingTest{Name: "tests/test_filters.py::test_attr_filter[deep]", File: "tests/test_filters.py"},
			more: map[string]string{
				"tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef kiln():\n    return heated()\n", "shop/attributes.py": "def attribute_of(thing, name):\n    return None\n",
			}, product: "shop/attributes.py",
		},
		{
			name: "a call with a title in JavaScript", file: "test/date.test.ts", first: "import {it} from 'vitest'\n\n",
			body: "it('parses a date with a zone', () => {\n  expect(parseZoned('x')).toBe(1)\n})\n\n", last: "it('does other things %d', () => {\n  expect(fine(%d))\n})\n\n",
			failing: FailingTest{Name: "test/date.test.ts > parses a date with a zone", File: "src/zoned.ts", Line: 2},
			more:    map[string]string{"src/zoned.ts": "export function parseZoned(s: string) {\n  return 0\n}\n"}, product: "src/zoned.ts",
		},
		{
			name: "a line of RSpec", file: "spec/kiln_spec.rb", first: "describe Kiln do\n", body: "  it 'melts the glaze' do\n    expect(melt_at(930)).to eq 1\n  end\n\n",
			last: "  it 'is fine %d' do\n    expect(fine(%d))\n  end\n\n", failing: FailingTest{Name: "Kiln melts the glaze", File: "spec/kiln_spec.rb", Line: 1300},
			more: map[string]string{"lib/oven.rb": "def melt_at(heat)\n  0\nend\n"}, product: "lib/oven.rb",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			var text strings.Builder
			text.WriteString(c.first)
			for k := range 250 {
				fmt.Fprintf(&text, c.last, k, k)
			}
			if c.failing.Line > 1 && c.failing.File == c.file {
				c.failing.Line = strings.Count(text.String(), "\n") + 2
			}
			text.WriteString(c.body)
			for k := range 250 {
				fmt.Fprintf(&text, c.last, 300+k, k)
			}
			text.WriteString(c.helper)
			write(t, root, c.file, text.String())
			for p, content := range c.more {
				write(t, root, p, content)
			}
			for k := range 60 {
				write(t, root, fmt.Sprintf("more/part%d.go", k), filler(".go", k))
			}
			got := New(root, walk(t, root), Options{}).Select(Need{Failure: "1 failed", Tests: []FailingTest{c.failing}, Budget: 30000})
			if len(got) == 0 || got[0].Path != c.file {
				t.Fatalf("the failing test does not come first: %v", names(got))
			}
			for _, want := range []string{c.body, c.helper} {
				if !strings.Contains(got[0].Content, strings.TrimSpace(want)) {
					t.Errorf("not shown of the test:\n%s\ngot:\n%.900s", want, got[0].Content)
				}
			}
			shown := map[string]bool{}
			for _, f := range got {
				shown[f.Path] = true
			}
			if fixture := "tests/conftest.py"; c.more[fixture] != "" && !shown[fixture] {
				t.Errorf("the fixture is not shown: %v", names(got))
			}
			if !shown[c.product] {
				t.Errorf("what the test speaks of does not lead to %s: %v", c.product, names(got))
			}
		})
	}
}

// What a repository's past tells leads to files that no word of the task names.
func TestPastChangesSpeakForFiles(t *testing.T) {
	root := t.TempDir()
	for k := range 80 {
		write(t, root, fmt.Sprintf("more/part%d.go", k), filler(".go", k))
	}
	write(t, root, "zz/quire.go", "package zz\n\nfunc Bind() int { return 1 }\n")
	write(t, root, "zz/board.go", "package zz\n\nfunc Cut() int { return 1 }\n")
	files := walk(t, root)
	n := Need{Task: "pagination breaks on empty chapters", Budget: 30000}
	past := []PastChange{
		{Message: "parts: tidy", Files: []string{"more/part3.go"}},
		{Message: "fix pagination of chapters", Files: []string{"zz/quire.go"}},
		{Message: "sturdier covers", Files: []string{"zz/quire.go", "zz/board.go"}},
		{Message: "pagination, again", Files: []string{"zz/quire.go", "gone.go"}},
	}
	with := names(New(root, files, Options{History: func(context.Context) []PastChange { return past }}).Select(n))
	if len(with) == 0 || with[0] != "zz/quire.go" {
		t.Errorf("with its past: %v", with)
	}
	without := names(New(root, files, Options{}).Select(n))
	if len(without) > 0 && without[0] == "zz/quire.go" {
		t.Errorf("the case proves nothing: without its past: %v", without)
	}
}
