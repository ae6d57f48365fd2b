package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A fence under no path mostly explains. But where the sentence above names a
// file or wants a change, or nothing says that the code is an example, a part of
// the work would be lost with it in silence, so it is reported.

// saidWords show that a sentence introduces a file's content.
var saidWords = wordSet("here here's here’s updated update new full complete corrected fixed rewritten modified revised create looks look becomes entire final")

// sentencePath is the one path of a sentence that does nothing but introduce a
// file's content: "And here is `b.ts`:", "Updated b.ts:".
func sentencePath(t string) (string, bool) {
	t, _ = cutDecoration(t)
	t, introduces := strings.CutSuffix(strings.Trim(t, "*_ "), ":")
	name, ok := amongPhrases(t)
	name = cleanPath(name)
	said := slices.ContainsFunc(strings.Fields(t), func(w string) bool { return saidWords()[strings.ToLower(strings.Trim(w, ",.():*_"))] })
	return name, introduces && ok && said && len(t) < 160 && looksLikePath(name, true)
}

// introduced takes the path of such a sentence right above a fence. Above blocks,
// which explain nothing and are guarded by what they search for, any path counts.
func (p *parser) introduced(t string, i, to int) bool {
	j := p.firstText(i+1, to)
	if j >= to {
		return false
	}
	f, ok := openFence(p.lines[j])
	if !ok && !isSearch(p.lines[j]) || f.path != "" {
		return false
	}
	if name, is := sentencePath(t); ok && is && !(isTranscript(f.lang) && !isPatchFile(name)) && !(isShell(f.lang) && !holdsShell(name)) {
		p.pend = &heading{named: named{path: name, marked: true}, line: i}
		return true
	}
	paths := pathsIn(t)
	colon := strings.HasSuffix(strings.TrimRight(t, "*_"), ":")
	if k := p.firstText(j+1, to); len(paths) == 1 && (colon && strings.Count(t, "`") == 2 || k < to && isSearch(p.lines[k]) && headed(t, paths[0])) {
		p.hint = paths[0]
	}
	return false
}

