package edit

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// fenceLine is an opening fence and what its info string says.
type fenceLine struct {
	char       byte
	size       int
	indent     int
	lang, path string
	word       string // where a path could stand, which is none by its looks
	// part says that a range of lines stands beside the path.
	part bool
}

// fenceRun measures the run of fence characters that a line begins with.
func fenceRun(text string) (char byte, size, indent int) {
	indent = len(text) - len(strings.TrimLeft(text, " \t"))
	rest := text[indent:]
	if len(rest) < 3 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, indent
	}
	for size < len(rest) && rest[size] == rest[0] {
		size++
	}
	if size < 3 {
		return 0, 0, indent
	}
	return rest[0], size, indent
}

func fenceRunAt(text string) bool {
	_, size, _ := fenceRun(text)
	return size > 0
}

func openFence(text string) (fenceLine, bool) {
	char, size, indent := fenceRun(text)
	if size == 0 {
		return fenceLine{}, false
	}
	info := strings.TrimSpace(cutTokens(text[indent+size:]))
	if char == '`' && strings.ContainsRune(info, '`') {
		// Three back-ticks that close on the same line are code in a sentence.
		if !strings.HasPrefix(info, "`") || strings.HasSuffix(info, "```") {
			return fenceLine{}, false
		}
	}
	f := fenceLine{char: char, size: size, indent: indent}
	f.info(info)
	return f, true
}

// info reads the text behind the fence characters: a language, a path, both.
func (f *fenceLine) info(info string) {
	if m := citation().FindStringSubmatch(info); m != nil && looksLikePath(cleanPath(m[1]), true) {
		f.path, f.part = cleanPath(m[1]), true
		return
	}
	info, part := cutLines(info)
	named := infoAttribute(info)
	for i, w := range strings.FieldsFunc(info, func(r rune) bool { return strings.ContainsRune(" {}()", r) }) {
		lang, p, both := strings.Cut(w, ":")
		if hasExtension(lang) && !strings.ContainsAny(p, "./0123456789") {
			lang, p = p, lang
		}
		switch c := cleanPath(strings.Trim(w, "`\"'")); {
		case strings.Contains(w, "="):
		case i == 0 && named == "" && both && lang != "" && looksLikePath(cleanPath(p), true):
			f.lang, f.path = strings.ToLower(lang), cleanPath(p)
		case named == "" && looksLikePath(c, false) && (i > 0 || strings.Contains(c, "/") || hasExtension(c)):
			f.path = c
			f.lang = cmp.Or(f.lang, strings.TrimPrefix(path.Ext(c), "."))
		case i == 0:
			f.lang = strings.ToLower(w)
		case isToken(w):
			f.word = w
		}
	}
	f.path = cmp.Or(cleanPath(named), f.path)
	f.part = part && f.path != ""
}

var attribute = pattern("([\\w:.#-]+)\\s*=\\s*(?:\"([^\"]*)\"?|'([^']*)'?|`([^`]*)`?|([^\\s,}\"'`]+))")

// infoAttribute finds path=…, file=…, title="…" and the like.
func infoAttribute(info string) string {
	for _, m := range attribute().FindAllStringSubmatch(info, -1) {
		value := m[2] + m[3] + m[4] + m[5]
		p := cleanPath(value)
		switch strings.ToLower(strings.Trim(m[1], ".-#")) {
		case "path", "file", "filename", "filepath", "file_path", "file-path":
			if looksLikePath(p, true) || isToken(p) {
				return value
			}
		case "title", "name":
			if looksLikePath(p, true) {
				return value
			}
		}
	}
	return ""
}

// closes reports whether text ends fence f: nothing may stand behind it but what
// a server or a model in haste adds, and the end of a tag around it all.
func (f fenceLine) closes(text string) bool {
	char, size, indent := fenceRun(text)
	if char != f.char || size < f.size || indent > f.indent {
		return false
	}
	t := strings.TrimSpace(cutTokens(text[indent+size:]))
	return t == "" || isTalk(t) || tagEnd().MatchString(t)
}

var tagEnd = pattern(`^</[A-Za-z_]+>$`)

// opensInside reports whether text opens a fence within f that a bare line closes.
func (f fenceLine) opensInside(text string) bool {
	char, size, indent := fenceRun(text)
	if char != f.char || size < f.size || indent > f.indent {
		return false
	}
	info := strings.TrimSpace(text[indent+size:])
	return info != "" && !strings.ContainsAny(info, "`\"'()")
}

