package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// A file such as mytool or gradlew has a name that is no path by its looks. In
// a reply it cannot be told from a word ("Example", `Parse`) without a look at
// the files. So a single word right above a fence makes a tentative edit, and
// [Resolve] settles what it is.

// surety is how much a text does to show that a word of it is a path.
type surety int

const (
	aPath   surety = iota // it needs nothing: it is one by its looks
	aWord                 // a word alone on its line, or behind the language of a fence
	setOff                // a heading, bold
	inTicks               // back-ticks, a label
)

// isToken tells a name without dots, slashes and other signs.
func isToken(t string) bool {
	letter := false
	for _, r := range t {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case !unicode.IsDigit(r) && !strings.ContainsRune("_-+@~", r):
			return false
		}
	}
	return letter && len(t) <= 100 && t[0] != '-' && t[0] != '~'
}

// speaksOfFile tells lines that call what they name a file.
func speaksOfFile(t string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && r != '`' }) {
		switch w {
		case "file", "filename", "filepath", "path":
			return true
		}
	}
	return false
}

// wordLine reads a line that holds a single word, which may be a file's name.
func wordLine(text string) (named, bool) {
	t, heading := cutDecoration(strings.TrimSpace(text))
	if name, ok := phrasedName(t, heading); ok && isToken(name) {
		return named{path: name, marked: true, surety: inTicks}, true
	}
	t, labelled := cutLabel(t)
	ticks := strings.Contains(t, "`")
	colon := strings.HasSuffix(t, ":")
	t, quoted := unquote(cutRemark(t))
	n := named{path: cleanPath(t), marked: true}
	switch {
	case !isToken(n.path):
		return named{}, false
	case ticks || labelled:
		n.surety = inTicks
	case heading || quoted:
		n.surety = setOff
	case colon:
		return named{}, false // it introduces something
	default:
		n.surety, n.marked = aWord, false
	}
	return n, true
}

// word takes a word right above a fence or a block for a path that may be meant.
func (p *parser) word(i, to int) bool {
	next := p.firstText(i+1, to)
	if next >= to {
		return false
	}
	n, ok := wordLine(p.lines[i])
	if script := p.firstText(next+1, to); !ok && script < to && strings.HasPrefix(p.lines[script], "#!") {
		// "mytool:" introduces something, which here is a script.
		n, ok = wordLine(strings.TrimSuffix(strings.TrimSpace(p.lines[i]), ":"))
	}
	if !ok {
		return false
	}
	if f, ok := openFence(p.lines[next]); !ok && !isSearch(p.lines[next]) || f.path != "" {
		return false
	}
	q := &pending{named: n, line: i}
	if p.pend.sure() {
		if n.surety == aWord {
			return false // the path above is what counts
		}
		q.before = p.pend.path
	}
	p.pend = q
	return true
}

// guessed reads a fence under a word. What the fence itself says of its path
// counts first.
func (p *parser) guessed(f fenceLine, q *pending, i, first, end, depth int) {
	edits, problems := len(p.reply.Edits), len(p.reply.Problems)
	p.unnamed(f, i, first, end, depth)
	if q == nil && f.word != "" {
		q = &pending{named: named{path: f.word, surety: aWord}}
	}
	if first >= end || isTranscript(f.lang) || p.pend != nil || len(p.reply.Edits) > edits ||
		len(p.reply.Problems) > problems {
		return
	}
	if q == nil {
		p.unexplained(f, i, end)
		return
	}
	e := Edit{Kind: Whole, Path: q.path, Line: i + 1, Tentative: true, surety: q.surety, lang: f.lang, instead: q.before}
	p.addWhole(e, p.dedented(i+1, end, f.indent), q.path)
}

// diffName is the path for a diff that names none.
func (p *parser) diffName(name string, q *pending) string {
	if name != "" || q == nil {
		return name
	}
	if q.before != "" {
		return q.before
	}
	return q.path
}

// isTranscript tells fences that show what happened, never a file.
func isTranscript(lang string) bool {
	switch lang {
	case "console", "shell-session", "shellsession", "terminal", "output", "log", "stdout", "stderr", "diff", "patch":
		return true
	}
	return false
}

// holdsShell tells files that a fence of shell lines may well be the content of.
func holdsShell(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot < 0 || isShell(strings.ToLower(name[dot+1:]))
}

// settle says what becomes of a tentative edit: it is a firm one, perhaps of
// another path, or none; or the reply is not clear.
func (t *tree) settle(e Edit) (_ Edit, is bool, err error) {
	e.Tentative = false
	at := e.Path
	if e.Kind == Move {
		at = e.From
	}
	_, n, wrong := t.locate(at)
	switch {
	case e.wished:
		return t.settleWish(e, n != nil && wrong == nil)
	case wrong == nil && n != nil && e.Kind == Whole:
		return t.settleThere(e, n)
	case wrong == nil && n != nil:
		return e, true, nil
	case e.instead != "":
		e.Path, e.loose, e.instead = e.instead, e.Kind == Whole, ""
		return e, true, nil
	case e.Kind == Replace:
		return e, false, fmt.Errorf("the block at line %d of the reply stands under %s, but there is no such file: put the path on the line directly above it", e.Line, e.Path)
	case e.Kind != Whole || e.surety < inTicks && !strings.HasPrefix(e.Content, "#!"):
		return e, false, nil
	case strings.HasPrefix(e.Content, "#!") && e.surety == inTicks:
		return e, true, nil
	case isShell(e.lang) && !strings.HasPrefix(e.Content, "#!") || unicode.IsUpper(rune(e.Path[0])) && e.surety < inTicks:
		return e, false, nil
	}
	return e, false, unplaced{e}
}

// settleThere judges a fence under the name of a file: commands that are shown
// there are not the content of a script.
func (t *tree) settleThere(e Edit, n *node) (_ Edit, is bool, err error) {
	if !isShell(e.lang) || !strings.HasPrefix(string(n.data), "#!") || strings.Contains(firstLine(e.Content), "#!") {
		return e, true, nil
	}
	if e.surety < inTicks {
		return e, false, nil
	}
	return e, false, fmt.Errorf("the fence at line %d of the reply stands under %s, but lacks its first line, so it is not clear whether it is the complete content: give all of it, or use search and replace blocks", e.Line, e.Path)
}

// unplaced is a fence under a word that is no file.
type unplaced struct{ Edit }

func (e unplaced) Error() string {
	return fmt.Sprintf("the fence at line %d of the reply stands under %s, which is no file here and does not look like a path: if it is a new file, write \"File: %s\" on the line directly above the fence",
		e.Line, e.Path, e.Path)
}

// hidden are the fences that do not merely repeat what stands in the files
// before or after: those explain, and nothing is lost with them.
func hidden(list []unplaced, changes []Change) []unplaced {
	if len(list) == 0 {
		return nil
	}
	var texts []string
	for _, c := range changes {
		texts = append(texts, squeezed(string(c.Old)), squeezed(string(c.New)))
	}
	var out []unplaced
	for _, u := range list {
		want := squeezed(u.Content)
		if !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, want) }) {
			out = append(out, u)
		}
	}
	return out
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
