package edit

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A fence whose path does not stand properly above it may still be meant for a
// file. Where the sentence above says so and nothing else, it is read; where it
// merely names a file, or speaks of an updated one, and the fence holds what is
// in no file, the author is told, since silence would lose it.

// mention is a sentence that introduces a fence without naming its path properly.
type mention struct {
	paths   []string // in the order of the sentence
	line    int
	content string
	// said tells that the sentence speaks of a changed or complete file.
	said bool
	// bare says that no sentence names or speaks of a file: see unexplained.
	bare bool
}

// commonWords may stand beside the path in a sentence that introduces a file's
// content, saidWords show that one does.
var commonWords = map[string]bool{
	"and": true, "the": true, "this": true, "is": true, "now": true, "also": true, "for": true, "of": true,
	"my": true, "your": true, "file": true, "code": true,
	"version": true, "a": true, "an": true, "then": true, "next": true, "finally": true, "should": true,
	"like": true, "as": true, "well": true, "source": true,
	"content": true, "contents": true, "first": true, "second": true, "third": true, "last": true, "again": true,
	"whole": true, "be": true, "follows": true,
}

var saidWords = map[string]bool{
	"here": true, "here's": true, "here’s": true, "updated": true, "update": true, "new": true, "full": true,
	"complete": true, "corrected": true, "fixed": true, "rewritten": true,
	"modified": true, "revised": true, "create": true, "looks": true, "look": true, "becomes": true,
	"entire": true, "final": true,
}

// changedWords speak of content that is to be a file's.
var changedWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:updated|new version|modified|complete|full|entire|rewritten|revised|corrected|fixed|new content|new file|create|add)\b`)
})

var fileWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:file|version|content|contents|implementation|module|class|script|component|source|code)\b`)
})

// sentencePath is the one path of a sentence that does nothing but introduce a
// file's content: "And here is `b.ts`:", "Updated b.ts:".
func sentencePath(t string) (string, bool) {
	t, _ = cutDecoration(t)
	t = strings.Trim(t, "*_ ")
	if !strings.HasSuffix(t, ":") || len(t) > 160 {
		return "", false
	}
	name, said := "", false
	for _, w := range strings.Fields(strings.TrimSuffix(t, ":")) {
		bare := strings.ToLower(strings.Trim(w, ",.():*_"))
		switch {
		case saidWords[bare]:
			said = true
		case commonWords[bare]:
		case name == "":
			s, quoted := unquote(strings.TrimRight(w, ",:"))
			if name = cleanPath(s); !looksLikePath(name, quoted) {
				return "", false
			}
		default:
			return "", false
		}
	}
	return name, said && name != ""
}

// introduced takes the path of such a sentence right above a fence.
func (p *parser) introduced(t string, i, to int) bool {
	j := p.firstText(i+1, to)
	if j >= to {
		return false
	}
	f, ok := openFence(p.lines[j])
	if !ok || f.path != "" {
		return false
	}
	name, ok := sentencePath(t)
	if !ok || isTranscript(f.lang) && !isPatchFile(name) || isShell(f.lang) && !holdsShell(name) {
		return false
	}
	p.pend = &pending{named: named{path: name, marked: true}, line: i}
	return true
}

// mention remembers a sentence right before a fence that may be meant for a file.
func (p *parser) mention(t string, i, to int) {
	j := p.firstText(i+1, to)
	if j >= to {
		return
	}
	paths := pathsIn(t)
	if len(paths) > 0 && strings.Count(t, "`") == 2 && strings.HasSuffix(strings.TrimRight(t, "*_"), ":") {
		p.hint = paths[0]
	}
	f, ok := openFence(p.lines[j])
	if !ok || f.path != "" || isTranscript(f.lang) {
		return
	}
	if k := p.firstText(j+1, to); k < to && isSearch(p.lines[k]) && len(paths) == 1 && headed(t, paths[0]) {
		p.hint = paths[0] // blocks explain nothing, and what they search for guards them
		return
	}
	said := changedWords().MatchString(t)
	if len(paths) == 0 && !(said && fileWords().MatchString(t) && strings.HasSuffix(t, ":")) {
		return
	}
	if isShell(f.lang) && !(said && len(paths) == 1 && holdsShell(paths[0])) {
		return
	}
	end := p.fenceEnd(f, j+1, to, p.nested)
	if end < 0 {
		end = to
	}
	// A few words and a path before a colon say as much, and so does a sentence
	// before a colon about what can be nothing but a file.
	if strings.HasSuffix(strings.TrimRight(t, "*_"), ":") {
		said = said || len(paths) == 1 && len(strings.Fields(t)) <= 4 || slices.ContainsFunc(paths, func(n string) bool { return isSource(n) && strings.Contains(t, "`"+n+"`") })
	}
	p.reply.mentions = append(p.reply.mentions, mention{paths: paths, line: j + 1, content: strings.Join(p.lines[j+1:end], "\n"), said: said})
}

