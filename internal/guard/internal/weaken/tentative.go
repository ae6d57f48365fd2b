package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Lines that are only added may be misread: no reader knows all ways in which code and
// data are written. What takes no old line away, and looks whole to somebody who knows
// nothing but brackets and indentation, is tentative: the old tests, run as they stood,
// can tell whether it changes what they ask for. What is known to keep tests from
// telling never is.

// tentatively marks an objection to added lines that are tentative. Nothing else may
// speak against them.
func (r *reading) tentatively(o Objection, h diff.Hunk, may func(diff.Hunk) bool) Objection {
	if r.lang.Unread || !may(h) {
		return o
	}
	for _, check := range []func(diff.Hunk) string{r.checkControl, r.checkPatterns, r.checkComments} {
		if check(h) != "" {
			return o
		}
	}
	o.Tentative = r.checkNames(h).Why == ""
	return o
}

// growsText tells lines within a text, which is one before them and behind them, and
// leave all other lines as they were. Quotation marks that are not paired may mean
// something to whoever reads the text.
func (r *reading) growsText(h diff.Hunk) bool {
	text := strings.Join(r.new.Lines[h.From:h.To], "")
	if strings.Count(text, `"`)%2 != 0 || strings.Count(text, "'")%2 != 0 {
		return false
	}
	for i := h.From; i < h.To; i++ {
		if slices.ContainsFunc(r.new.Kinds(i), func(kind byte) bool { return kind != lexer.InString }) {
			return false
		}
	}
	return r.new.EndsInString(h.To-1) && r.keepsKinds()
}

// keepsKinds tells whether each old line is still what it was: code, text or remark.
func (r *reading) keepsKinds() bool {
	i := 0
	for n := range r.new.Lines {
		if r.added[n] {
			continue
		}
		if i >= len(r.old.Lines) || string(r.old.Kinds(i)) != string(r.new.Kinds(n)) {
			return false
		}
		i++
	}
	return i == len(r.old.Lines)
}

var (
	// opensWorded begins or ends a line that a word closes.
	opensWorded = pattern.Lazy(`^\s*(?:(?:private|public|protected|local|async|pub)\s+)?(?:def\w*|class|module|if|unless|case|` +
		`while|until|for|begin|function|do|cond|try|receive|quote|test|describe|context|it|repeat|select)\b|` +
		`\b(?:do|then)\b(?:\s*\|[^|]*\|)?\s*$|\bfunction\s*\w*\([^()]*\)\s*$|\bfn\b[^>]*->\s*$|\)\s*\{\s*$`)
	closesWorded = pattern.Lazy(`\b(?:end|fi|done|esac|until)\b`)
	closesAlone  = pattern.Lazy(`^\s*(?:end|fi|done|esac)\b[)\]},;.]*\s*$`)
)

// wholeByLayout tells lines that are a whole by brackets and indentation alone, read
// without what stands around them.
func (r *reading) wholeByLayout(h diff.Hunk) bool {
	t := source.Read(r.lang, r.new.Lines[h.From:h.To])
	first := -1
	for i, line := range t.Lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if first < 0 {
			first = i
		}
		if width(line) < width(t.Lines[first]) {
			return false
		}
	}
	if first < 0 || t.EndsInString(len(t.Lines)-1) || !closesBrackets(t, marks(t)) || r.lang.Conditions && partsConditions(t) ||
		r.bindsBelow(t) {
		return false
	}
	_, after := r.new.Around(h.To, h.To)
	if after >= 0 && (width(r.new.Lines[after]) > width(t.Lines[first]) || r.joins(r.new.Code[after])) {
		return false
	}
	return !r.joins(t.Code[first]) && (!r.lang.Ends || closesByWords(t))
}

// partsConditions tells lines with directives of the preprocessor that concern others too.
func partsConditions(t *source.Text) bool {
	depth := 0
	for _, code := range t.Code {
		switch word := lexer.Directive(code); {
		case strings.HasPrefix(word, "if"):
			depth++
		case word == "endif":
			depth--
		case strings.HasPrefix(word, "el") && depth <= 0:
			return true
		}
		if depth < 0 {
			return true
		}
	}
	return depth != 0
}

// bindsBelow tells lines of which the last, or one for the whole file, says something of
// what stands below.
func (r *reading) bindsBelow(t *source.Text) bool {
	last := ""
	for _, code := range t.Live {
		if code = strings.TrimSpace(code); code != "" {
			last = code
		}
		if strings.HasPrefix(code, "@file:") || strings.HasPrefix(code, "#![") || strings.HasPrefix(code, "[assembly:") {
			return true
		}
	}
	return isAnnotation(last) || strings.HasPrefix(last, "@") || strings.HasPrefix(last, "#[")
}

// closesByWords tells lines in which each word that ends a block stands alone, as far from
// the margin as a line above it that begins one.
func closesByWords(t *source.Text) bool {
	var open []int
	for i, code := range t.Code {
		switch {
		case strings.TrimSpace(code) == "":
		case closesAlone().MatchString(code):
			if len(open) == 0 || open[len(open)-1] != width(t.Lines[i]) {
				return false
			}
			open = open[:len(open)-1]
		case closesWorded().MatchString(code):
			return false
		case opensWorded().MatchString(code):
			open = append(open, width(t.Lines[i]))
		}
	}
	return len(open) == 0
}

// standsApart tells lines that are a whole by layout and that blank lines part from code
// above and below, or the edge of what they stand in.
func (r *reading) standsApart(h diff.Hunk) bool {
	blank := func(i int) bool {
		return i < 0 || i >= len(r.new.Lines) || strings.TrimSpace(r.new.Lines[i]) == ""
	}
	b := r.new.Outline.At[h.From]
	if b != nil && (b.Mark == "(" || b.Mark == "[") {
		return false
	}
	above := blank(h.From) || blank(h.From-1)
	below := blank(h.To-1) || blank(h.To) || source.Closing().MatchString(r.new.Code[h.To])
	return above && below && r.wholeByLayout(h)
}
