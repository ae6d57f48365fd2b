package placeholder

import (
	"strings"
	"testing"
)

func TestFill(t *testing.T) {
	values := map[string]string{"Number": "42", "Slug": "{{.Number}}", "ID": ""}
	for _, c := range []struct{ name, text, want, err string }{
		{"a text without places", "main", "main", ""},
		{"nothing", "", "", ""},
		{"one place", "booty/issue-{{.Number}}", "booty/issue-42", ""},
		{"spaces and no dot", "{{ .Number }}{{Number}}{{\t.Number}}", "424242", ""},
		{"what is filled in is not read again", "{{.Slug}}-{{.Number}}", "{{.Number}}-42", ""},
		{"an empty value", "a{{.ID}}b", "ab", ""},
		{"single braces are text", "{a} }} ${B} {.Number}", "{a} }} ${B} {.Number}", ""},
		{"braces around a place are text", "{{{.Number}}}", "{42}", ""},
		{"an unknown name", "x/{{.Nubmer}}", "", "{{.Nubmer}} is unknown; there are {{.Number}}, {{.Slug}} and {{.ID}}"},
		{"another case is another name", "{{.number}}", "", "{{.number}} is unknown; there are {{.Number}}, {{.Slug}} and {{.ID}}"},
		{"not closed", "x/{{.Number", "", "a {{ is not closed, or not one of {{.Number}}, {{.Slug}} and {{.ID}}"},
		{"a call", "{{.Number | printf}}", "", "a {{ is not closed, or not one of {{.Number}}, {{.Slug}} and {{.ID}}"},
		{"a field of a field", "{{.Number.X}}", "", "a {{ is not closed, or not one of {{.Number}}, {{.Slug}} and {{.ID}}"},
		{"empty", "{{}}{{.Number}}", "", "a {{ is not closed, or not one of {{.Number}}, {{.Slug}} and {{.ID}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			parts, err := Parse(c.text, "Number", "Slug", "ID")
			if err != nil {
				if err.Error() != c.err {
					t.Errorf("got error %q, want %q", err, c.err)
				}
				return
			}
			if got := Fill(parts, values); got != c.want || c.err != "" {
				t.Errorf("got %q, want %q and error %q", got, c.want, c.err)
			}
		})
	}
}

func TestUses(t *testing.T) {
	parts, err := Parse("a {{.B}} c", "B", "C")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"": true, "B": true, "C": false, "a": false} {
		if Uses(parts, name) != want {
			t.Errorf("Uses(%q) = %v", name, !want)
		}
	}
	if Uses(parts[:1], "") {
		t.Error("a literal text has no place")
	}
}

func TestList(t *testing.T) {
	for want, names := range map[string][]string{"": nil, "{{.A}}": {"A"}, "{{.A}} and {{.B}}": {"A", "B"}, "{{.A}}, {{.B}} and {{.C}}": {"A", "B", "C"}} {
		if got := List(names...); got != want {
			t.Errorf("List(%v) = %q, want %q", names, got, want)
		}
	}
}

// FuzzParse wants the parts to be the text again, no place to be overlooked, and
// a value to stand exactly where its place was.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "{{.A}}", "x{{ .A }}y{{B}}", "{{", "}}", "{{{{.A}}}}", "{{.A}", "{{.A}}{{", "\xff{{.A}}\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		parts, err := Parse(s, "A", "B")
		if err != nil {
			if !strings.Contains(s, "{{") {
				t.Fatalf("Parse(%q): %v, and there is no place", s, err)
			}
			return
		}
		joined, literal := "", ""
		for _, p := range parts {
			joined += p.Text
			switch p.Name {
			case "":
				literal += p.Text
				if strings.Contains(p.Text, "{{") {
					t.Errorf("Parse(%q): %q is taken for text", s, p.Text)
				}
			case "A", "B":
				literal += "\x00"
			default:
				t.Errorf("Parse(%q): place %q", s, p.Name)
			}
		}
		if joined != s {
			t.Errorf("Parse(%q) = %q", s, joined)
		}
		if got := Fill(parts, map[string]string{"A": "\x00", "B": "\x00"}); got != literal {
			t.Errorf("Fill(%q) = %q, want %q", s, got, literal)
		}
	})
}
