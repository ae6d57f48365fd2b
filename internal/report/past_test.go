package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func past() Past {
	d := sample()
	return Past{Title: TitleDigest("fix: a"), Green: true, Look: true, Commit: "0123", Runs: []PastRun{RunOf(d.Run, d.Attempts)}}
}

// inBlock puts a hidden line where booty's own are.
func inBlock(mark string) string { return blockBegin + "\n" + mark + "\n" + blockEnd + "\n" }

func TestPastIsReadAgain(t *testing.T) {
	want := past()
	mark := want.Marker()
	got := PastOf("words\n" + inBlock(mark) + "\nmore")
	if got == nil {
		t.Fatalf("nothing is read from %q", mark)
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Error(diff)
	}
	if got.Attempts() != 2 || got.Without("0f3k2m9x1a").Attempts() != 0 {
		t.Errorf("%d attempts, %d without the run", got.Attempts(), got.Without("0f3k2m9x1a").Attempts())
	}
	if len(mark) > 140 {
		t.Errorf("the line has %d characters: %s", len(mark), mark)
	}
}

func TestPastKeepsTheWords(t *testing.T) {
	p := ready()
	p.Prose = "Because `x` is *new*, says @kim."
	p.Markers = append(p.Markers, past().Marker())
	body := p.Body()
	kept := PastOf(body)
	if kept == nil || kept.Prose == "" {
		t.Fatalf("no words are read from\n%s", body)
	}
	p.Past, p.Prose = *kept, kept.Prose
	if again := PastOf(p.Body()); again == nil || again.Prose != kept.Prose {
		t.Errorf("the words change from text to text: %q, %q", kept.Prose, again.Prose)
	}
}

func TestPastIsBounded(t *testing.T) {
	p := past()
	for i := range 100 {
		r := p.Runs[0]
		r.ID = fmt.Sprintf("r%d", i)
		p.Runs = append(p.Runs, r)
	}
	got := PastOf(inBlock(p.Marker()))
	if len(got.Runs) != maxPast || got.Attempts() != 202 {
		t.Errorf("%d runs and %d attempts are remembered", len(got.Runs), got.Attempts())
	}
}

func TestPastThatIsNone(t *testing.T) {
	mark := past().Marker()
	for _, s := range []string{"", inBlock("<!-- booty:past -->"), inBlock("<!-- booty:past AAAA -->"), mark, mark + inBlock("")} {
		if p := PastOf(s); p != nil {
			t.Errorf("%q: %v", s, p)
		}
	}
}

func TestReplaceKeepsWhatPeopleWrote(t *testing.T) {
	own := blockBegin + "\nnew\n" + blockEnd + "\n"
	cases := []struct{ name, body, want string }{
		{"around the block", "Hello\n\n" + blockBegin + "\nold\n" + blockEnd + "\n\nBye\n", "Hello\n\n" + blockBegin + "\nnew\n" + blockEnd + "\n\nBye\n"},
		{"as the web form sends it", "Hello\r\n" + blockBegin + "\r\nold\r\n" + blockEnd, "Hello\n" + blockBegin + "\nnew\n" + blockEnd},
		{"without a block", "Mine alone", "Mine alone\n\n" + blockBegin + "\nnew\n" + blockEnd},
		{"empty", "", own},
		{"from before there were blocks", "<!-- booty:run x -->\nold", own},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Replace(c.body, own)); diff != "" {
				t.Error(diff)
			}
		})
	}
	long := strings.Repeat("x", maxBody-len(own)/2)
	if got := Replace(long, own); len(got) > maxBody || !strings.HasPrefix(got, long) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestTickedBoxesStayTicked(t *testing.T) {
	block := func(s string) string { return blockBegin + "\n" + s + "\n" + blockEnd }
	got := Replace(block("- [x] tests\n  * [X] docs\n- [ ] notes\n- [x] gone"), block("- [ ] tests\n  * [ ] docs\n- [ ] notes\nnew"))
	if want := block("- [x] tests\n  * [x] docs\n- [ ] notes\nnew"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
