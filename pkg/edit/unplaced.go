package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// A fence without a path is usually an explanation. But if the sentence above names a file
// or asks for a change, or nothing says that the code is an example, a part of the work
// would be lost silently. So it is reported.

// pathsIn returns the paths in a sentence, and words in backticks that may be paths.
func pathsIn(t string) []string {
	var out []string
	for k, part := range strings.Split(t, "`") {
		if name := cleanPath(part); k%2 == 1 && (looksLikePath(name, false) || isToken(name)) {
			out = append(out, name)
		}
		for _, w := range strings.Fields(part) {
			w = cleanPath(strings.Trim(w, ".,:;()*_|\"'"))
			if k%2 == 0 && strings.Contains(w, ".") && looksLikePath(w, false) {
				out = append(out, w)
			}
		}
	}
	return out
}

// unplaced adds a fence that became no edit; name is the path over the text above it.
func (f *found) unplaced(x fenced, name string, c context) {
	if isTranscript(x.lang) {
		return
	}
	above := x.above()
	out := Fence{Line: x.in.number(x.at), Above: above, Paths: pathsIn(above), Lang: x.lang,
		Text: linesText(x.body.lines)}
	if name == "" && (!isShell(x.lang) || isScript(out.Text)) && !exampleWords().MatchString(above) {
		name = x.pathBelow(c)
	}
	if name != "" {
		out.Path, out.Paths = name, []string{name}
	}
	f.fence(out)
}

// pathBelow returns the path right below the fence, if that line heads nothing else.
func (x fenced) pathBelow(c context) string {
	t, i := x.in, x.in.firstText(x.end+1)
	if i >= len(t.lines) || beginsEdit(t, i) {
		return ""
	}
	l := cutTokens(t.trimmed(i))
	n, ok := pathLine(l)
	if next := t.firstText(i + 1); !ok || next < len(t.lines) && beginsEdit(t, next) {
		return ""
	}
	if _, directed := directed(l, c); directed {
		return ""
	}
	return n.path
}

// beginsEdit reports whether a line opens a fence, a block, a diff or a patch.
func beginsEdit(t text, i int) bool {
	return isFence(t.lines[i]) || isSearch(t.lines[i]) || isDiffStart(t, i) || isEnvelope(t.trimmed(i))
}

// exampleWords show that a fence explains: what is shown is used, run, printed.
var exampleWords = pattern(`(?i)\b(?:usage|us(?:ed?|ing)|with it|call(?:s|ed)?|try|run(?:s|ning)?|` +
	`reproduces?|outputs?|print(?:s|ed)?|gives?|given|returns?|raises?|` +
	`results?|shows?|works?|now|instead of|current(?:ly)?|problems?|bugs?|causes?|because|why|means?|` +
	`like|looks?|format|response|request|query|pattern|` +
	`explains?|compare|errors?|fail(?:s|ed|ing|ure)?|messages?|trace(?:s|back)?|expect(?:s|ed)|check|see|` +
	`lines?|snippet|above|below)\b`)

// mereWords say that the code shown does not, or no longer, belong in a file.
var mereWords = pattern(`(?i)\b(?:if you|[cw]ould|may|might|maybe|perhaps|later|optional(?:ly)?|` +
	`alternative(?:s|ly)?|examples?|e\.g|such as|for instance|` +
	`before|previously|formerly|old|was|were|used to|original(?:ly)?|consider|suppose|equivalent|sketch|` +
	`pseudo\w*|explanation|illustrates?|demonstrates?)\b`)

// wantsWords ask for a change.
var wantsWords = pattern(`(?i)\b(?:also (?:add|change|update|replace|fix|need)|add (?:the|this|these|` +
	`a|an|it)|needs?|must|replace|change (?:it|this|the)|insert|append|becomes?|update|rewrite|` +
	`same (?:mistake|bug|change|fix)|put (?:this|it|the))\b`)

// changedWords introduce the new content of a file.
var changedWords = pattern(`(?i)\b(?:updated|new version|modified|complete|full|entire|rewritten|` +
	`revised|corrected|fixed|new content|new file|create|add)\b`)