// headed reports whether a line begins with a path in back-ticks, behind what marks
// headings and lists: "**1. `a.py`** — treat it as zero".
func headed(t, name string) bool {
	return strings.HasPrefix(strings.TrimLeft(t, "#*_-+ \t0123456789.)"), "`"+name+"`")
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

// mostFences bounds how many of them are looked at.
const mostFences = 100

// unplaced remembers a fence that became no edit.
func (p *parser) unplaced(f fenceLine, i, end int) {
	if isTranscript(f.lang) || len(p.reply.Fences) == mostFences {
		return
	}
	above := p.sentenceAbove(i)
	p.reply.Fences = append(p.reply.Fences, Fence{
		Line: i + 1, Above: above, Paths: pathsIn(above), Lang: f.lang, Text: linesText(p.lines[i+1 : end]),
	})
}

// sentenceAbove is the line of text that a fence stands under, "" where there is none.
func (p *parser) sentenceAbove(i int) string {
	for i--; i >= 0; i-- {
		t := strings.TrimSpace(p.lines[i])
		if t == "" {
			continue
		}
		if fenceRunAt(p.lines[i]) || isReplaceEnd(p.lines[i]) || isEnvelope(t) || t == endPatch || isSummary(t) {
			return ""
		}
		return t
	}
	return ""
}

// exampleWords show that a fence explains: what is shown is used, run, printed.
var exampleWords = pattern(`(?i)\b(?:usage|(?:be|is|are) used|use it|using|with it|calls?|called|try|runs?|running|reproduces?|outputs?|prints?|printed|gives?|given|returns?|yields?|raises?|throws?|` +
	`results?|shows?|shown|works?|now|instead of|rather than|current|currently|problems?|bugs?|causes?|because|why|reasons?|means?|like|looks?|likewise|shape|format|form|response|request|query|ideas?|pattern|` +
	`in short|explains?|compare|errors?|fails?|failed|failing|failure|messages?|traces?|traceback|expected|expects?|check|verify|found|reads?|see|lines?|relevant|snippet|here|above|below)\b`)

// mereWords say that what is shown is not, or no longer, to be in a file.
var mereWords = pattern(`(?i)\b(?:if you|could|would|may|might|maybe|perhaps|later|optional|optionally|alternatives?|alternatively|examples?|e\.g|such as|for instance|` +
	`before|previously|formerly|old|was|were|used to|original|originally|consider|suppose|imagine|think of|equivalent|amounts?|effect|roughly|sketch|pseudo\w*|explanation|details|illustrates?|demonstrates?)\b`)

// wantsWords ask for a change.
var wantsWords = pattern(`(?i)\b(?:also (?:add|change|update|replace|fix|need)|add (?:the|this|these|a|an|it)|needs?|must|replace|change (?:it|this|the)|insert|append|becomes?|update|rewrite|same (?:mistake|bug|change|fix)|put (?:this|it|the))\b`)

// changedWords speak of content that is to be a file's.
var changedWords = pattern(`(?i)\b(?:updated|new version|modified|complete|full|entire|rewritten|revised|corrected|fixed|new content|new file|create|add)\b`)

var fileWords = pattern(`(?i)\b(?:file|version|content|contents|implementation|module|class|script|component|source|code)\b`)

// lost are the fences that seem to be meant for a file that nothing edits. What
// stands in a file already, before or after, only explains.
func (t *tree) lost(fences []Fence, touched map[string][]Edit, changes []Change) []Problem {
	var out []Problem
	seen := make(map[string]bool)
	for _, f := range fences {
		name, meant := t.meantFor(f, touched, changes)
		if !meant || seen[name] || quoted(f.Text, changes) && !(isSource(name) && !t.files.there(name)) || t.files.quotes(name, f.Text) {
			continue
		}
		seen[name] = true
		reason := fmt.Sprintf("the fence at line %d of the reply seems to be the content of a file, but no path stands above it: put the path on a line of its own directly above the fence, or leave the fence out if it only explains", f.Line)
		if name != "" {
			reason = fmt.Sprintf("the fence at line %d of the reply seems to be meant for %s, but the path does not stand on a line of its own directly above it: put it there (a new file without a dot or a slash in its name as \"File: %s\"), or leave the fence out if it only explains", f.Line, name, name)
		}
		out = append(out, Problem{Path: name, Reason: reason})
	}
	return out
}

// meantFor is the file that a fence seems to be meant for, "" where that is not known.
func (t *tree) meantFor(f Fence, touched map[string][]Edit, changes []Change) (name string, meant bool) {
	said := changedWords().MatchString(f.Above)
	colon := strings.HasSuffix(strings.TrimRight(f.Above, "*_"), ":")
	if len(f.Paths) == 0 && !(said && colon && fileWords().MatchString(f.Above)) {
		if isShell(f.Lang) || len(changes) == 0 || mereWords().MatchString(f.Above) {
			return "", false
		}
		return "", wantsWords().MatchString(f.Above) || !exampleWords().MatchString(f.Above) && isCodeLang(f.Lang) || isVersion(f.Text, changes)
	}
	if slices.ContainsFunc(f.Paths, func(n string) bool {
		return slices.ContainsFunc(touched[n], func(e Edit) bool { return e.Op != Delete })
	}) {
		return "", false
	}
	// A few words and a path before a colon say as much, and so does a sentence
	// before a colon about what can be nothing but a file.
	said = said || len(f.Paths) == 1 && len(strings.Fields(f.Above)) == 1 || colon && (len(f.Paths) == 1 && len(strings.Fields(f.Above)) <= 4 ||
		slices.ContainsFunc(f.Paths, func(n string) bool { return isSource(n) && strings.Contains(f.Above, "`"+n+"`") }))
	if isShell(f.Lang) && !(said && len(f.Paths) == 1 && holdsShell(f.Paths[0])) {
		return "", false
	}
	for _, name := range f.Paths {
		switch {
		case isToken(name):
			if said && (t.files.there(name) || len(strings.Fields(f.Above)) == 1) {
				return name, true
			}
		case said || t.files.exists(name) || path.Base(t.known(name)) == path.Base(name):
			return name, true
		}
	}
	return "", len(f.Paths) == 0
}

// isVersion reports whether a text is a version of what the changes touch.
func isVersion(text string, changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool { return alike(string(c.Old), text) || alike(string(c.New), text) })
}

// quoted reports whether a text stands in what the changes find or make.
func quoted(text string, changes []Change) bool {
	want := squeezed(text)
	return slices.ContainsFunc(changes, func(c Change) bool {
		return strings.Contains(squeezed(string(c.Old)), want) || strings.Contains(squeezed(string(c.New)), want)
	})
}

// squeezed is a text's lines without indentation and blank lines.
func squeezed(s string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, l := range strings.Split(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			b.WriteString(l)
			b.WriteByte('\n')
		}
	}
	return b.String()
}
