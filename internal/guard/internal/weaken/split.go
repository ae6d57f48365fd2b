// Package weaken judges changes of tests. It parts those of an old test into what
// adds to it, what means nothing to it and what changes it, and looks in what is new
// for ways to keep tests from telling.
package weaken

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Objection says what speaks against a change, nothing where why is empty.
type Objection struct {
	Why string
	// aside says that it changes what old tests ask for, which is for a person to
	// judge; else it keeps tests from telling, and is refused.
	Aside bool
}

func Refuse(why string) Objection { return Objection{Why: why} }

func SetAside(why string) Objection { return Objection{Why: why, Aside: why != ""} }

// Parts are what becomes of a change hunk by hunk.
type Parts struct {
	// text is the file with what may be applied, asked that with what was set
	// aside too.
	Text, Asked string
	Aside       []event.Hunk
	Why         string // of the first hunk that was set aside
	Refused     []string
}

func (p Parts) Whole() bool { return len(p.Aside) == 0 && len(p.Refused) == 0 }

// sorted are the hunks of a change: those that change nothing, those that only
// add, and those that change or remove old lines.
type sorted struct{ neutral, Adds, Changes []diff.Edit }

// Split parts the change of a test file that stood before.
func Split(lang *lexer.Language, p, before, after string) Parts {
	old, new := diff.Split(before), diff.Split(after)
	if ways, _ := diff.Additions(old, new); ways != nil &&
		(lang == nil || judgeAdditions(lang, p, old, new).Why == "") {
		return Parts{Text: after, Asked: after}
	}
	var s sorted
	if lang == nil {
		for _, e := range diff.Edits(old, new) {
			if e.From == e.To {
				s.Adds = append(s.Adds, e)
			} else {
				s.Changes = append(s.Changes, e)
			}
		}
		return assemble(before, s, after, func([]string, []string) Objection { return Objection{} })
	}
	s = SortEdits(lang, p, old, new)
	return assemble(before, s, after,
		func(base, text []string) Objection { return judgeAdditions(lang, p, base, text) })
}

// SplitBy parts the change of a file of which only a part concerns tests: a hunk
// is good if nothing speaks against the file with it.
func SplitBy(before, after string, judge func(text string) Objection) Parts {
	s := sorted{Adds: diff.Edits(diff.Split(before), diff.Split(after))}
	return assemble(before, s, after,
		func(_, text []string) Objection { return judge(strings.Join(text, "")) })
}

// assemble puts together what may be applied.
func assemble(before string, s sorted, after string, judge func(base, text []string) Objection) Parts {
	old := diff.Split(before)
	base := diff.Apply(old, diff.InOrder(s.neutral))
	with := func(edits []diff.Edit) []string {
		return diff.Apply(old, diff.InOrder(slices.Concat(s.neutral, edits)))
	}
	var out Parts
	asked := s.Changes
	for _, e := range s.Changes {
		out.Aside = append(out.Aside, e.Event(old))
		if out.Why == "" {
			out.Why = changedLine(old, e)
		}
	}
	good := s.Adds
	if judge(base, with(good)).Why != "" {
		good = nil
		for _, e := range s.Adds {
			o := judge(base, with([]diff.Edit{e}))
			if o.Why == "" && len(good) > 0 {
				o = judge(base, with(append(slices.Clone(good), e)))
			}
			switch {
			case o.Why == "":
				good = append(good, e)
			case o.Aside:
				out.Aside, asked = append(out.Aside, e.Event(old)), append(asked, e)
				if out.Why == "" {
					out.Why = o.Why
				}
			case len(s.Changes) > 0 &&
				judge(with(s.Changes), with(slices.Concat(s.Changes, []diff.Edit{e}))).Why == "":
				// It clashes with nothing but what the same proposal changes.
				out.Aside, asked = append(out.Aside, e.Event(old)), append(asked, e)
			case !slices.Contains(out.Refused, o.Why):
				out.Refused = append(out.Refused, o.Why)
			}
		}
	}
	good = slices.DeleteFunc(good, func(e diff.Edit) bool {
		if !endsText(e, asked) {
			return false
		}
		out.Aside, asked = append(out.Aside, e.Event(old)), append(asked, e)
		return true
	})
	slices.SortStableFunc(out.Aside, func(a, b event.Hunk) int { return a.Line - b.Line })
	if out.Whole() {
		return Parts{Text: after, Asked: after}
	}
	if out.Text = before; len(good)+len(s.neutral) > 0 {
		out.Text = asEnded(strings.Join(with(good), ""), after)
	}
	out.Asked = asEnded(strings.Join(with(slices.Concat(good, asked)), ""), after)
	if len(out.Refused) == 0 {
		out.Asked = after
	}
	return out
}

// endsText tells the last line of a here document that another edit begins.
func endsText(e diff.Edit, others []diff.Edit) bool {
	word := strings.TrimSpace(strings.Join(e.New, ""))
	if word == "" || source.Ident().FindString(word) != word {
		return false
	}
	for _, o := range others {
		for _, m := range lexer.HeredocStart().FindAllStringSubmatch(strings.Join(o.New, ""), -1) {
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
	if last := like[strings.LastIndexByte(like, '\n')+1:]; strings.HasSuffix(strings.TrimRight(text,
		"\r\n"), last) {
		return strings.TrimRight(text, "\r\n")
	}
	return text
}

// changedLine says which old line a hunk changes or removes, one with words in it.
func changedLine(old []string, e diff.Edit) string {
	return fmt.Sprintf("It changes or removes lines of a test that stood before, such as %q.",
		diff.Shorten(diff.FirstWords(old[e.From:e.To])))
}
