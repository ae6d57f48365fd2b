package retrieval

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/look"
)

// TestALookRoundAddsWhatWasAskedFor, and nothing else, with the numbers of the lines around
// it.
func TestALookRoundAddsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	long := longGo(200)
	write(t, root, "long/long.go", long)
	write(t, root, "cart.py", "def total():\n    return 1\n")
	write(t, root, "data/large.txt", strings.Repeat("nothing of the kind is in this line\n", 9000)+"the needle-in-hay stands here\n")
	ix := New(root, walk(t, root), Options{})
	view := []Shown{{Path: "cart.py", Why: "named in the task"}, {Path: "long/long.go", Lines: [][2]int{{1, 5}, {20, 24}}}}
	at := 1 + strings.Count(long[:strings.Index(long, "func Work150(")], "\n")
	for _, c := range []struct {
		name, wish string
		content    string
		found      string
	}{
		{"a range, with its numbers", "SHOW long/long.go:100-102",
			"[Parts of a file of 4403 lines.]\n[… lines 1-99 …]\n" + strings.Join(strings.SplitAfter(long, "\n")[99:102], "") +
				"[… lines 103-4403 …]\n", ""},
		{"a function by its exact name, whole", "FIND Work150", fmt.Sprintf("[… lines 1-%d …]\n// Work150 does step 150.\nfunc Work150(", at-2),
			fmt.Sprintf("long/long.go:%d: func Work150(in int) int {\n", at)},
		{"a place in a file that is too large for the index", "FIND needle-in-hay", "", "data/large.txt:9001: the needle-in-hay stands here\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers, parts, err := ix.Look(t.Context(), look.In(c.wish), 60000)
			if err != nil || len(answers) != 1 || answers[0].Answer != look.Shown {
				t.Fatalf("got %+v, %v", answers, err)
			}
			if !strings.Contains(answers[0].Found, c.found) {
				t.Errorf("found %q, want %q", answers[0].Found, c.found)
			}
			var v View
			kept, err := ix.Add(t.Context(), &v, view)
			if err != nil {
				t.Fatal(err)
			}
			if len(kept) != 2 || kept[0].Content != "def total():\n    return 1\n" || !slices.Equal(kept[1].Lines, view[1].Lines) {
				t.Errorf("shown first: %+v", kept)
			}
			asked, err := ix.AddParts(t.Context(), &v, parts)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case c.content == "" && len(asked) > 0:
				t.Errorf("shown though nobody asked for it: %v", asked)
			case c.content != "" && (len(asked) != 1 || !strings.Contains(asked[0].Content, c.content)):
				t.Errorf("got %+v, want %q", asked, c.content)
			case strings.HasPrefix(c.wish, "FIND Work150") && (!strings.Contains(asked[0].Content, "step 150.16\n\treturn in\n}\n") ||
				strings.Contains(asked[0].Content, "Work151")):
				t.Errorf("not the whole function, or more: %s", asked[0].Content)
			}
		})
	}
	answers, _, err := ix.Look(t.Context(), look.In("FIND nowhere_at_all\nASK which one?"), 60000)
	if err != nil || answers[0].Answer != look.NotFound || answers[1].Answer != look.Kept {
		t.Errorf("got %+v, %v", answers, err)
	}
}

// TestTheExtentOfADeclaration: with what is said above it, to what closes it.
func TestTheExtentOfADeclaration(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		at       int
		from, to int
	}{
		"Go, parameters over several lines": {"package a\n\n// F does.\nfunc F(\n\ta int,\n) error {\n\treturn nil\n}\n\nfunc G() {}\n", 3, 2, 8},
		"Python, a decorator above":         {"@cached\ndef f(a):\n    if a:\n\n        return 1\n\n\ndef g():\n    pass\n", 1, 0, 5},
		"Ruby":                              {"class A\n  def f\n    1\n  end\n\n  def g\n  end\nend\n", 1, 1, 4},
		"C, the brace below":                {"int f(int a)\n{\n\treturn a;\n}\nint g;\n", 0, 0, 4},
		"the last lines":                    {"type T struct {\n\ta int\n}\n", 0, 0, 3},
	} {
		if from, to := extent(strings.SplitAfter(c.text, "\n"), c.at); from != c.from || to != c.to {
			t.Errorf("%s: got lines %d to %d, want %d to %d", name, from, to, c.from, c.to)
		}
	}
}

// TestAFindListsTenPlaces, product code before tests.
func TestAFindListsTenPlaces(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i := range 12 {
		write(t, root, fmt.Sprintf("a%02d_test.go", i), "package a\n\nvar _ = price(1)\n")
	}
	write(t, root, "z.go", "package a\n\nfunc total() int { return price(2) }\n")
	ix := New(root, walk(t, root), Options{})
	answers, _, err := ix.Look(t.Context(), look.In("FIND price("), 60000)
	if err != nil || len(answers) != 1 {
		t.Fatalf("got %+v, %v", answers, err)
	}
	places := strings.Split(strings.TrimSpace(answers[0].Found), "\n")
	if len(places) != 10 || !strings.HasPrefix(places[0], "z.go:3:") || answers[0].Note != "3 more places hold it" {
		t.Errorf("got %d places, %q first, and %q", len(places), places[0], answers[0].Note)
	}
}

// TestAFindTakesTextOrWords: a text in quotes is found as it is, words where one line or one
// function has them all, in code before documents.
func TestAFindTakesTextOrWords(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for i := range 9 {
		write(t, root, fmt.Sprintf("docs/part%d.md", i), "How a parcel gets its postage label.\n\nThe postage of a Parcel.\n")
	}
	write(t, root, "CHANGELOG.md", "- postage label of a parcel\n")
	write(t, root, "ship/send.go", "package ship\n\n// Send does it.\nfunc Send(p Parcel) error {\n\tprint(label(p))\n\treturn pay(\"postage\")\n}\n\nfunc other() {\n\tlog(\"a parcel\")\n}\n")
	write(t, root, "ship/send_test.go", "package ship\n\nfunc TestSend() {\n\tsend(\"the label: parcel, postage\")\n\tsend(\"Postage\")\n}\n")
	ix := New(root, walk(t, root), Options{})
	for wish, want := range map[string][]string{
		"FIND parcel postage label": {"ship/send_test.go:4: send(\"the label: parcel, postage\")", "ship/send.go:4: func Send(p Parcel) error {",
			"CHANGELOG.md:1: - postage label of a parcel", "docs/part0.md:1: How a parcel gets its postage label."},
		`FIND "postage label of"`: {"CHANGELOG.md:1: - postage label of a parcel"},
		`FIND "Postage"`:          {"ship/send_test.go:5: send(\"Postage\")"},
	} {
		answers, _, err := ix.Look(t.Context(), look.In(wish), 60000)
		if err != nil || len(answers) != 1 {
			t.Fatalf("%s: got %+v, %v", wish, answers, err)
		}
		if got := strings.Split(strings.TrimSpace(answers[0].Found), "\n"); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant:\n%s", wish, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