// fenceEnd finds the line that closes the fence opened before line i, or -1.
// With nested, fences with an info string inside are closed first.
func (p *parser) fenceEnd(f fenceLine, i, to int, nested bool) int {
	depth := 0
	for ; i < to; i++ {
		text := p.lines[i]
		if c := strings.TrimLeft(text, " \t"); len(c) < 3 || c[0] != f.char {
			continue
		}
		switch {
		case f.closes(text):
			if depth == 0 && !(nested && p.opensBare(f, i, to)) {
				return i
			} else if depth == 0 {
				depth++
				continue
			}
			depth--
		case nested && f.opensInside(text):
			depth++
		}
	}
	return -1
}

// opensBare reports whether a bare fence line within Markdown opens an example:
// there is text directly below it and directly above the one that closes it,
// and one more follows for the end of the Markdown.
func (p *parser) opensBare(f fenceLine, i, to int) bool {
	if !p.holdsMarkdown(f) || i+1 >= to || strings.TrimSpace(p.lines[i+1]) == "" {
		return false
	}
	if _, isPath := pathLine(p.lines[i+1]); isPath {
		return false
	}
	inside := true
	for j := i + 1; j < to; j++ {
		char, size, indent := fenceRun(p.lines[j])
		if char != f.char || size < f.size || indent > f.indent {
			continue
		}
		above := p.lastText(i, j)
		switch _, isPath := pathLine(p.lines[above]); {
		case isPath, inside && (above < j-1 || above == i || !f.closes(p.lines[j])):
			return false
		case !inside:
			return true
		}
		inside = false
	}
	return false
}

func (p *parser) holdsMarkdown(f fenceLine) bool {
	switch {
	case f.path != "":
		return isProse(f.path)
	case p.pend != nil:
		return isProse(p.pend.path)
	}
	return f.lang == "md" || f.lang == "markdown" || f.lang == "mdx"
}

// fence reads what a fence holds.
func (p *parser) fence(f fenceLine, i, to, depth int) int {
	first := p.firstText(i+1, to)
	if p.stray(f, first, to) {
		return i + 1
	}
	if f.path == "" && f.word != "" && p.isFile(f.word) {
		f.path = f.word
	}
	if start, ok := p.blocksFollow(first, to); ok {
		return p.fencedBlocks(f, i, start, to)
	}
	end := p.wholeEnd(f, i, to)
	if end < 0 {
		return p.unclosed(f, i, to)
	}
	name, _ := p.nameIn(f, first, end)
	if p.pend != nil {
		name = p.pend.path
	}
	if name = cmp.Or(f.path, name); name != "" && p.endsEarly(f, name, i, end, to) {
		p.pend = nil
		p.problem(name, "the fence at line %d of the reply seems to end early, at line %d, inside %s: a fence line stands within the content. Put a longer fence around it (%s)",
			i+1, end+1, name, strings.Repeat(string(f.char), f.size+1))
		for end++; end < to && !p.headsFence(end, to); end++ {
		}
		return end
	}
	p.content(f, i, end, depth)
	if end < to && f.closes(p.lines[end]) {
		return end + 1
	}
	return end
}

// nameIn is the path that the first line of a fence gives, alone or as a
// comment, and the line at which the content begins.
func (p *parser) nameIn(f fenceLine, first, end int) (name string, from int) {
	if first >= end || isShell(f.lang) {
		return "", first
	}
	if c, ok := commentPath(p.lines[first]); ok {
		// The comment belongs to the file only if it begins with it already.
		if old, _ := p.files.text(c); old != "" && firstLine(old) == strings.TrimSpace(p.lines[first]) {
			return c, first
		}
		return c, first + 1
	}
	n, ok := pathLine(p.lines[first])
	allPaths := !slices.ContainsFunc(p.lines[first:end], func(l string) bool {
		_, ok := pathLine(l)
		return !ok && strings.TrimSpace(l) != ""
	})
	if !ok || n.marked || allPaths || p.wraps(first+1, end) {
		return "", first
	}
	return n.path, first + 1
}

