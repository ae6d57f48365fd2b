package edit

import (
	"cmp"
	"path"
	"strings"
)

// fenceLine is an opening fence and what its info string says.
type fenceLine struct {
	char       byte
	size       int
	indent     int
	lang, path string
	word       string // may be the name of a file
}

// fenceRun measures the fence characters at the start of a line.
func fenceRun(text string) (char byte, size, indent int) {
	rest := strings.TrimLeft(text, " \t")
	indent = len(text) - len(rest)
	if !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~") {
		return 0, 0, indent
	}
	return rest[0], len(rest) - len(strings.TrimLeft(rest, rest[:1])), indent
}

func isFence(text string) bool {
	_, size, _ := fenceRun(text)
	return size > 0
}

func openFence(text string) (fenceLine, bool) {
	char, size, indent := fenceRun(text)
	if size == 0 {
		return fenceLine{}, false
	}
	info := strings.TrimSpace(cutTokens(text[indent+size:]))
	if strings.HasSuffix(info, "```") { // code in a sentence
		return fenceLine{}, false
	}
	f := fenceLine{char: char, size: size, indent: indent}
	f.info(info)
	return f, true
}

// info reads the text after the fence characters: a language, a path, or both.
func (f *fenceLine) info(info string) {
	f.path = cleanPath(infoAttribute(info))
	for i, w := range strings.FieldsFunc(info,
		func(r rune) bool { return strings.ContainsRune(" {}()", r) }) {
		w = cleanPath(strings.Trim(w, "`\"'"))
		lang, p, both := strings.Cut(w, ":")
		if strings.Contains(lang, ".") {
			lang, p = p, lang
		}
		switch {
		case strings.Contains(w, "="):
		case i == 0 && f.path == "" && both && !strings.Contains(p, ":") && looksLikePath(cleanPath(p), true):
			f.lang, f.path = strings.ToLower(lang), cleanPath(p)
		case f.path == "" && !both && looksLikePath(w, false) && (i > 0 || strings.ContainsAny(w, "/.")):
			f.path = w
			f.lang = cmp.Or(f.lang, strings.TrimPrefix(path.Ext(w), "."))
		case i == 0:
			f.lang = strings.ToLower(w)
			if !isCodeLang(f.lang) && !isShell(f.lang) && !bareNames()[f.lang] {
				f.word = w
			}
		default:
			f.word = w
		}
	}
}

var attribute = pattern("([\\w:.#-]+)\\s*=\\s*(?:\"([^\"]*)\"?|'([^']*)'?|`([^`]*)`?|([^\\s,}\"'`]+))")

// infoAttribute finds path=…, file=…, title="…" and the like.
func infoAttribute(info string) string {
	for _, m := range attribute().FindAllStringSubmatch(info, -1) {
		value := m[2] + m[3] + m[4] + m[5]
		switch key := strings.ToLower(strings.Trim(m[1], ".-#")); key {
		case "path", "file", "filename", "filepath", "file_path", "file-path", "title", "name":
			if looksLikePath(cleanPath(value), true) || isToken(value) && key[0] != 't' && key[0] != 'n' {
				return value
			}
		}
	}
	return ""
}

// within reports whether text has a fence that could belong to f, and returns what follows
// it.
func (f fenceLine) within(text string) (info string, ok bool) {
	char, size, indent := fenceRun(text)
	if char != f.char || size < f.size || indent > f.indent {
		return "", false
	}
	return strings.TrimSpace(cutTokens(text[indent+size:])), true
}

// closes reports whether text ends fence f: only what servers or hasty models add may
// follow.
func (f fenceLine) closes(text string) bool {
	info, ok := f.within(text)
	return ok && (info == "" || isTalk(info))
}

// end returns the line from i on that closes the fence, or -1. With nested, inner fences
// with an info string are closed first.
func (f fenceLine) end(t text, i int, nested bool) int {
	depth := 0
	for ; i < len(t.lines); i++ {
		info, ok := f.within(t.lines[i])
		switch {
		case !ok:
		case info == "" || isTalk(info):
			if depth == 0 {
				return i
			}
			depth--
		case nested && !strings.ContainsAny(info, "`\"'()"):
			depth++
		}
	}
	return -1
}

// wholeEnd finds the end of the fence at line i, which holds a file or an explanation, and
// whether fences of equal length are not nested in this reply.
func (f fenceLine) wholeEnd(t text, i int, c context) (end int, flat bool) {
	if !c.flat {
		if end := f.end(t, i+1, true); end >= 0 || f.holdsMarkdown(c.pend.path) {
			return end, false
		}
	}
	return f.end(t, i+1, false), true
}

// holdsMarkdown reports whether the content is Markdown; above is the path above the fence.
func (f fenceLine) holdsMarkdown(above string) bool {
	if name := cmp.Or(f.path, above); name != "" {
		return isProse(name)
	}
	return f.lang == "md" || f.lang == "markdown" || f.lang == "mdx"
}
