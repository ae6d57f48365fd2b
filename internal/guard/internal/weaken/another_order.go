package weaken

import (
	"slices"
	"sort"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// sortedAlike tells a change that puts whole cases and helpers into another order, and adds to
// them: sorted, the old file only grows. Lines alone do not tell that, where two cases have most of
// theirs in common.
func (f *file) sortedAlike(old, new []string) bool {
	if !holdsAll(new, old) {
		return false
	}
	s := sorter{file: f, old: f.keep(old), new: f.keep(new)}
	was, sortedAny := s.inOrder(s.old)
	now, sortedNow := s.inOrder(s.new)
	if !sortedAny || !sortedNow {
		return false
	}
	return f.judgeAdditions(was, now).Why == ""
}

// holdsAll tells whether all lines of a text are among others, as often.
func holdsAll(all, some []string) bool {
	left := map[string]int{}
	for _, line := range all {
		left[line]++
	}
	for _, line := range some {
		if left[line]--; left[line] < 0 && strings.TrimSpace(line) != "" {
			return false
		}
	}
	return true
}

// inOrder is a file with its declarations sorted, and whether there were any to sort.
func (s *sorter) inOrder(t *source.Text) ([]string, bool) {
	parts := 0
	return s.sortedPart(t, 0, len(t.Lines), nil, &parts), parts > 1
}

// segment is what stands between blank lines of a block.
type segment struct {
	text    []string
	movable bool
}

// sortedPart gives the lines of a block with its declarations sorted between what is none.
func (s *sorter) sortedPart(t *source.Text, from, to int, b *source.Block, parts *int) (out []string) {
	var run []segment
	flush := func() {
		sort.SliceStable(run, func(i, j int) bool { return slices.Compare(run[i].text, run[j].text) < 0 })
		for _, seg := range run {
			out = append(append(out, seg.text...), "\n")
		}
		run = nil
	}
	for at := from; at < to; {
		end := at + 1
		for end < to && !s.beginsSegment(t, end, b) {
			end++
		}
		first, last := s.trim(t, at, end)
		at = end
		if first >= last {
			continue
		}
		seg := segment{text: s.sortedGroup(t, first, last, b, parts), movable: s.movable(t, first, last)}
		if *parts++; !seg.movable {
			flush()
			out = append(append(out, seg.text...), "\n")
			continue
		}
		run = append(run, seg)
	}
	flush()
	return out
}

// beginsSegment tells the first line behind a blank one, of those that a block itself has.
func (s *sorter) beginsSegment(t *source.Text, i int, b *source.Block) bool {
	at := t.Start[i]
	if strings.TrimSpace(t.Lines[i-1]) != "" || strings.TrimSpace(t.Lines[i]) == "" ||
		at > 0 && t.Source.Kind[at-1] == lexer.InString || source.Closing().MatchString(t.Code[i]) {
		return false
	}
	for k := i; k < len(t.Lines); k++ { // the indentation of a remark says nothing
		if !s.lang.Indent || !t.Blank(k) {
			return t.Outline.At[k] == b
		}
	}
	return b == nil
}

// sortedGroup gives the lines of a segment; where it is a group of cases, or a class, with those sorted.
func (s *sorter) sortedGroup(t *source.Text, from, to int, b *source.Block, parts *int) []string {
	whole := slices.Clone(t.Lines[from:to])
	for i := from; i < to; i++ {
		group := t.Outline.At[i+1]
		if group == nil || group.Line != i || group.Mark == "(" || group.Mark == "[" || !s.declaresAt(group) {
			continue
		}
		if end := s.endOf(t, group, i+1, to); end > i+1 {
			return slices.Concat(t.Lines[from:i+1], s.sortedPart(t, i+1, end, group, parts), t.Lines[end:to])
		}
	}
	return whole
}

// endOf is the line behind the last of a block.
func (s *sorter) endOf(t *source.Text, b *source.Block, from, to int) int {
	end := from
	for i := from; i < to; i++ {
		if !t.Blank(i) && source.Within(t.Outline.At[i], b) && (s.lang.Indent || source.Within(t.Outline.At[i+1], b)) {
			end = i + 1
		}
	}
	return end
}