// missedEdits returns the fences that seem to be meant for a file that no edit changes. Text that
// is already in a file, before or after, only explains.
func (t *tree) missedEdits(fences []Fence, touched map[string][]Edit, changes []Change) []Problem {
	var out []Problem
	seen := make(map[string]bool)
	for _, f := range fences {
		name, meant := t.meantFor(f, touched, changes)
		known := name == "" || isToken(name) || t.files.there(name)
		if !meant || seen[name] || known && quoted(f.Text, changes) || t.files.contains(name, f.Text) {
			continue
		}
		seen[name] = true
		if f.Lang == "diff" {
			out = append(out, Problem{Path: name, Reason: fmt.Sprintf("the diff at line %d of the reply names no "+
				"file: begin it with --- and +++ lines, or leave it out if it only explains", f.Line)})
			continue
		}
		what := "the content of a file, but no path stands above it: put the path on a line of its own"
		if name != "" && isShell(f.Lang) && !isScript(f.Text) {
			what = fmt.Sprintf("meant for %s, but it is marked as %s, so it counts as commands: leave the mark out, "+
				"and put the path on a line of its own", name, f.Lang)
		} else if name != "" {
			what = fmt.Sprintf("meant for %s, but the path does not stand on a line of its own: put it there,", name)
		}
		out = append(out, Problem{Path: name,
			Reason: fmt.Sprintf("the fence at line %d of the reply seems to be %s "+
				"directly above the fence, which has to hold the complete content (a new file without a dot or a "+
				"slash in "+
				"its name as \"File: name\"), or use search and replace blocks; leave the fence out if it only "+
				"explains", f.Line, what)})
	}
	return out
}

// meantFor returns the file that a fence seems to be meant for, "" if unknown.
func (t *tree) meantFor(f Fence, touched map[string][]Edit, changes []Change) (name string, meant bool) {
	for _, n := range f.Paths {
		if slices.ContainsFunc(touched[n], func(e Edit) bool { return e.Op != Delete }) {
			return "", false
		}
	}
	if f.Path != "" {
		return f.Path, true
	}
	shell := isShell(f.Lang) && f.Lang != "diff" && !isScript(f.Text)
	said := changedWords().MatchString(f.Above)
	colon := strings.HasSuffix(strings.TrimRight(f.Above, "*_"), ":")
	// A word in backticks that is not a file names something in the code.
	if !slices.ContainsFunc(f.Paths, func(n string) bool { return !isToken(n) || t.files.there(n) }) &&
		!(len(f.Paths) > 0 && f.Above == "`"+f.Paths[0]+"`") {
		if shell || len(changes) == 0 && !(said && colon) || mereWords().MatchString(f.Above) {
			return "", false
		}
		return "", said && colon || wantsWords().MatchString(f.Above) ||
			!exampleWords().MatchString(f.Above) && (isCodeLang(f.Lang) || f.Lang == "diff" || isScript(f.Text)) ||
			isVersion(f.Text, changes)
	}
	// A sentence before a colon counts as much if its code can only be a file, and so does
	// a name alone.
	alone := f.Above == "`"+f.Paths[0]+"`"
	said = said || alone || colon && slices.ContainsFunc(f.Paths, func(n string) bool { return !isToken(n) })
	for _, name := range f.Paths {
		known := t.files.there(name) || !isToken(name) && path.Base(t.known(name)) == path.Base(name)
		if shell && !(said && holdsShell(name)) {
			continue
		}
		if isToken(name) && said && (known || alone) || !isToken(name) && (said || known) {
			return name, true
		}
	}
	return "", isScript(f.Text)
}

// isVersion reports whether a text is a version of what the changes touch.
func isVersion(text string, changes []Change) bool {
	return slices.ContainsFunc(changes, func(c Change) bool {
		return alike(string(c.Old), text) ||
			alike(string(c.New), text)
	})
}

// quoted reports whether the changes search for or create a text.
func quoted(text string, changes []Change) bool {
	want := squeezed(text)
	return slices.ContainsFunc(changes, func(c Change) bool {
		return strings.Contains(squeezed(string(c.Old)), want) || strings.Contains(squeezed(string(c.New)), want)
	})
}

// squeezed returns a text's lines without indentation and empty lines.
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
