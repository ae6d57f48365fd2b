package edit

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Option changes how [Parse] reads a reply.
type Option func(*parser)

// Complete says that the reply is complete: the provider gave a reason why the model
// stopped other than the length limit. Then a last fence or patch that is not closed was
// merely forgotten, and its content counts.
func Complete() Option { return func(p *parser) { p.complete = true } }

// Parse reads a model's reply about the files of fsys. It never fails: what looks like an
// edit but cannot be understood goes to Reply.Problems, everything else is talk. A reply
// without any edit has a problem that says what was expected. A nil fsys has no files.
func Parse(fsys fs.FS, reply string, options ...Option) Reply {
	p := &parser{
		context: context{files: newFiles(fsys), made: make(map[string]bool)}, text: newText(reply),
	}
	for _, o := range options {
		o(p)
	}
	p.run(0, len(p.lines), 0)
	if len(p.reply.Problems) == 0 && !p.reply.Truncated && len(p.reply.Edits) == 0 {
		p.reply.Problems = append(p.maybe, Problem{Reason: expected, Kind: NoEdit})[:1]
	}
	p.reply.Summary = p.state.summary
	return p.reply
}

const expected = "the reply holds no edit. Put each file's path on a line of its own, directly " +
	"followed by a fence with its complete new content or with <<<<<<< SEARCH / ======= / >>>>>>> " +
	"REPLACE blocks; or write DELETE path, or RENAME old -> new"

// parser walks the lines of a reply. All indexes are into lines.
type parser struct {
	context
	text
	reply  Reply
	maybe  []Problem // reported only if nothing else is found
	after  int       // the line after the last fence that became no edit
	drafts int       // how often what was read turned out to be a draft
}

// within returns the lines up to one.
func (p *parser) within(to int) text { return p.text.part(0, to) }

// use adds what a form found, and returns the line after it.
func (p *parser) use(f *found) int {
	if f.draft {
		p.forget()
	}
	for _, e := range f.Edits {
		p.add(e)
	}
	p.reply.Problems = append(p.reply.Problems, f.Problems...)
	p.reply.Mentions = append(p.reply.Mentions, f.Mentions...)
	for _, x := range f.Fences {
		p.remember(x)
	}
	p.reply.Truncated = p.reply.Truncated || f.Truncated
	p.reply.Cut = cmp.Or(p.reply.Cut, f.Cut)
	if f.maybe != "" {
		p.maybe = append(p.maybe, Problem{Reason: f.maybe})
	}
	if f.rest != nil {
		p.lines[f.rest.line] = f.rest.text
	}
	p.state = f.state
	return f.next
}

const deepest = 3 // of replies wrapped in fences

// run reads lines from to to as top-level text.
func (p *parser) run(from, to, depth int) {
	for i := from; i < to; {
		i = p.step(i, to, depth)
	}
}

// step reads what begins at line i and returns the line after it.
func (p *parser) step(i, to, depth int) int {
	text := p.lines[i]
	t := strings.TrimSpace(text)
	if t == "" {
		return i + 1
	}
	for _, read := range []form{thought, template, tokenCall, envelope, openDiff, openBlocks} {
		if f := read(p.within(to), i, p.context); f != nil {
			return p.use(f)
		}
	}
	if f, ok := openFence(text); ok {
		return p.fence(f, i, to, depth)
	}
	if next, ok := p.element(t, i, to, depth); ok {
		return next
	}
	if p.summary(t) || p.directive(t, i) {
		return i + 1
	}
	if n, ok := pathAt(p.within(to), i, p.context); ok {
		p.pend = heading{named: n}
		p.behind(n.path, i, to)
		return i + 1
	}
	p.introduced(t, i, to)
	p.proseDelete(t, i)
	if p.pend.waits() {
		if p.pend.rail && !p.pend.loose {
			p.problem(p.pend.path,
				"the content of %s at line %d of the reply stands in no fence: put it into one, "+
					"directly under the path", p.pend.path, i+1)
		}
		p.pend.loose = true
	}
	return i + 1
}

// forget drops what was read so far: it was a draft.
func (p *parser) forget() {
	p.drafts++
	p.reply, p.maybe, p.state = Reply{}, nil, state{flat: p.flat}
}

