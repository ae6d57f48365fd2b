package edit

import (
	"path"
	"strings"
)

var summaryLine = pattern(`(?i)^[#*_\- ]*summary[*_ ]*(?::[*_ ]*(.*)|)$`)

func isSummary(t string) bool { return summaryLine().MatchString(t) }

// summary reads the first "Summary:" line, or the line under a heading of that name.
func summary(t text, i int, c context) *found {
	if c.summary != "" {
		return nil
	}
	f := c.keep(i + 1)
	l := t.trimmed(i)
	if m := summaryLine().FindStringSubmatch(l); m != nil {
		f.summary, f.titled = m[1], m[1] == ""
		return f
	}
	if !c.titled {
		return nil
	}
	if _, isPath := pathLine(l); isPath {
		return nil
	}
	f.summary, f.titled = strings.TrimSpace(strings.TrimLeft(l, "-* ")), false
	return f
}

// headingLine reads a path line, whose content follows.
func headingLine(t text, i int, c context) *found {
	n, ok := pathAt(t, i, c)
	if !ok {
		return nil
	}
	f := c.begin()
	f.next, f.pend, f.titled = i+1, heading{named: n}, false
	return f
}

// pathAt reads a path line. A single word that does not look like a path counts right above
// an edit, if it is a file; so does a name with spaces, if it is a file or in a folder of
// the tree.
func pathAt(t text, i int, c context) (named, bool) {
	if n, ok := pathLine(t.lines[i]); ok {
		return n, true
	}
	next := t.firstText(i + 1)
	if next == len(t.lines) || !isSearch(t.lines[next]) && !isFence(t.lines[next]) {
		return named{}, false
	}
	n, ok := wordLine(t.lines[i])
	if strings.Contains(n.path, " ") {
		dir := path.Dir(n.path)
		return n, looksLikePath(n.path, true) && (c.isFile(n.path) || dir != "." && c.files.folder(dir))
	}
	return n, ok && c.isFile(n.path)
}

// talk reads a line that is no edit.
func talk(t text, i int, c context) *found {
	f := c.keep(i + 1)
	if introduces(t, i) {
		if paths := pathsIn(t.trimmed(i)); len(paths) == 1 {
			f.last = paths[0]
		}
	}
	f.proseDelete(t.trimmed(i), t.number(i))
	if c.pend.rail && !c.pend.loose {
		f.problem(c.pend.path, "the content of %s at line %d of the reply stands in no fence: put it into one, "+
			"directly under the path", c.pend.path, t.number(i))
	}
	f.pend.loose = c.pend.waits()
	return f
}

// introduces reports whether a sentence is right above blocks. Blocks explain nothing, and
// their search text guards against a wrong path.
func introduces(t text, i int) bool {
	j := t.firstText(i + 1)
	if j < len(t.lines) && isFence(t.lines[j]) {
		j = t.firstText(j + 1)
	}
	return j < len(t.lines) && isSearch(t.lines[j])
}

// proseDelete matches a sentence that deletes or renames a file and at most gives a reason:
// "Delete `a.js`, which nothing uses." Something removed from a file is not a file.
var proseDelete = pattern("(?i)^(?:[-*+•]\\s+|#+\\s+|\\d+[.)]\\s+)*\\**(?:(?:then|also|finally|please|and)\\s+)*(?:delete|remove|rename|move|drop)\\**:?\\s+(?:the\\s+)?(?:file\\s+)?\\**(`[^`]+`|\\S+)(?:\\**\\s+(from|in|inside|within|out of)\\b)?")

func (f *found) proseDelete(t string, line int) {
	if m := proseDelete().FindStringSubmatch(t); m != nil && m[2] == "" {
		f.mention(strings.TrimRight(m[1], ".,:;"), t, line)
	}
}
