// Package weaken judges changes of tests. It parts those of an old test into what
// adds to it, what means nothing to it and what changes it, and looks in what is new
// for ways to keep tests from telling.
package weaken

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Objection says what speaks against a change, nothing where why is empty.
type Objection struct {
	Why string
	// Aside says that it changes what old tests ask for, which is for a person to
	// judge; else it keeps tests from telling, and is refused.
	Aside bool
}

// Refuse objects to what keeps tests from telling.
func Refuse(why string) Objection { return Objection{Why: why} }

// SetAside objects to what changes what old tests ask for.
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

// Whole tells a change of which nothing is left out.
func (p Parts) Whole() bool { return len(p.Aside) == 0 && len(p.Refused) == 0 }

// sorted are the hunks of a change: those that change nothing, those that only
// add, and those that change or remove old lines.
type sorted struct{ neutral, Adds, Changes []diff.Edit }

// Split parts the change of a test file that stood before.
func Split(lang *lexer.Language, p, before, after string) Parts {
	old, new := diff.Split(before), diff.Split(after)
	ways, lost := diff.Additions(old, new)
	if lang == nil {
		if ways != nil {
			return Parts{Text: after, Asked: after}
		}
		return assemble(before, sortLines(old, new), after,
			func([]string, []string) Objection { return Objection{} })
	}
	if flat, now, other := inOneForm(before, after); lang.Name == "csharp" && other &&
		Split(lang, p, flat, now).Whole() {
		return Parts{Text: after, Asked: after}
	}
	f := &file{lang: lang, path: p}
	parted := ways == nil && strings.TrimSpace(lost) == ""
	if ways != nil {
		o := f.judgeAdditions(old, new)
		if o.Why == "" {
			return Parts{Text: after, Asked: after}
		}
		parted = strings.Contains(o.Why, notWhole)
		if f.insertsWhole(old, new, o) {
			return Parts{Text: after, Asked: after}
		}
	}
	if parted && f.addsBesideBlankLines(old, new) {
		return Parts{Text: after, Asked: after}
	}
	if ways == nil && (f.inAnotherOrder(old, new) || f.sortedAlike(old, new)) {
		return Parts{Text: after, Asked: after}
	}
	return assemble(before, sortEdits(f, old, new), after, f.judgeParts)
}

// judgeParts judges additions that blank lines may part.
func (f *file) judgeParts(old, new []string) Objection {
	o := f.judgeAdditions(old, new)
	if strings.Contains(o.Why, notWhole) && f.addsBesideBlankLines(old, new) || f.insertsWhole(old, new, o) {
		return Objection{}
	}
	return o
}

// sortLines sorts the edits of a file of which nothing is known.
func sortLines(old, new []string) (s sorted) {
	for _, e := range diff.Edits(old, new) {
		if e.From == e.To {
			s.Adds = append(s.Adds, e)
		} else {
			s.Changes = append(s.Changes, e)
		}
	}
	return s
}

// SplitBy parts the change of a file of which only a part concerns tests: a hunk
// is good if nothing speaks against the file with it.
func SplitBy(before, after string, judge func(text string) Objection) Parts {
	s := sorted{Adds: diff.Edits(diff.Split(before), diff.Split(after))}
	return assemble(before, s, after,
		func(_, text []string) Objection { return judge(strings.Join(text, "")) })
}

// maxLooks bounds how often a file is read to find its bad hunks: some among hundreds. A file larger
// than lookedAt bytes is read less often.
const (
	maxLooks = 50
	lookedAt = 200_000
)

// looksFor is how often a file of some size is read.
func looksFor(size int) int { return max(8, maxLooks*lookedAt/max(size, lookedAt)) }

// assembly puts together what may be applied of a change.
type assembly struct {
	sorted
	old, base   []string // the lines that stood, and those with the neutral edits
	judge       func(base, text []string) Objection
	looks, most int // how often take has judged, and may
	good, asked []diff.Edit
	out         Parts
}

func assemble(before string, s sorted, after string, judge func(base, text []string) Objection) Parts {
	a := &assembly{sorted: s, old: diff.Split(before), judge: judge, most: looksFor(len(before))}
	a.base = a.with(nil)
	for _, e := range s.Changes {
		a.setAside(e, changedLine(a.old, e))
	}
	a.take(s.Adds)
	a.good = slices.DeleteFunc(a.good, func(e diff.Edit) bool {
		ends := endsText(e, a.asked)
		if ends {
			a.setAside(e, "")
		}
		return ends
	})
	out := a.out
	sort.SliceStable(out.Aside, func(i, j int) bool { return out.Aside[i].Line < out.Aside[j].Line })
	if out.Whole() {
		return Parts{Text: after, Asked: after}
	}
	if out.Text = before; len(a.good)+len(s.neutral) > 0 {
		out.Text = asEnded(strings.Join(a.with(a.good), ""), after)
	}
	out.Asked = asEnded(strings.Join(a.with(slices.Concat(a.good, a.asked)), ""), after)
	if len(out.Refused) == 0 {
		out.Asked = after
	}
	return out
}

// with is the file with the neutral and some other edits.
func (a *assembly) with(edits []diff.Edit) []string {
	return diff.Apply(a.old, diff.InOrder(slices.Concat(a.neutral, edits)))
}

func (a *assembly) setAside(e diff.Edit, why string) {
	a.out.Aside, a.asked = append(a.out.Aside, e.Event(a.old)), append(a.asked, e)
	if a.out.Why == "" {
		a.out.Why = why
	}
}

// take adds to the good edits those that nothing speaks against. It halves a list
// of which something does: few hunks of many are bad, and each look reads the file.
// After many looks what is left of a bad list is refused as a whole.
func (a *assembly) take(edits []diff.Edit) {
	if len(edits) == 0 {
		return
	}
	o := a.judge(a.base, a.with(slices.Concat(a.good, edits)))
	a.looks++
	switch {
	case o.Why == "":
		a.good = append(a.good, edits...)
	case len(edits) == 1:
		a.leaveOut(edits[0], o)
	case a.looks > a.most:
		a.refuse(o.Why)
	default:
		a.take(edits[:len(edits)/2])
		a.take(edits[len(edits)/2:])
	}
}

// leaveOut sets an edit aside, or refuses it, for what speaks against it alone, or
// else beside the good ones.
func (a *assembly) leaveOut(e diff.Edit, o Objection) {
	if len(a.good) > 0 {
		if alone := a.judge(a.base, a.with([]diff.Edit{e})); alone.Why != "" {
			o = alone
		}
	}
	switch {
	case o.Aside:
		a.setAside(e, o.Why)
	case a.clashesWithChanges(e):
		a.setAside(e, "")
	default:
		a.refuse(o.Why)
	}
}

func (a *assembly) refuse(why string) {
	if !slices.Contains(a.out.Refused, why) {
		a.out.Refused = append(a.out.Refused, why)
	}
}

// clashesWithChanges tells an edit that clashes with nothing but what the same
// proposal changes.
func (a *assembly) clashesWithChanges(e diff.Edit) bool {
	if len(a.Changes) == 0 {
		return false
	}
	return a.judge(a.with(a.Changes), a.with(slices.Concat(a.Changes, []diff.Edit{e}))).Why == ""
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