// stray tells a closing fence too many, or a fence around the whole reply, from
// an opening one: nothing follows, or right behind it a path and another fence.
func (p *parser) stray(f fenceLine, first, to int) bool {
	if f.lang != "" && f.lang != "text" && f.lang != "markdown" && f.lang != "md" || f.path != "" ||
		p.pend != nil && !p.pend.loose {
		return false
	}
	if first >= to {
		return true
	}
	if _, ok := pathLine(p.lines[first]); ok {
		if next := p.firstText(first+1, to); next < to {
			if _, ok := openFence(p.lines[next]); !ok {
				return false
			}
			if !f.closes(p.lines[next]) || next > first+1 {
				return true
			}
			// A fence around a path alone is followed by the fence it belongs to.
			after := p.firstText(next+1, to)
			return after < to && !fenceRunAt(p.lines[after])
		}
	}
	return isSummary(strings.TrimSpace(p.lines[first])) && strings.Contains(p.lines[first], ":")
}

// wholeEnd finds where a fence ends that holds a file or an explanation.
func (p *parser) wholeEnd(f fenceLine, i, to int) int {
	if p.nested {
		if end := p.fenceEnd(f, i+1, to, true); end >= 0 {
			return end
		}
		if p.holdsMarkdown(f) {
			return -1
		}
		// Not balanced, so equal fences do not stand in each other in this reply.
		p.nested = false
	}
	end := p.fenceEnd(f, i+1, to, false)
	limit := end
	if limit < 0 {
		limit = to
	}
	if before := p.forgotten(f, i+1, limit); before >= 0 {
		return before
	}
	return end
}

// forgotten finds the place where a fence was left open: the path line of the
// next file, with its fence under it.
func (p *parser) forgotten(f fenceLine, i, to int) int {
	if p.holdsMarkdown(f) {
		return -1
	}
	for j := i + 1; j < to; j++ {
		if !f.opensInside(p.lines[j]) {
			continue
		}
		k := p.lastText(i, j)
		_, isPath := pathLine(p.lines[k])
		_, isSentence := sentencePath(strings.TrimSpace(p.lines[k]))
		if (isPath || isSentence) && k > i {
			return p.lastText(i, k) + 1
		}
	}
	return -1
}

// content reads the lines of a fence that is no fence of blocks.
func (p *parser) content(f fenceLine, i, end, depth int) {
	from := i + 1
	first := p.firstText(from, end)
	q := p.take()
	name, part := f.path, f.part
	if name == "" && q != nil {
		name, part = q.path, q.part
	} else {
		q = nil
	}
	if first < end {
		t := strings.TrimSpace(p.lines[first])
		switch {
		case isEnvelope(t) && !isPatchFile(name):
			p.dedent(from, end, f.indent)
			p.run(from, end, deepest)
			return
		case p.isDiff(f, name, first, end):
			p.dedent(first, end, f.indent)
			p.diff(first, end, name, true)
			return
		}
	}
	switch {
	case name == "" && (isShell(f.lang) || f.lang == "") && p.opensHere(first, end):
		p.commands(from, end, depth, i)
	case name == "":
		if !p.jsonEdits(f, i, first, end) {
			p.unnamed(f, i, first, end, depth)
		}
	case q != nil && isShell(f.lang) && (!holdsShell(name) || isToken(name) && p.lacksShebang(name, first, end)):
		// A command, or its output, under a heading that happens to name a file.
		p.commands(from, end, depth, i)
	case part:
		p.doubtful(Edit{Op: Write, Path: name, Line: i + 1}, p.dedented(from, end, f.indent),
			"the fence at line %d of the reply holds only some lines of %s: change them with search and replace blocks, or give the complete content under the path alone")
	case q != nil && q.loose:
		p.doubtful(Edit{Op: Write, Path: name, Line: i + 1}, p.dedented(from, end, f.indent),
			"text stands between the fence of line %d and the path %s above it, so it is not clear whether that is its complete content: put the path on the line directly above the fence")
	default:
		p.addWhole(Edit{Op: Write, Path: name, Line: i + 1}, p.dedented(from, end, f.indent))
	}
}

// lacksShebang tells commands that use a script from the script.
func (p *parser) lacksShebang(name string, first, end int) bool {
	old, _ := p.files.text(name)
	return strings.HasPrefix(old, "#!") && (first >= end || !strings.HasPrefix(p.lines[first], "#!"))
}

