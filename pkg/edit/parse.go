package edit

import (
	"io/fs"
	"slices"
)

// Option changes how [Parse] reads a reply.
type Option func(*context)

// Complete says that the reply is complete: the provider gave a reason why the model
// stopped other than the length limit. Then a last fence or patch that is not closed was
// merely forgotten, and its content counts.
func Complete() Option { return func(c *context) { c.complete = true } }

// Parse reads a model's reply about the files of fsys. It never fails: what looks like an
// edit but cannot be understood goes to Reply.Problems, everything else is talk. A reply
// without any edit has a problem that says what was expected. A nil fsys has no files.
func Parse(fsys fs.FS, reply string, options ...Option) Reply {
	c := context{files: newFiles(fsys), made: make(map[string]bool), nested: scan}
	for _, o := range options {
		o(&c)
	}
	f := scan(newText(reply), c)
	r := f.reply()
	r.Summary = f.summary
	if len(r.Fences) > mostFences {
		f.problem("", "the reply has more than %d fences that are no edits: put the path of each file on a line "+
			"of its own directly above its fence, and leave out what explains", mostFences)
	}
	if len(r.Problems) == 0 && !r.Truncated && len(r.Edits) == 0 {
		r.Problems = []Problem{{Reason: expected, Kind: NoEdit}}
		if f.maybe != "" {
			r.Problems = []Problem{{Reason: f.maybe}}
		}
	}
	return *r
}

const expected = "the reply holds no edit. Put each file's path on a line of its own, directly " +
	"followed by a fence with its complete new content or with <<<<<<< SEARCH / ======= / >>>>>>> " +
	"REPLACE blocks; or write DELETE path, or RENAME old -> new"

// forms are asked in this order about each line that begins something.
func forms() []form {
	return []form{
		thought, template, tokenCall, // what was never meant to be read
		envelope, openDiff, openBlocks, // edits in open text
		fence,   // a file, blocks, a diff, a patch, commands, JSON or an explanation
		element, // a file or a call between tags
		summary, directive, headingLine,
		talk, // everything else
	}
}

const deepest = 3 // of replies wrapped in fences

// scan asks the forms what the lines of a text hold, and gathers what they found.
func scan(t text, c context) *found {
	all := c.keep(len(t.lines))
	forms := forms()
	own := false // whether the lines are a copy
	for i := 0; i < len(t.lines); {
		if t.trimmed(i) == "" {
			i++
			continue
		}
		f := ask(forms, t, i, c)
		i = f.next
		all.then(f)
		c.state = f.state
		if f.Reply != nil {
			c.note(f.Edits)
		}
		if f.rest != nil {
			if !own {
				t.lines, own = slices.Clone(t.lines), true
			}
			t.lines[f.rest.line] = f.rest.text
		}
	}
	all.rest = nil
	return all
}

// ask returns what the first form found that knows the line.
func ask(forms []form, t text, i int, c context) *found {
	for _, read := range forms {
		if f := read(t, i, c); f != nil {
			return f
		}
	}
	return c.keep(i + 1)
}
