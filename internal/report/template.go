package report

import (
	"strings"
)

// places are words in a template's headings and what of ours goes under them.
// The order decides where a heading holds words of several.
var places = []struct {
	place string
	words []string
}{
	{"tests", []string{"test", "verif", "validat", "qa"}},
	{"why", []string{"why", "motivation", "issue", "ticket", "related", "closes", "fixes", "link", "context",
		"background"}},
	{"what", []string{"what", "summary", "description", "describe", "change", "overview", "purpose", "proposed"}},
}

// fillTemplate puts blocks under the headings of a repository's template that
// fit them and gives back those that found no place. The template's own text,
// comments and check boxes stay: people look for them.
func fillTemplate(template string, blocks []block, run string) (rest []block, text string) {
	lines := strings.Split(strings.ReplaceAll(strings.TrimSpace(template), "\r\n", "\n"), "\n")
	taken := map[string]bool{}
	var out []string
	var scan templateScan
	for _, line := range lines {
		heading, level := scan.heading(line)
		out = append(out, line)
		place := placeOf(heading)
		if place == "" || taken[place] {
			continue
		}
		for _, b := range blocks {
			if b.place == place {
				taken[place] = true
				out = append(out, "", strings.TrimRight(b.render(run, min(level+1, 6)), "\n"))
			}
		}
		if taken[place] {
			out = append(out, "")
		}
	}
	for _, b := range blocks {
		if b.place == "" || !taken[b.place] {
			rest = append(rest, b)
		}
	}
	return rest, strings.Join(out, "\n") + "\n"
}

func placeOf(heading string) string {
	heading = strings.ToLower(heading)
	if heading == "" || strings.Contains(heading, "checklist") || strings.Contains(heading, "type of") {
		return ""
	}
	for _, p := range places {
		for _, w := range p.words {
			if strings.Contains(heading, w) {
				return p.place
			}
		}
	}
	return ""
}

// templateScan goes line by line and knows what is inside code or a comment,
// where a line that looks like a heading is none.
type templateScan struct {
	fence   string
	comment bool
}

// heading gives the text and level of a line of the form "## Text", if it is one.
func (t *templateScan) heading(line string) (string, int) {
	trimmed := strings.TrimSpace(line)
	switch {
	case t.comment:
		t.comment = !strings.Contains(line, "-->")
		return "", 0
	case t.fence != "":
		if strings.HasPrefix(trimmed, t.fence) {
			t.fence = ""
		}
		return "", 0
	case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
		t.fence = trimmed[:3]
		return "", 0
	}
	if i := strings.LastIndex(line, "<!--"); i >= 0 && !strings.Contains(line[i:], "-->") {
		t.comment = true
	}
	text := strings.TrimLeft(trimmed, "#")
	level := len(trimmed) - len(text)
	if level == 0 || level > 6 || !strings.HasPrefix(text, " ") {
		return "", 0
	}
	return strings.Trim(text, " #"), level
}
