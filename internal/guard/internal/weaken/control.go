package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var leaving = pattern.Lazy(`(^|[^\w.$@:'])(return|goto|yield|co_return|exit|next|redo|retry|` +
	`throw :\w+)\b(?:[^\w:=(.]|$|\()`)

var throwing = pattern.Lazy(`^\s*(raise|throw)\b`)

var skipping = pattern.Lazy(`(^|[^\w.$@:'])(break|continue|fallthrough)\b`)

// checkControl refuses a jump out of old code, or past it.
func (r *reading) checkControl(h diff.Hunk) string {
	for i := h.From; i < h.To; i++ {
		inFunction, inLoop, inCondition, _ := r.inside(h, i)
		if inFunction {
			continue
		}
		line := r.new.Code[i]
		if !inCondition && throwing().MatchString(line) && r.inAnyFunction(i) {
			return fmt.Sprintf("The added line %q leaves an old test early.",
				diff.Shorten(r.new.Lines[i]))
		}
		for k, re := range []*pattern.Pattern{leaving(), skipping()} {
			m := re.FindStringSubmatchIndex(line)
			if m == nil || k == 1 && (inLoop || inCondition && r.inSwitch(h, i)) {
				continue
			}
			word := line[m[4]:m[5]]
			if source.Opening().MatchString(line[:m[4]]) && !strings.HasPrefix(strings.TrimSpace(line),
				"if") || r.isWordOnly(word, line, m) {
				continue
			}
			return fmt.Sprintf("The added line %q leaves an old test early.",
				diff.Shorten(r.new.Lines[i]))
		}
	}
	return ""
}

var failing = pattern.Lazy(`^(exit|return)\s+([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\b`)

// isWordOnly tells words that jump in some languages and are names in others.
func (r *reading) isWordOnly(word, line string, m []int) bool {
	if r.lang.Name == "shell" && failing().MatchString(line[m[4]:]) {
		return true // it fails, and lets nothing pass
	}
	switch word {
	case "next", "redo", "retry":
		return r.lang.Name != "ruby" || strings.TrimSpace(line[:m[4]]) != "" &&
			!strings.HasPrefix(strings.TrimSpace(line[m[5]:]), "if")
	case "exit":
		return r.lang.Name != "ruby" && r.lang.Name != "shell" || strings.TrimSpace(line[:m[4]]) != ""
	case "yield":
		return r.lang.Name != "python" && r.lang.Name != "js"
	}
	return false
}

func (r *reading) inSwitch(h diff.Hunk, i int) bool {
	for b := r.new.Outline.At[i]; b != nil && b.Line >= h.From; b = b.Parent {
		if strings.HasPrefix(b.Header, "switch") || strings.HasPrefix(b.Header, "select") ||
			strings.HasPrefix(b.Header, "case") {
			return true
		}
	}
	return false
}
