package guard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// objection says what speaks against a change, nothing where why is empty.
type objection struct {
	why string
	// aside says that it changes what old tests ask for, which is for a person to
	// judge; else it keeps tests from telling, and is refused.
	aside bool
}

func refuse(why string) objection   { return objection{why: why} }
func setAside(why string) objection { return objection{why: why, aside: why != ""} }

// parts are what becomes of a change hunk by hunk.
type parts struct {
	// text is the file with what may be applied, asked that with what was set
	// aside too.
	text, asked string
	aside       []event.Hunk
	why         string // of the first hunk that was set aside
	refused     []string
}

func (p parts) whole() bool { return len(p.aside) == 0 && len(p.refused) == 0 }

// sorted are the hunks of a change: those that change nothing, those that only
// add, and those that change or remove old lines.
type sorted struct{ neutral, adds, changes []lineEdit }

// splitTest parts the change of a test file that stood before.
func splitTest(lang *language, p, before, after string) parts {
	old, new := splitLines(before), splitLines(after)
	if ways, _ := additions(old, new); ways != nil && (lang == nil || judgeAdditions(lang, p, old, new).why == "") {
		return parts{text: after, asked: after}
	}
	var s sorted
	if lang == nil {
		for _, e := range lineEdits(old, new) {
			if e.from == e.to {
				s.adds = append(s.adds, e)
			} else {
				s.changes = append(s.changes, e)
			}
		}
		return assemble(before, s, after, func([]string, []string) objection { return objection{} })
	}
	s = sortEdits(lang, p, old, new)
	return assemble(before, s, after, func(base, text []string) objection { return judgeAdditions(lang, p, base, text) })
}

// splitBy parts the change of a file of which only a part concerns tests: a hunk
// is good if nothing speaks against the file with it.
func splitBy(before, after string, judge func(text string) objection) parts {
	s := sorted{adds: lineEdits(splitLines(before), splitLines(after))}
	return assemble(before, s, after, func(_, text []string) objection { return judge(strings.Join(text, "")) })
}

// assemble puts together what may be applied.
func assemble(before string, s sorted, after string, judge func(base, text []string) objection) parts {
	old := splitLines(before)
	base := composed(old, inOrder(s.neutral))
	with := func(edits []lineEdit) []string { return composed(old, inOrder(slices.Concat(s.neutral, edits))) }
	var out parts
	asked := s.changes
	for _, e := range s.changes {
		out.aside = append(out.aside, e.hunk(old))
		if out.why == "" {
			out.why = changedLine(old, e)
		}
	}
	good := s.adds
	if judge(base, with(good)).why != "" {
		good = nil
		for _, e := range s.adds {
			o := judge(base, with([]lineEdit{e}))
			if o.why == "" && len(good) > 0 {
				o = judge(base, with(append(slices.Clone(good), e)))
			}
			switch {
			case o.why == "":
				good = append(good, e)
			case o.aside:
				out.aside, asked = append(out.aside, e.hunk(old)), append(asked, e)
				if out.why == "" {
					out.why = o.why
				}
			case !slices.Contains(out.refused, o.why):
				out.refused = append(out.refused, o.why)
			}
		}
	}
	good = slices.DeleteFunc(good, func(e lineEdit) bool {
		if !endsText(e, asked) {
			return false
		}
		out.aside, asked = append(out.aside, e.hunk(old)), append(asked, e)
		return true
	})
	slices.SortStableFunc(out.aside, func(a, b event.Hunk) int { return a.Line - b.Line })
	if out.whole() {
		return parts{text: after, asked: after}
	}
	if out.text = before; len(good)+len(s.neutral) > 0 {
		out.text = asEnded(strings.Join(with(good), ""), after)
	}
	out.asked = asEnded(strings.Join(with(slices.Concat(good, asked)), ""), after)
	if len(out.refused) == 0 {
		out.asked = after
	}
	return out
}

// endsText tells the last line of a here document that another edit begins.
func endsText(e lineEdit, others []lineEdit) bool {
	word := strings.TrimSpace(strings.Join(e.new, ""))
	if word == "" || ident().FindString(word) != word {
		return false
	}
	for _, o := range others {
		for _, m := range heredocStart().FindAllStringSubmatch(strings.Join(o.new, ""), -1) {
			if m[3]+m[4]+m[5]+m[6] == word {
				return true
			}
		}
	}
	return false
}

// asEnded takes the last line's end off where the proposal has none there.
func asEnded(text, like string) string {
	if strings.HasSuffix(like, "\n") || like == "" {
		return text
	}
	if last := like[strings.LastIndexByte(like, '\n')+1:]; strings.HasSuffix(strings.TrimRight(text, "\r\n"), last) {
		return strings.TrimRight(text, "\r\n")
	}
	return text
}

// changedLine says which old line a hunk changes or removes, one with words in it.
func changedLine(old []string, e lineEdit) string {
	return fmt.Sprintf("It changes or removes lines of a test that stood before, such as %q.", shorten(wordsIn(old[e.from:e.to])))
}
