package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// cause is a set of failures with the same message at the same place.
type cause struct {
	first *core.Failure
	tests []string
	more  []*core.Failure // further failures, whose messages may differ in values
	rank  int
}

// causes groups failures with the same place and, ignoring digits and quoted values, the
// same message.
func causes(all []core.Failure) []*cause {
	byKey, named := map[string]*cause{}, map[string]bool{}
	var out []*cause
	for _, x := range inOrder(all) {
		key := x.Kind + "\x00" + x.File + "\x00" + strconv.Itoa(x.Line) + "\x00" + messageShape(x.Message)
		if x.Test == "" {
			key += "\x00" + strconv.Itoa(x.Column) + "\x00" + x.Message
		}
		c := byKey[key]
		if c == nil {
			c = &cause{first: x, rank: tellingRank(x)}
			byKey[key] = c
			out = append(out, c)
		} else {
			c.more = append(c.more, x)
		}
		if id := key + "\x00" + x.Test; x.Test != "" && !named[id] {
			named[id] = true
			c.tests = append(c.tests, x.Test)
		}
	}
	slices.SortStableFunc(out, func(a, b *cause) int { return a.rank - b.rank })
	return out
}

// inOrder sorts tests independently of the order in which they ran. Diagnostics keep their
// order, since a compiler's first error is the one to start with.
func inOrder(all []core.Failure) []*core.Failure {
	out := make([]*core.Failure, len(all))
	for i := range all {
		out[i] = &all[i]
	}
	slices.SortStableFunc(out, func(a, b *core.Failure) int {
		if a.Test == "" || b.Test == "" {
			if a.Test == b.Test {
				return 0
			}
			return text.Natural(b.Test, a.Test)
		}
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, text.Natural(a.Test, b.Test))
	})
	return out
}

// tellingRank sorts causes before consequences: compile and load errors, crashes, then
// tests, then linter findings.
func tellingRank(x *core.Failure) int {
	if x.Old { // the last good run had it, too
		return 6
	}
	switch x.Kind {
	case core.KindCompile, core.KindLoad, core.KindVet:
		return 0
	case core.KindCrash:
		return 1
	case core.KindType:
		return 2
	case core.KindTest, core.KindTimeout, "":
		return 3
	case core.KindError:
		return 4
	}
	return 5
}

// reValue is a value in a message.
var reValue = text.Lazy("\"[^\"]*\"|`[^`]*`|(?:^|[ (=])'[^']*'|\\d+")

// messageShape is the first line of a message without its values.
func messageShape(s string) string {
	s = text.FirstLine(s)
	return reValue().ReplaceAllString(s[:min(len(s), 300)], `"`)
}

// renderFailures writes the causes with as much detail as the budget allows: first the same
// for each, then the rest to the first ones. A step ends as soon as it is too large, so
// that the time does not grow with the failures.
func renderFailures(w *page, all []core.Failure, root *tree.Tree) {
	cs := causes(all)
	room := w.budget - w.size
	blocks := make([][]string, len(cs))
	fill := func(st step) (size int) {
		for i := range cs {
			blocks[i] = cs[i].block(i, st, root)
			if size += blockSize(blocks[i]); size > room {
				clear(blocks[i+1:])
				return size
			}
		}
		return size
	}
	for cut, st := range detailSteps {
		size := fill(st)
		if size > room {
			continue
		}
		for i := 0; i < len(cs) && cut > 0; i++ {
			bigger := cs[i].block(i, detailSteps[0], root)
			if grow := blockSize(bigger) - blockSize(blocks[i]); size+grow <= room {
				blocks[i], size = bigger, size+grow
			}
		}
		break
	}
	for i, b := range blocks {
		if b == nil || w.size+blockSize(b) > w.budget-roomForRest(len(cs)-i) {
			w.rest(cs[i:])
			return
		}
		for _, s := range b {
			w.line(s)
		}
	}
}

func roomForRest(n int) int {
	if n <= 1 {
		return 0
	}
	return min(1500, 40+n*60)
}

// detailSteps are the numbers of lines of detail per cause, tried in order.
var detailSteps = []step{{60, 12, 40}, {36, 8, 40}, {24, 6, 40}, {16, 5, 30}, {11, 4, 20}, {8, 3, 12},
	{5, 2, 8}, {3, 1, 5}, {1, 1, 3}, {0, 0, 2}}

// step bounds one block: lines of detail, frames, names of tests.
type step struct{ detail, frames, tests int }

func blockSize(b []string) int {
	n := 0
	for _, s := range b {
		n += min(len(s), maxLine+8) + 1
	}
	return n
}

// rest names the failures for which there was no room.
func (p *page) rest(cs []*cause) {
	p.line("")
	names := 0
	left := 0
	for _, c := range cs {
		left += max(1, 1+len(c.more))
	}
	p.line(fmt.Sprintf("%d more, in short:", left))
	for i, c := range cs {
		s := "- " + title(c)
		if m := text.FirstLine(c.first.Message); m != "" {
			s += ": " + m
		}
		s = text.Short(s, 160)
		if p.size+len(s)+1 > p.budget-40 {
			p.line(fmt.Sprintf("- and %d more", left-names))
			return
		}
		p.line(s)
		names += 1 + len(cs[i].more)
	}
}

func title(c *cause) string {
	x := c.first
	at := text.Place(x.File, x.Line, x.Column)
	switch {
	case len(c.tests) == 0 && at == "":
		return x.Runner
	case len(c.tests) == 0:
		return at
	case len(c.tests) == 1:
		return c.tests[0]
	}
	return fmt.Sprintf("%s (and %d more)", c.tests[0], len(c.tests)-1)
}

// block renders one cause.
func (c *cause) block(n int, st step, root *tree.Tree) []string {
	x := c.first
	var out []string
	at := text.Place(x.File, x.Line, x.Column)
	if len(c.tests) == 0 {
		// A diagnostic: one line, then its notes.
		head := at
		if head != "" {
			head += ": "
		}
		out = append(out, head+text.FirstLine(x.Message))
	} else {
		out = append(out, "")
		head := strconv.Itoa(n+1) + ") " + c.tests[0]
		if k := len(c.tests); k > 1 {
			head = fmt.Sprintf("%d) %d tests, one cause: %s", n+1, k, c.tests[0])
		}
		out = append(out, head)
		for i, t := range c.tests[1:] {
			if i >= st.tests {
				out = append(out, fmt.Sprintf("   and %d more", len(c.tests)-1-i))
				break
			}
			out = append(out, "   "+t)
		}
		if at != "" {
			out = append(out, "   at "+at)
		}
		if m := text.FirstLine(x.Message); m != "" {
			out = append(out, "   "+m)
		}
	}
	detail := c.detail()
	out = append(out, text.Indent(squeeze(detail, st.detail), "   ")...)
	out = append(out, c.values(st)...)
	out = append(out, c.frames(st, root, strings.Join(detail, "\n"))...)
	return out
}
