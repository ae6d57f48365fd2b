package look

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestIn(t *testing.T) {
	t.Parallel()
	show := func(p string, lines ...int) Request {
		w := Request{Kind: Show, What: p}
		if len(lines) > 0 {
			w.From, w.To = lines[0], lines[1]
		}
		return w
	}
	find := func(s string) Request { return Request{Kind: Find, What: s} }
	ask := func(s string) Request { return Request{Kind: Ask, What: s} }
	for name, c := range map[string]struct {
		reply string
		want  []Request
	}{
		"bare lines":              {"SHOW a/b.go\nFIND parseThing\n", []Request{show("a/b.go"), find("parseThing")}},
		"lines of a file":         {"SHOW a.go:120-180\nSHOW b.go:7", []Request{show("a.go", 120, 180), show("b.go", 7, 7)}},
		"lines in other forms":    {"SHOW a.go#L3-L9\nSHOW b.go lines 4-8\nSHOW c.go (lines 1 to 5)", []Request{show("a.go", 3, 9), show("b.go", 4, 8), show("c.go", 1, 5)}},
		"lines the wrong way":     {"SHOW a.go:9-3", []Request{show("a.go", 9, 9)}},
		"line nought":             {"SHOW a.go:0-9", []Request{show("a.go")}},
		"chatter around":          {"Let me look first.\n\nSHOW a.go\n\nThen I can answer.", []Request{show("a.go")}},
		"a list":                  {"- SHOW a.go\n* FIND x\n1. SHOW b.go\n2) SHOW c.go", []Request{show("a.go"), find("x"), show("b.go"), show("c.go")}},
		"code and emphasis":       {"`SHOW a.go`\n**FIND** `two words`\nSHOW `b.go`", []Request{show("a.go"), find("two words"), show("b.go")}},
		"in a fence":              {"```\nSHOW a.go\n```", []Request{show("a.go")}},
		"a colon":                 {"SHOW: a.go\nFIND: x", []Request{show("a.go"), find("x")}},
		"a leading ./":            {"SHOW ./a.go", []Request{show("a.go")}},
		"CRLF":                    {"SHOW a.go\r\nFIND b\r\n", []Request{show("a.go"), find("b")}},
		"the same twice":          {"SHOW a.go\nSHOW a.go", []Request{show("a.go")}},
		"a path with a blank":     {"SHOW a b/c d.go", []Request{show("a b/c d.go")}},
		"a question":              {"ASK Which of the two is meant?", []Request{ask("Which of the two is meant?")}},
		"a question of two lines": {"ASK Which is meant:\nthe old or the new?\n\nThanks.", []Request{ask("Which is meant:\nthe old or the new?")}},
		"prose":                   {"I will show a.go and find it. SHOWN here. Showing SHOW a.go in the midst.", nil},
		"lower case":              {"show a.go\nFind x", nil},
		"nothing behind it":       {"SHOW\nFIND \nASK  ", nil},
		"a path out of all size":  {"SHOW " + strings.Repeat("a", 400), nil},
		"a C++ name":              {"FIND std::vector::push_back", []Request{find("std::vector::push_back")}},
		"a text to find exactly":  {"FIND \"use strict\";\n`FIND \"a  b\"`\nFIND 'x = 1'", []Request{find(`"use strict"`), find(`"a  b"`), find(`"x = 1"`)}},
		"quotes inside of quotes": {`FIND "it("adds""`, []Request{find(`"it("adds""`)}},
		"two quoted words":        {`FIND "one", "two"`, []Request{find("one two")}},
		"a drive":                 {`SHOW C:\x.go`, []Request{show(`C:\x.go`)}},
	} {
		if diff := cmp.Diff(c.want, In(c.reply)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestNoMoreThanMax(t *testing.T) {
	t.Parallel()
	if got := In(strings.Repeat("SHOW a.go\n", 3) + "SHOW " + strings.Join(strings.Split("bcdefghijklmnopq", ""), ".go\nSHOW ")); len(got) != MaxRequests {
		t.Errorf("got %d wishes, want %d", len(got), MaxRequests)
	}
}

func FuzzIn(f *testing.F) {
	f.Add("SHOW a.go:1-2\nFIND x\nASK why?\n")
	f.Add("- `SHOW a`:9-3\n\x00\xff")
	f.Fuzz(func(t *testing.T, reply string) {
		for _, w := range In(reply) {
			if w.What == "" || w.From < 0 || w.To < w.From || w.Kind != Ask && strings.Contains(w.What, "\n") {
				t.Errorf("%+v", w)
			}
		}
	})
}
