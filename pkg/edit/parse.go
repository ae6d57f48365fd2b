package edit

import (
	"fmt"
	"slices"
	"strings"
)

// Parse reads a model's reply. It never fails: what looks like an edit but
// cannot be understood is told in Reply.Problems, everything else is taken for
// talk. A reply without any edit has a problem that says what was expected.
func Parse(reply string, options ...Option) Reply {
	p := &parser{lines: replyLines(reply), nested: true}
	for _, o := range options {
		o(p)
	}
	p.endsLine = strings.HasSuffix(reply, "\n")
	p.run(0, len(p.lines), 0)
	if len(p.reply.Problems) > 0 || p.reply.Truncated {
		return p.reply
	}
	none := append(p.maybe, Problem{Reason: expected, Kind: NoEdit})[:1]
	switch {
	case len(p.reply.Edits) == 0:
		p.reply.Problems = none
	case !slices.ContainsFunc(p.reply.Edits, func(e Edit) bool { return !e.Tentative }):
		p.reply.otherwise = none
	}
	return p.reply
}

const expected = "the reply holds no edit. Put each file's path on a line of its own, directly followed by a fence with its complete new content " +
	"or with <<<<<<< SEARCH / ======= / >>>>>>> REPLACE blocks; or write DELETE path, or RENAME old -> new"

// replyLines cuts the text into lines, without the line ends of its transport.
func replyLines(s string) []string {
	s = strings.TrimPrefix(s, bom)
	if s == "" {
		return nil
	}
	ls := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range ls {
		ls[i] = strings.TrimSuffix(l, "\r")
	}
	return ls
}

// parser walks the lines of a reply. All indexes are into lines.
type parser struct {
	lines []string
	reply Reply
	maybe []Problem // told only if nothing else was found

	pend  *pending // a path that waits for its content
	hint  string   // the path in a sentence that ends in a colon, for blocks
	last  string   // the path of the last blocks, for further ones
	guess *pending // a word above the blocks, which may be their path
	// lastGuess is that of the last blocks.
	lastGuess *pending

	complete   bool // the text came to its end
	endsLine   bool // the text ends with a whole line
	wholeHunk  bool // the last hunk has the lines that its head counts
	nested     bool // whether fences of equal length may stand in each other
	patchMark  int  // the last line that belongs to a patch, -1 for none, 0 if not yet sought
	openTags   int  // tags whose end was not found
	open       int  // fences of blocks that were not closed
	summarised bool // the next line of talk is the summary
}

// pending is a path line waiting for its content.
type pending struct {
	named
	line  int
	loose bool // other text came after it
	// before is the path that waited when a mere word came.
	before string
}

// sure tells a path from a word that may be one.
func (q *pending) sure() bool { return q != nil && q.surety == aPath }

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
	if next, ok := p.thought(t, i, to); ok {
		return next
	}
	if next, ok := p.junk(t, i, to); ok {
		return next
	}
	if next, ok := p.call(t, i, to); ok {
		return next
	}
	switch {
	case isEnvelope(t):
		return p.envelope(i, to)
	case isDiffStart(p.lines, i, to):
		return p.topDiff(i, to)
	case isSearch(text):
		return p.blocks(i, to, p.markedPath(i, p.blockPath()), false)
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
	if n, ok := p.pathAt(i, to); ok {
		p.pend = &pending{named: n, line: i}
		return i + 1
	}
	if p.word(i, to) || p.introduced(t, i, to) {
		return i + 1
	}
	p.wish(t, i, to)
	if p.pend != nil {
		if p.pend.rail && !p.pend.loose {
			p.problem(p.pend.path, "the content of %s at line %d of the reply stands in no fence: put it into one, directly under the path", p.pend.path, i+1)
		}
		p.pend.loose = true
	}
	p.mention(t, i, to)
	return i + 1
}

func (p *parser) forget() {
	p.reply, p.maybe, p.pend, p.hint, p.last, p.summarised = Reply{}, nil, nil, "", "", false
}

// summary takes the first "Summary:" line, or the line under a heading of that name.
func (p *parser) summary(t string) bool {
	if p.reply.Summary != "" {
		return false
	}
	if p.summarised {
		p.summarised = false
		if _, isPath := pathLine(t); !isPath {
			p.reply.Summary = strings.TrimSpace(strings.TrimLeft(t, "-* "))
			return true
		}
		return false
	}
	s := strings.TrimSpace(strings.TrimLeft(t, "#*_- "))
	if len(s) < 7 || !strings.EqualFold(s[:7], "summary") {
		return false
	}
	s = strings.TrimLeft(s[7:], "*_ ")
	if s == "" {
		p.summarised = true
		return true
	}
	if s[0] != ':' {
		return false
	}
	s = strings.TrimSpace(strings.TrimLeft(s[1:], "*_ "))
	p.reply.Summary, p.summarised = s, s == ""
	return true
}

// pathAt reads a path line. A single word that is no path by its looks counts
// where the edit follows at once.
func (p *parser) pathAt(i, to int) (named, bool) {
	if n, ok := pathLine(p.lines[i]); ok {
		return n, true
	}
	t, heading := cutDecoration(strings.TrimSpace(p.lines[i]))
	if heading || t == "" || strings.ContainsAny(t, " \t:.,;!?()<>|=") {
		return named{}, false
	}
	next := i + 1
	if next < to {
		if _, ok := openFence(p.lines[next]); ok {
			next++
		}
	}
	if next >= to || !isSearch(p.lines[next]) {
		return named{}, false
	}
	t, _ = unquote(t)
	return named{path: cleanPath(t)}, t != ""
}

func (p *parser) add(e Edit) { p.reply.Edits = append(p.reply.Edits, e) }

// cut tells text that breaks off: where the reply came to its end the author
// made a mistake, else the model was stopped.
func (p *parser) cut(path string, format string, args ...any) {
	if p.complete {
		p.problem(path, format, args...)
		return
	}
	p.reply.Truncated = true
	if p.reply.cut == "" {
		p.reply.cut = fmt.Sprintf(format, args...)
	}
}

func (p *parser) problem(path, format string, args ...any) {
	p.reply.Problems = append(p.reply.Problems, Problem{Path: path, Reason: fmt.Sprintf(format, args...)})
}

// take hands out the waiting path.
func (p *parser) take() *pending {
	q := p.pend
	p.pend = nil
	return q
}

// blockPath is the path for blocks that begin here: the waiting one, however
// much text came between, else that of a sentence before, else that of the
// blocks before. What blocks search for guards against a wrong guess. A word
// that waits is kept beside it as a guess.
func (p *parser) blockPath() string {
	hint, q := p.hint, p.take()
	p.hint = ""
	if q.sure() {
		return q.path
	}
	if q != nil {
		p.guess = q
		if q.before != "" {
			return q.before
		}
	} else if hint == "" {
		p.guess = p.lastGuess
	}
	if hint != "" {
		return hint
	}
	return p.last
}
