package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// checkPlace refuses additions inside an old string.
func (r *reading) checkPlace(h diff.Hunk) string {
	if r.inEachTable(h.From) || r.lang.Name == "python" && r.new.InDocstring(h.From) {
		return ""
	}
	at := r.new.Start[h.From]
	kind := r.new.Source.Kind
	if at > 0 && at < len(kind) && kind[at-1] == lexer.InString ||
		at < len(kind) && kind[at] == lexer.InString {
		return fmt.Sprintf("The line %q is added inside an old string of the test.",
			diff.Shorten(diff.FirstWords(r.new.Lines[h.From:h.To])))
	}
	return ""
}

const notWhole = "do not form a whole of their own"

// checkNesting wants added lines to close what they open, and nothing else.
func (r *reading) checkNesting(h diff.Hunk) string {
	o := r.new.Outline
	bad := fmt.Sprintf("The lines from %q "+notWhole+": they open or close a block of old lines.",
		diff.Shorten(diff.FirstWords(r.new.Lines[h.From:h.To])))
	if o.Cond[h.From] != o.Cond[h.To] {
		return bad
	}
	if row, _ := r.nextRow(h); row != nil {
		return ""
	}
	if r.closesOld(h) || r.partsClause(h) {
		return bad
	}
	if r.lang.Indent {
		next := h.To // the indentation of a blank line says nothing
		for next < len(r.new.Lines) && (r.new.Blank(next) || r.added[next]) {
			next++
		}
		for b := o.At[next]; b != nil; b = b.Parent {
			if b.Line >= h.From && b.Line < h.To {
				return bad
			}
		}
		return ""
	}
	for i := h.From; i <= h.To; i++ {
		if !source.Within(o.At[i], o.At[h.From]) || !source.Within(o.Cond[i], o.Cond[h.From]) {
			return bad
		}
	}
	if o.At[h.From] != o.At[h.To] {
		return bad
	}
	return ""
}

// closesOld tells lines that close what they do not open, as those of a change of
// which the other half was set aside.
func (r *reading) closesOld(h diff.Hunk) bool {
	depth, conditions := map[string]int{}, 0
	for i := h.From; i < h.To; i++ {
		code := r.new.Code[i]
		switch word := lexer.Directive(code); {
		case !r.lang.Conditions:
		case strings.HasPrefix(word, "if"):
			conditions++
		case word == "endif":
			conditions--
		}
		for _, c := range []byte(code) {
			switch c {
			case '(', '[', '{':
				depth[string(c)]++
			case ')', ']', '}':
				if open := source.Closers[c]; r.lang.Name != "shell" || open == "{" {
					depth[open]--
				}
			}
		}
		for _, step := range source.WordMarks(r.lang, code) {
			depth["do"] += step
		}
		if depth["("] < 0 || depth["["] < 0 || depth["{"] < 0 || depth["do"] < 0 || conditions < 0 {
			return true
		}
	}
	return false
}

// partsClause tells lines with the head of another case, or of another part of a
// condition, above old ones that would come into it.
func (r *reading) partsClause(h diff.Hunk) bool {
	at := r.new.Outline.At
	begins := false
	for i := h.From; i < h.To; i++ {
		begins = begins || at[i] == at[h.From] && r.beginsClause(i)
	}
	_, after := r.new.Around(h.To, h.To)
	return begins && !runsInto[r.lang.Name] && after >= 0 && at[after] == at[h.From] && !r.beginsClause(after) &&
		!ends().MatchString(r.new.Code[after])
}

var ends = pattern.Lazy(`^\s*(\}|end\b|fi\b|esac\b|done\b)`)

// beginsClause tells the head of one part of the block that a line stands in.
func (r *reading) beginsClause(i int) bool {
	b, code := r.new.Outline.At[i], r.new.Code[i]
	return b != nil && b.Sort() == source.Condition && !r.lang.Indent &&
		(label().MatchString(code) || r.lang.Ends && clause().MatchString(code))
}