// doubtful adds content that counts only if nothing else does for its file.
func (p *parser) doubtful(e Edit, lines []string, reason string) {
	p.loose = append(p.loose, looseEdit{len(p.reply.Edits), sprintf(reason, e.Line, e.Path)})
	p.addWhole(e, lines)
}

// unnamed reads a fence without a path: the path may be its first line, or the
// fence is wrapped around a reply; else it explains something, or seems to.
func (p *parser) unnamed(f fenceLine, i, first, end, depth int) {
	if first >= end {
		return
	}
	if n, ok := pathLine(p.lines[first]); ok && first+1 == end {
		p.pend = &heading{named: n, line: i}
		return
	}
	if name, from := p.nameIn(f, first, end); name != "" {
		p.addWhole(Edit{Op: Write, Path: name, Line: i + 1}, p.dedented(from, end, f.indent))
		return
	}
	switch f.lang {
	case "", "text", "txt", "plaintext", "markdown", "md", "plain":
		if depth < deepest && (p.wraps(first, end) || p.allDirectives(first, end)) {
			edits, problems := len(p.reply.Edits), len(p.reply.Problems)
			p.run(first, end, depth+1)
			if len(p.reply.Edits) > edits || len(p.reply.Problems) > problems || p.pend != nil {
				return
			}
		}
	}
	if isShell(f.lang) {
		p.commands(i+1, end, depth, i)
	}
	p.unplaced(f, i, end)
}

// wraps reports whether lines hold edits of their own.
func (p *parser) wraps(i, end int) bool {
	return slices.ContainsFunc(p.lines[i:end], func(l string) bool {
		_, ok := openFence(l)
		return ok || isSearch(l) || isEnvelope(strings.TrimSpace(l))
	})
}

func (p *parser) allDirectives(i, end int) bool {
	return !slices.ContainsFunc(p.lines[i:end], func(l string) bool {
		t := strings.TrimSpace(l)
		return t != "" && p.directives(t, 0) == nil
	})
}

// addWhole adds a file's complete content. A second fence just inside the
// first, around a file that is no prose, belongs to the reply.
func (p *parser) addWhole(e Edit, lines []string) {
	if !isProse(e.Path) {
		if b := len(lines) - 1; b > 0 {
			if g, ok := openFence(lines[0]); ok && g.closes(lines[b]) {
				lines = lines[1:b]
			}
		}
	}
	e.Content = uncdata(linesText(lines))
	p.last = e.Path
	p.add(e)
}

// uncdata takes the marks of a CDATA section off a text that they enclose.
func uncdata(s string) string {
	for {
		body, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\r\n"), "<![CDATA[")
		if ok {
			body, ok = strings.CutSuffix(strings.TrimRight(body, " \t\r\n"), "]]>")
		}
		if !ok {
			return s
		}
		s = strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
	}
}

// dedented are the lines from to end without the indentation of their fence.
func (p *parser) dedented(from, end, indent int) []string {
	lines := p.lines[from:end]
	if indent == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l[min(indent, len(indentOf(l))):]
	}
	return out
}

// dedent takes the indentation of a fence off the lines themselves.
func (p *parser) dedent(from, end, indent int) {
	if indent > 0 {
		copy(p.lines[from:end], p.dedented(from, end, indent))
	}
}

// commentPath reads a path from a comment that holds nothing else, as models
// put it into the first line of a fence.
func commentPath(text string) (string, bool) {
	t := strings.TrimSpace(text)
	for _, c := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"{/*", "*/}"}, {"//", ""}, {"#", ""}, {"--", ""},
		{";", ""}, {"%", ""}} {
		body, ok := strings.CutPrefix(t, c[0])
		if ok {
			body, ok = strings.CutSuffix(body, c[1])
		}
		if !ok {
			continue
		}
		labelled := false
		if label, rest, found := strings.Cut(body, ":"); found && strings.TrimSpace(rest) != "" && onlyPhrases(label) {
			body, labelled = rest, true
		}
		body = cleanPath(cutRemark(strings.TrimSpace(body)))
		if !looksLikePath(body, labelled) || strings.ContainsAny(body, " !") {
			return "", false
		}
		return body, labelled || hasExtension(body) && (strings.Contains(body, "/") || len(path.Ext(body)) <= 6)
	}
	return "", false
}
