package edit

import (
	"cmp"
	"fmt"
	"path"
)

// form reads what begins at a line of a text, and returns it, or nil if the line is not of
// that form.
type form func(t text, i int, c context) *found

// context is what a form has to know besides the text.
type context struct {
	files *files
	// made is what the edits so far make of a path: a file, or none. All forms of a reply
	// share it, since a form may need what it just found itself.
	made     map[string]bool
	complete bool // the reply is known to be complete
	depth    int  // of replies wrapped in fences
	// nested reads a text within a form, such as a patch in a here-document.
	nested func(t text, c context) *found
	state
}

// state is what the lines so far leave to those that follow.
type state struct {
	pend    heading // a path that waits for its content
	last    string  // the path of the last edit, or one that a sentence gives, for blocks without
	summary string
	flat    bool // fences of equal length are not nested in this reply
	titled  bool // the next line of talk is the summary
}

// heading is a path line that waits for its content; it has no path if none waits.
type heading struct {
	named
	loose bool // other text came after it
}

func (h heading) waits() bool { return h.path != "" }

// found is what a form found. Most lines hold nothing, so that only [found.reply] makes the
// reply.
type found struct {
	*Reply        // without the summary; nil if there is nothing
	next   int    // the line after it
	rest   *rest  // of a line that was read in part
	maybe  string // a problem if nothing else is found
	draft  bool   // whether everything found before was a draft
	state         // for what follows
}

// rest is what is left of a line.
type rest struct {
	line int
	text string
}

// begin returns what a form has found before it reads: nothing. No path waits for content
// any more, unless the form says so.
func (c context) begin() *found {
	f := &found{state: c.state}
	f.pend = heading{}
	return f
}

// keep is begin for a form that leaves the waiting path to the next.
func (c context) keep(next int) *found { return &found{next: next, state: c.state} }

// drop is begin for a form which shows that everything before it was a draft.
func (c context) drop(next int) *found {
	return &found{next: next, draft: true, state: state{flat: c.flat}}
}

// isFile reports whether a path of the reply is, or will be, a file.
func (c context) isFile(name string) bool {
	if is, ok := c.made[name]; ok {
		return is
	}
	return c.files.there(path.Clean(name))
}

// note keeps what edits make of their paths.
func (c context) note(edits []Edit) {
	for _, e := range edits {
		c.made[e.Path] = e.Op != Delete
		if e.From != "" {
			c.made[e.From] = false
		}
	}
}

// reply returns the edits and problems so far, to look at or to add to.
func (f *found) reply() *Reply {
	if f.Reply == nil {
		f.Reply = new(Reply)
	}
	return f.Reply
}

// then adds what was found after f.
func (f *found) then(g *found) {
	if g.draft {
		*f = found{draft: true}
	}
	if g.Reply != nil {
		r := f.reply()
		r.Edits = append(r.Edits, g.Edits...)
		r.Problems = append(r.Problems, g.Problems...)
		for _, x := range g.Fences {
			f.fence(x)
		}
		r.Mentions = append(r.Mentions, g.Mentions...)
		r.Truncated = r.Truncated || g.Truncated
		r.Cut = cmp.Or(r.Cut, g.Cut)
	}
	f.maybe = cmp.Or(f.maybe, g.maybe)
	f.next, f.rest, f.state = g.next, g.rest, g.state
}

func (f *found) edit(e Edit) { f.reply().Edits = append(f.reply().Edits, e) }

// whole adds a file's complete content.
func (f *found) whole(name string, line int, lines []string) {
	f.last = name
	f.edit(Edit{Op: Write, Path: name, Content: uncdata(linesText(lines)), Line: line})
}

func (f *found) problem(path, format string, args ...any) {
	r := f.reply()
	r.Problems = append(r.Problems, Problem{Path: path, Reason: fmt.Sprintf(format, args...)})
}

// breaksOff reports text that ends too early. If the reply is complete the author made a
// mistake, else the model was stopped.
func (f *found) breaksOff(complete bool, path, format string, args ...any) {
	if complete {
		f.problem(path, format, args...)
		return
	}
	r := f.reply()
	r.Truncated = true
	r.Cut = cmp.Or(r.Cut, fmt.Sprintf(format, args...))
}

// mostFences bounds how many fences that became no edits are checked; one more is kept, to
// tell that there are more.
const mostFences = 100

// fence adds a fence that became no edit.
func (f *found) fence(x Fence) {
	if r := f.reply(); len(r.Fences) <= mostFences {
		r.Fences = append(r.Fences, x)
	}
}

// mention adds a file that a command or a sentence changes.
func (f *found) mention(word, text string, line int) {
	name, _ := unquote(word)
	if name = cleanPath(name); looksLikePath(name, false) && name[0] != '/' {
		f.reply().Mentions = append(f.reply().Mentions, Mention{name, text, line})
	}
}