var summaryLine = pattern(`(?i)^[#*_\- ]*summary[*_ ]*(?::[*_ ]*(.*)|)$`)

func isSummary(t string) bool { return summaryLine().MatchString(t) }

// summary takes the first "Summary:" line, or the line under a heading of that name.
func (p *parser) summary(t string) bool {
	if p.state.summary != "" {
		return false
	}
	if m := summaryLine().FindStringSubmatch(t); m != nil {
		p.state.summary, p.titled = m[1], m[1] == ""
		return true
	}
	if !p.titled {
		return false
	}
	p.titled = false
	if _, isPath := pathLine(t); isPath {
		return false
	}
	p.state.summary = strings.TrimSpace(strings.TrimLeft(t, "-* "))
	return true
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

// introduced takes the path in a sentence right above blocks. Blocks explain nothing, and
// their search text guards against a wrong path.
func (p *parser) introduced(t string, i, to int) {
	j := p.firstText(i+1, to)
	if j < to && isFence(p.lines[j]) {
		j = p.firstText(j+1, to)
	}
	if j == to || !isSearch(p.lines[j]) {
		return
	}
	if paths := pathsIn(t); len(paths) == 1 {
		p.last = paths[0]
	}
}

// directive reads DELETE and RENAME lines. The whole line must be one, in capitals, so that
// no sentence can delete a file.
func (p *parser) directive(t string, i int) bool {
	e := p.directives(t, i)
	if e != nil {
		p.pend = heading{}
		p.add(*e)
	}
	return e != nil
}

func (p *parser) directives(t string, i int) *Edit {
	t, _ = undecorated(t)
	t = strings.ReplaceAll(t, "**", "")
	if s, ok := unquote(t); ok && strings.Contains(s, " ") {
		t = s
	}
	word, rest, _ := strings.Cut(t, " ")
	switch strings.TrimRight(word, ":") {
	case "DELETE", "REMOVE":
		rest, reason := cutReason(strings.TrimPrefix(rest, "FILE "))
		if name, ok := p.operand(rest, word[0] == 'D'); ok &&
			(reason == "" || p.isFile(name) && len(pathsIn(reason)) == 0) {
			return &Edit{Op: Delete, Path: name, Line: i + 1}
		}
	case "RENAME", "MOVE":
		a, b, _ := strings.Cut(arrow().ReplaceAllString(rest, "\x00"), "\x00")
		from, ok := p.operand(a, true)
		if to, sure := p.operand(b, true); ok && (sure || isToken(to)) {
			return &Edit{Op: Rename, From: from, Path: to, Line: i + 1}
		}
	}
	return nil
}

var arrow = pattern(` (?:-+>|=>|→|TO|to) `)

// operand returns a path that stands alone. A single word, or a name with spaces, counts if
// such a file exists, or in backticks.
func (p *parser) operand(t string, word bool) (string, bool) {
	s, quoted := unquote(strings.TrimSpace(t))
	s = cleanPath(s)
	switch {
	case strings.ContainsAny(s, "{}:*`"):
		return "", false
	case looksLikePath(s, quoted), quoted && word && s != "" && !strings.ContainsAny(s, " \x00"):
		return s, true
	case !isToken(s) && !looksLikePath(s, true):
		return "", false
	}
	return s, p.isFile(s)
}

func (p *parser) add(e Edit) {
	p.reply.Edits = append(p.reply.Edits, e)
	p.note([]Edit{e})
}

// cut reports text that breaks off. If the reply is complete the author made a mistake,
// else the model was stopped.
func (p *parser) cut(path string, format string, args ...any) {
	if p.complete {
		p.problem(path, format, args...)
		return
	}
	p.reply.Truncated = true
	if p.reply.Cut == "" {
		p.reply.Cut = fmt.Sprintf(format, args...)
	}
}

func (p *parser) problem(path, format string, args ...any) {
	p.reply.Problems = append(p.reply.Problems, Problem{Path: path, Reason: fmt.Sprintf(format, args...)})
}

// take returns the waiting path and clears it.
func (p *parser) take() heading {
	q := p.pend
	p.pend = heading{}
	return q
}
