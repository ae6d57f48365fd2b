package report

import (
	"regexp"
	"strings"
	"sync"
)

// places are words in a template's headings and what of ours goes under them.
// The order decides where a heading holds words of several.
var places = []struct {
	place string
	words []string
}{
	{"tests", []string{"test", "verif", "validat", "proof", "qa"}},
	{"closes", []string{"issue", "ticket", "related", "closes", "fixes", "link"}},
	{"what", []string{"what", "why", "summary", "description", "describe", "change", "overview", "purpose", "proposed", "motivation"}},
}

// templateComment is what a template says to whoever fills it in.
var templateComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`) })

// maxTemplateLeft bounds what of a template may stay as it is, in bytes.
const maxTemplateLeft = 8 << 10

// fillTemplate puts our texts under the headings of a repository's template that fit them.
// Sections with boxes or words for people stay, those that are left empty go. Where no
// heading fits what the change is, the template is not used: ok is false. taken names the
// texts that found a place.
func fillTemplate(template string, texts map[string]string) (out string, taken map[string]bool, ok bool) {
	sections := sectionsOf(strings.ReplaceAll(template, "\r\n", "\n"))
	taken = map[string]bool{}
	var b strings.Builder
	for _, s := range sections {
		place := placeOf(s.title)
		own := texts[place]
		if taken[place] {
			own = ""
		}
		left := strings.TrimSpace(templateComment().ReplaceAllString(s.body, ""))
		boxes := box().MatchString(firstBox(left))
		switch {
		case own != "":
			taken[place] = true
			b.WriteString(s.heading + "\n\n" + strings.TrimRight(own, "\n") + "\n\n")
			if boxes {
				b.WriteString(left + "\n\n")
			}
		case left != "" && s.heading != "":
			b.WriteString(s.heading + "\n\n" + left + "\n\n")
		}
	}
	if !taken["what"] && !taken["closes"] ||
		b.Len() > maxTemplateLeft+len(texts["what"])+len(texts["tests"]) {
		return "", nil, false
	}
	return b.String(), taken, true
}

// firstBox gives the first line of a text that is a box to tick, "" where there is none.
func firstBox(s string) string {
	for line := range strings.Lines(s) {
		if line = strings.TrimRight(line, "\n"); box().MatchString(line) {
			return line
		}
	}
	return ""
}

// section is a heading of a template with what follows it; the first one may have none.
type section struct{ heading, title, body string }

func sectionsOf(template string) []section {
	out := []section{{}}
	var scan templateScan
	for _, line := range strings.Split(strings.TrimSpace(template), "\n") {
		if title, level := scan.heading(line); level > 0 {
			out = append(out, section{heading: strings.TrimSpace(line), title: title})
			continue
		}
		out[len(out)-1].body += line + "\n"
	}
	return out
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
