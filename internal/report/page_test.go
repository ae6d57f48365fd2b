package report

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// inEveryPlace is a run that has a in one half of the places for foreign text
// and b in the other.
func inEveryPlace(a, b string) record.Detail {
	d := sample()
	r := &d.Run
	r.ID, r.Repo, r.RepoName, r.Branch, r.Base, r.Message, r.Outcome = a, b, a, b, a, b, a
	r.Task.Title, r.Task.Kind = b, a
	r.PullRequest = &event.PullRequest{Number: 7, URL: a}
	failures := []event.Failure{{Test: a, File: b, Line: 7, Message: a}}
	d.Baseline = []record.Check{{Name: a, Kind: b, Command: b, Note: a, Log: b, Failures: failures}}
	d.Attempts = []record.Attempt{{
		N: 1, Outcome: b, Role: a, Summary: a, Diff: a + "\n+" + b, Checks: d.Baseline,
		Files: []event.File{{Path: a, From: b, Op: a}}, Refused: []event.Problem{{Path: b, Reason: a}},
		Calls: []record.Call{{Role: b, Model: a, Prompt: b, Reply: a}},
	}}
	d.Notes = []record.Note{{Kind: a, Text: b}}
	d.Extra = []record.Call{{Role: a, Model: b, Error: a, Prompt: b}}
	d.Requests = []record.Request{{Attempt: 1, Role: a, Model: b, Files: []event.ContextFile{{Path: a, Part: b, Why: a}}}}
	d.Evidence = &event.EvidenceFinished{Verdict: "proven", Tests: []string{b}, Note: a}
	return d
}

func pageText(t *testing.T, d record.Detail) string {
	t.Helper()
	var b strings.Builder
	// A blob holds its own name, or is gone with words that are foreign too.
	read := func(ref string) ([]byte, error) {
		if len(ref)%2 == 1 {
			return nil, errors.New(ref)
		}
		return []byte(ref), nil
	}
	diff := "diff --git a/x b/" + d.Run.ID + "\n" + d.Run.Branch + "\n@@ -1,2 +1,2 @@" + d.Run.Branch + "\n-" + d.Run.Base + "\n+" + d.Run.ID + "\n " + d.Run.Branch + "\n"
	g := Page{Detail: d, Diff: diff, NoDiff: d.Run.Base, Read: read, Hide: []Place{{Dir: "/src/app"}, {Dir: "/home/me", Word: "~"}}}
	if err := g.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var (
	anyTag = regexp.MustCompile(`<[^>]*>?`)
	ourTag = regexp.MustCompile(`^<(!DOCTYPE html|html lang="en"|meta (charset|name|http-equiv)="[a-zA-Z0-9-]+"( content="[^"<>]*")?` +
		`|section( id="[a-z0-9-]+" aria-labelledby="[a-z0-9-]+"( class="verdict (good|bad|warn)")?)?|h2 id="h-[a-z0-9-]+"` +
		`|th scope="(row|col)"( colspan="4")?|nav aria-label="On this page"|table class="proof"|details( class="file")?( open)?|summary class="warn"` +
		`|(span|td|p|div|dl|pre) class="(good|bad|warn|dim|sign|at|diff|first|notes)"( aria-hidden="true")?` +
		`|a class="skip" href="#verdict"|a href="#[a-z0-9-]+"|div class="scroll" role="region" aria-label="[A-Za-z ]+" tabindex="0"` +
		`|a href="https?://[^"<>]+" rel="noreferrer"` +
		`|/?(html|head|title|style|body|header|nav|main|footer|h1|h2|h3|p|br|table|caption|thead|tbody|tfoot|tr|th|td|code|pre|ul|li|dl|dt|dd|div|del|ins|section|details|summary|span|a))>$`)
)

// FuzzPage wants foreign text to open no tag and no attribute, whatever place it is in.
func FuzzPage(f *testing.F) {
	for i, s := range hostile {
		f.Add(s, hostile[(i+5)%len(hostile)])
	}
	for _, s := range []string{`" onclick="x`, `' x='`, `https://x/" onclick="alert(1)`, `https://x/?" onclick="alert(1)`, "javascript:alert(1)", "https://x/<script>", "</pre><script>alert(1)</script>", "</title>", "</style>", "&quot; x", "+ADw-script+AD4-"} {
		f.Add(s, "a")
		f.Add("a", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		got := pageText(t, inEveryPlace(a, b))
		var open []string
		for _, tag := range anyTag.FindAllString(got, -1) {
			if !ourTag.MatchString(tag) {
				t.Fatalf("with %q and %q there is a tag %q", a, b, tag)
			}
			name := strings.Trim(strings.Fields(tag)[0], "<>")
			switch {
			case name == "!DOCTYPE" || name == "meta" || name == "input" || strings.HasSuffix(tag, "/>"):
			case !strings.HasPrefix(name, "/"):
				open = append(open, name)
			case len(open) == 0 || open[len(open)-1] != name[1:]:
				t.Fatalf("with %q and %q %s closes %v", a, b, tag, open)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			t.Fatalf("with %q and %q %v stays open", a, b, open)
		}
	})
}

func TestPageLinksOnlyToTheWeb(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/a/pull/7?x=1&y=2": `<a href="https://example.com/a/pull/7?x=1&amp;y=2" rel="noreferrer">#7</a>`,
		"http://ghe.example.com/pull/7":        `<a href="http://ghe.example.com/pull/7" rel="noreferrer">#7</a>`,
		"javascript:alert(1)":                  "<dd>#7</dd>",
		"JavaScript://x/%0aalert(1)":           "<dd>#7</dd>",
		"//example.com/pull/7":                 "<dd>#7</dd>",
		"data:text/html,x":                     "<dd>#7</dd>",
		"https:///nohost":                      "<dd>#7</dd>",
		"":                                     "<dd>#7</dd>",
	} {
		d := sample()
		d.Run.PullRequest.URL = url
		if got := pageText(t, d); !strings.Contains(got, want) {
			_, from, _ := strings.Cut(got, "Pull request")
			t.Errorf("%q: got %.200s, want %s", url, from, want)
		}
	}
}
