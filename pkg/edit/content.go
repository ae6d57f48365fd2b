package edit

import (
	"path"
	"strings"
)

// content reads the lines of a fence that is no fence of blocks.
func (p *parser) content(f fenceLine, i, end, depth int) {
	from := i + 1
	first := p.firstText(from, end)
	q := p.take()
	name := f.path
	loose, part := false, f.part
	if name == "" && q.sure() {
		name, loose, part = q.path, q.loose, q.part
	}
	if first < end {
		t := strings.TrimSpace(p.lines[first])
		switch {
		case isEnvelope(t) && (name == "" || !isPatchFile(name)):
			p.dedent(from, end, f.indent)
			p.run(from, end, deepest)
			return
		case p.isDiff(f, name, first, end):
			p.fencedDiff(f, p.diffName(name, q), first, end)
			return
		}
	}
	if name == "" && (isShell(f.lang) || f.lang == "") && p.opensHere(first, end) {
		p.commands(from, end, depth)
		return
	}
	if name == "" && p.jsonEdits(f, i, first, end) {
		return
	}
	if name == "" {
		p.guessed(f, q, i, first, end, depth)
		if isShell(f.lang) && !q.sure() {
			p.commands(from, end, depth)
		}
		return
	}
	if contradicts(f.lang, name, q) {
		p.commands(from, end, depth)
		return
	}
	p.addWhole(Edit{Kind: Whole, Path: name, Line: i + 1, loose: loose || part, part: part},
		p.dedented(from, end, f.indent), name)
}

// unnamed reads a fence without a path: the path may be its first line, or the
// fence is wrapped around a reply; else it explains something.
func (p *parser) unnamed(f fenceLine, i, first, end, depth int) {
	if first >= end {
		return
	}
	n, isPath := pathLine(p.lines[first])
	if isPath && first+1 == end {
		p.pend = &pending{named: n, line: i}
		return
	}
	if c, ok := commentPath(p.lines[first]); ok && !isShell(f.lang) {
		p.addWhole(Edit{Kind: Whole, Path: c, Line: i + 1, lead: strings.TrimSpace(p.lines[first])},
			p.dedented(first+1, end, f.indent), c)
		return
	}
	if isPath && !n.marked && !isShell(f.lang) && !p.wraps(first+1, end) && !p.allPaths(first, end) {
		p.addWhole(Edit{Kind: Whole, Path: n.path, Line: i + 1}, p.dedented(first+1, end, f.indent), n.path)
		return
	}
	switch f.lang {
	case "", "text", "txt", "plaintext", "markdown", "md", "plain":
	default:
		return
	}
	if depth < deepest && (p.wraps(first, end) || p.allDirectives(first, end)) {
		p.run(first, end, depth+1)
	}
}

// wraps tells whether lines hold edits of their own.
func (p *parser) wraps(i, end int) bool {
	for ; i < end; i++ {
		if _, ok := openFence(p.lines[i]); ok || isSearch(p.lines[i]) || isEnvelope(strings.TrimSpace(p.lines[i])) {
			return true
		}
	}
	return false
}

// allPaths tells a list of files from a file.
func (p *parser) allPaths(i, end int) bool {
	for ; i < end; i++ {
		if t := strings.TrimSpace(p.lines[i]); t != "" {
			if _, ok := pathLine(t); !ok {
				return false
			}
		}
	}
	return true
}

func (p *parser) allDirectives(i, end int) bool {
	for ; i < end; i++ {
		t := strings.TrimSpace(p.lines[i])
		if t != "" && !(&parser{}).directive(t, 0) {
			return false
		}
	}
	return true
}

// addWhole adds a file's complete content. A second fence just inside the
// first, around a file that is no prose, belongs to the reply.
func (p *parser) addWhole(e Edit, lines []string, name string) {
	if !isProse(name) {
		a, b := 0, len(lines)
		for a < b && strings.TrimSpace(lines[a]) == "" {
			a++
		}
		for b > a && strings.TrimSpace(lines[b-1]) == "" {
			b--
		}
		if b-a >= 2 {
			if g, ok := openFence(lines[a]); ok && g.closes(lines[b-1]) {
				lines = lines[a+1 : b-1]
			}
		}
	}
	if len(lines) > 0 {
		e.Content = uncdata(strings.Join(lines, "\n") + "\n")
	}
	if !e.Tentative {
		p.last, p.lastGuess = e.Path, nil
	}
	p.add(e)
}

// dedented are the lines from to end without the indentation of their fence.
func (p *parser) dedented(from, end, indent int) []string {
	lines := p.lines[from:end]
	if indent == 0 {
		return lines
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		n := 0
		for n < indent && n < len(l) && (l[n] == ' ' || l[n] == '\t') {
			n++
		}
		out[i] = l[n:]
	}
	return out
}

// dedent takes the indentation of a fence off the lines themselves.
func (p *parser) dedent(from, end, indent int) {
	if indent > 0 {
		copy(p.lines[from:end], p.dedented(from, end, indent))
	}
}

func isShell(lang string) bool {
	switch lang {
	case "bash", "sh", "shell", "zsh", "fish", "console", "shell-session", "shellsession", "terminal", "powershell", "ps1", "cmd", "bat", "output", "log", "stdout":
		return true
	}
	return false
}

// contradicts tells a command or its output, shown under a heading that
// happens to name a file, from the file's content.
func contradicts(lang, name string, q *pending) bool {
	if !isShell(lang) || q == nil {
		return false
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".go", ".py", ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".rs", ".java", ".kt", ".rb", ".php", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs",
		".ex", ".exs", ".swift", ".json", ".toml", ".html", ".css", ".scss", ".vue", ".svelte", ".sql", ".md", ".yml", ".yaml":
		return true
	}
	return false
}

func isPatchFile(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".patch" || ext == ".diff"
}