// headed tells a line that begins with a path in back-ticks, behind what marks
// headings and lists: "**1. `a.py`** — treat it as zero".
func headed(t, name string) bool {
	return strings.HasPrefix(strings.TrimLeft(t, "#*_-+ \t0123456789.)"), "`"+name+"`")
}

// isSource tells names that files alone have: with a folder, or an extension
// that no method is named for.
func isSource(name string) bool {
	if isToken(name) {
		return false
	}
	if strings.Contains(name, "/") || isCode(name) || isProse(name) {
		return true
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".tsx", ".jsx", ".html", ".css", ".scss", ".vue", ".svelte", ".sql", ".php", ".json", ".yml", ".yaml", ".toml", ".ini", ".cfg", ".mod", ".lock", ".xml", ".gradle", ".proto", ".ex", ".exs", ".lua":
		return true
	}
	return false
}

// pathsIn are the paths that a sentence names, and words in back-ticks that may
// be some.
func pathsIn(t string) []string {
	var out []string
	parts := strings.Split(t, "`")
	for k, part := range parts {
		if k%2 == 1 && k < len(parts)-1 {
			if name := cleanPath(strings.TrimSpace(part)); looksLikePath(name, false) || isToken(name) {
				out = append(out, name)
			}
			continue
		}
		for _, w := range strings.Fields(part) {
			w = cleanPath(strings.Trim(w, ".,:;()*_|\"'"))
			if hasExtension(w) && strings.IndexByte(w, '.') > 0 && looksLikePath(w, false) {
				out = append(out, w)
			}
		}
	}
	return out
}

func (m mention) problem(name string) Problem {
	if name == "" {
		return Problem{Reason: fmt.Sprintf("the fence at line %d of the reply seems to be the content of a file, but no path stands above it: put the path on a line of its own directly above the fence, or leave the fence out if it only explains", m.line)}
	}
	return Problem{Path: name, Reason: fmt.Sprintf("the fence at line %d of the reply seems to be meant for %s, but the path does not stand on a line of its own directly above it: put it there, or leave the fence out if it only explains", m.line, name)}
}

// meant tells the sentences whose fence seems to be meant for a file that
// nothing edits. What stands in a file already, before or after, only explains.
func (t *tree) meant(list []mention, touched map[string][]Edit, changes []Change) []Problem {
	var out []Problem
	told := make(map[string]bool)
	for _, m := range list {
		if m.bare && (len(changes) == 0 || !m.said && !isVersion(m.content, changes)) {
			continue
		}
		name, ok := t.meantFor(m, touched)
		if ok && !told[name] && (!quoted(m.content, changes) || isSource(name) && !t.there(name)) &&
			!t.quotes(name, m.content) {
			told[name] = true
			out = append(out, m.problem(name))
		}
	}
	return out
}

// meantFor is the file that a sentence means, "" where it names none.
func (t *tree) meantFor(m mention, touched map[string][]Edit) (name string, ok bool) {
	if len(m.paths) == 0 {
		return "", true
	}
	for _, name := range m.paths {
		if slices.ContainsFunc(touched[name], func(e Edit) bool { return e.Kind != Remove }) {
			return "", false
		}
	}
	for _, name := range m.paths {
		if isToken(name) {
			if n, err := t.fsys.Stat(name); err == nil && n.Mode()&fs.ModeType == 0 && m.said {
				return name, true
			}
			continue
		}
		if _, err := t.fsys.Stat(name); err == nil || m.said || path.Base(t.known(name)) == path.Base(name) {
			return name, true
		}
	}
	return "", false
}

// quotes tells whether a text stands in a file.
func (t *tree) quotes(name, content string) bool {
	_, n, err := t.locate(name)
	return err == nil && n.quotes(content)
}

// quoted tells whether a text stands in what the changes find or make.
func quoted(content string, changes []Change) bool {
	want := squeezed(content)
	for _, c := range changes {
		if strings.Contains(squeezed(string(c.Old)), want) || strings.Contains(squeezed(string(c.New)), want) {
			return true
		}
	}
	return false
}
