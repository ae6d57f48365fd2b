package weaken

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var leaving = pattern.Lazy(`(^|[^\w.$@:'])(return|goto|yield|co_return|exit|next|redo|retry|` +
	`throw :\w+)\b(?:[^\w:=(.]|$|\()`)

var throwing = pattern.Lazy(`^\s*(raise|throw)\b`)

var skipping = pattern.Lazy(`(^|[^\w.$@:'])(break|continue|fallthrough)\b`)

// checkControl refuses a jump out of old code, or past it.
func (r *reading) checkControl(h diff.Hunk) string {
	if path.Ext(r.path) == ".feature" {
		return "" // prose
	}
	for i := h.From; i < h.To; i++ {
		inFunction, inLoop, inCondition, _ := r.inside(h, i)
		if inFunction || r.macroOf(i) >= h.From {
			continue
		}
		line := r.new.Code[i]
		if jumps := func(said string) bool {
			return leaving().MatchString(said) || throwing().MatchString(said) || skipping().MatchString(said)
		}; slices.ContainsFunc(r.expansion(i), jumps) {
			return fmt.Sprintf("The added line %q leaves an old test early.", diff.Shorten(r.new.Lines[i]))
		}
		if !inCondition && throwing().MatchString(line) && r.inAnyFunction(i) {
			return fmt.Sprintf("The added line %q leaves an old test early.",
				diff.Shorten(r.new.Lines[i]))
		}
		for k, re := range []*pattern.Pattern{leaving(), skipping()} {
			for _, m := range re.FindAllStringSubmatchIndex(line, -1) {
				if r.leavesOld(h, i, k == 1, m, inLoop, inCondition) {
					return fmt.Sprintf("The added line %q leaves an old test early.",
						diff.Shorten(r.new.Lines[i]))
				}
			}
		}
	}
	return ""
}

// leavesOld tells a jump in line i that leaves old code, or, where it skips, only a part of that.
func (r *reading) leavesOld(h diff.Hunk, i int, skips bool, m []int, inLoop, inCondition bool) bool {
	line := r.new.Code[i]
	word := line[m[4]:m[5]]
	switch {
	case skips && (inLoop || inCondition && r.inSwitch(h, i) || r.inNewCase(h, i)):
		return false
	case !skips && (r.endsMain(i) || r.failsThere(line[m[4]:], i) || r.inArmOfNewValue(h, i)):
		return false
	}
	return !r.inFunctionOfLine(line[:m[4]], i) && !r.isWordOnly(word, line, m) &&
		!((inCondition || r.inBracelessIf(h, i)) && r.failsAsOthers(i))
}

var (
	swiftArm     = pattern.Lazy(`^\s*case\s+(?:let\s+)?\.(\w+)(?:\([^()]*\))?\s*:\s*$`)
	swiftDefault = pattern.Lazy(`^\s*(?:default\b|case\s+_|@unknown\b|case\s+(?:let\s+)?\w+\s*:|case\s.*\bwhere\b)`)
)

// inArmOfNewValue tells, in Swift, a jump in an arm that was added to an old switch for a value that no
// old line names, where the old arms are for each of the others: none comes by it that came before.
func (r *reading) inArmOfNewValue(h diff.Hunk, i int) bool {
	t := r.new
	b := t.Outline.At[i]
	if r.lang.Name != "swift" || b == nil || !strings.HasPrefix(b.Header, "switch ") || b.Line >= h.From {
		return false
	}
	arm := i - 1
	for arm >= h.From && !swiftArm().MatchString(strings.TrimRight(t.Code[arm], "\r\n")) {
		arm--
	}
	if arm < h.From || r.namedBefore(swiftArm().FindStringSubmatch(strings.TrimRight(t.Code[arm], "\r\n"))[1]) {
		return false
	}
	for k := b.Line + 1; k < len(t.Code) && (t.Blank(k) || source.Within(t.Outline.At[k], b)); k++ {
		if swiftDefault().MatchString(t.Code[k]) {
			return false
		}
	}
	return true
}

var controlHead = pattern.Lazy(`^\s*(?:\}\s*)?(if|else|elif|elsif|unless|for|foreach|while|until|switch|` +
	`try|catch|finally|do|with|using|lock|synchronized|loop|guard|defer)\b`)

// inFunctionOfLine tells whether what stands behind the beginning of a line is in a
// function that begins there, by the head of the innermost brace that is still open, or
// else by the last statement.
func (r *reading) inFunctionOfLine(begin string, line int) bool {
	if r.lang.Name == "c" {
		begin = writes().ReplaceAllString(begin, "operator(")
		if b := r.new.Outline.At[line]; b != nil && r.added[b.Line] && declaresType().MatchString(b.Header) {
			begin = operates().ReplaceAllString(begin, "operator(") // else it could compare the product's
		}
	}
	depth := 0
	for i := len(begin) - 1; i >= 0; i-- {
		switch begin[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth >= 0 {
				continue
			}
			depth = 0
			head := begin[strings.LastIndexAny(begin[:i], ";{}")+1:]
			if source.IsAccessor(r.lang, strings.TrimSpace(begin[strings.LastIndexAny(begin[:i], ";{}")+1:i])) ||
				source.Opening().MatchString(begin[i:]) || !controlHead().MatchString(head) &&
				source.Opening().MatchString(head) && r.definesFunction(head, line) ||
				r.lang.Name == "c" && lambdaOfC().MatchString(head) {
				return true
			}
			begin = begin[:i] // a function may be around a condition
		}
	}
	if !r.lang.Ends {
		begin = begin[strings.LastIndexByte(begin, ';')+1:]
	}
	return source.Opening().MatchString(begin) && !controlHead().MatchString(begin)
}

// lambdaOfC is the head of one that is handed over, set or returned.
var lambdaOfC = pattern.Lazy(`(?:[(,=]|\breturn)\s*\[[^\[\]]*\]\s*(?:\([^()]*\))?[^(){};]*\{`)

// definesFunction tells the head of a function from that of a block behind a macro, which
// in C is any statement.
func (r *reading) definesFunction(head string, line int) bool {
	return r.lang.Name != "c" || !r.inAnyFunction(line) || source.Method().MatchString(head) ||
		functionWord["c"]().MatchString(head)
}

// writes is the head of what writes a value to a stream, operates that of any operator.
var (
	writes   = pattern.Lazy(`\boperator\s*<<\s*\(`)
	operates = pattern.Lazy(`\boperator\s*(?:[-+*/%&|^<>=!~]{1,3}|\(\)|\[\])\s*\(`)
)

var (
	cFailure = pattern.Lazy(`^\s*return\s+(\(\w+\)\s*)?(-?[1-9]\d*|([A-Z][A-Z0-9]*_)[A-Z0-9_]+)\s*;\s*$`)
	number   = pattern.Lazy(`\d+`)
	success  = pattern.Lazy(`(OK|SUCCESS\w*|PASS\w*|NONE|SKIP\w*|TRUE|DONE)\s*;`)
	constant = pattern.Lazy(`\b([A-Z][A-Z0-9]*_)[A-Z0-9_]+`)
)

// swiftFailure leaves a case of Swift, and fails it.
var swiftFailure = pattern.Lazy(`^return\s+(?:XCTFail|Issue\.record)\s*\(`)

// failsThere tells a jump that fails the case, unless a failure is what is expected there.
func (r *reading) failsThere(jump string, i int) bool {
	if r.lang.Name != "swift" || !swiftFailure().MatchString(jump) {
		return false
	}
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if strings.Contains(b.Header, "xpect") || strings.Contains(b.Header, "KnownIssue") {
			return false
		}
	}
	return true
}

// inBracelessIf tells the statement below an added condition without braces.
func (r *reading) inBracelessIf(h diff.Hunk, i int) bool {
	before, _ := r.new.Around(i, i)
	return before >= h.From && strings.HasSuffix(strings.TrimSpace(r.new.Code[before]), ")")
}

// failsAsOthers tells, in C, a return of a failure that old lines of the same
// function return too, but for the number or the end of its name.
func (r *reading) failsAsOthers(i int) bool {
	t := r.new
	fails := func(i int) bool {
		line := strings.TrimRight(t.Code[i], "\r\n")
		return cFailure().MatchString(line) && !success().MatchString(line)
	}
	if r.lang.Name != "c" || !fails(i) {
		return false
	}
	inside := t.Outline.At[i]
	for inside != nil && inside.Sort() != source.Function {
		inside = inside.Parent
	}
	if inside == nil {
		return false
	}
	form := func(line string) string {
		line = constant().ReplaceAllString(strings.Join(strings.Fields(line), " "), "$1")
		return number().ReplaceAllString(line, "1")
	}
	for k := inside.Line + 1; k < len(t.Code) &&
		(t.Blank(k) || source.Within(t.Outline.At[k], inside)); k++ {
		if !r.added[k] && fails(k) && form(t.Code[k]) == form(t.Code[i]) {
			return true
		}
	}
	return false
}

var failing = pattern.Lazy(`^(exit|return)\s+([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\b`)

var tclControl = pattern.Lazy(`^\s*(\}\s*)?(if|else|elseif|while|for|foreach|switch|catch|try|on|` +
	`eval|uplevel)\b`)

// isWordOnly tells words that jump in some languages and are names in others.
func (r *reading) isWordOnly(word, line string, m []int) bool {
	if r.lang.Name == "shell" && failing().MatchString(line[m[4]:]) {
		return true // it fails, and lets nothing pass
	}
	if r.lang.Name == "tcl" && strings.TrimSpace(line[:m[4]]) != "" && !tclControl().MatchString(line) {
		return true // in a word that a command is given
	}
	switch word {
	case "return", "goto":
		return r.lang.Name == "elixir" // which has none: a function or a macro of that name
	case "next", "redo", "retry":
		return r.lang.Name != "ruby" || strings.TrimSpace(line[:m[4]]) != "" &&
			!strings.HasPrefix(strings.TrimSpace(line[m[5]:]), "if")
	case "exit":
		if begin := strings.TrimSpace(line[:m[4]]); r.lang.Name == "perl" {
			return begin != "" && !hasSuffix(begin, ";", " {", "){", "&&", "||", " and", " or") ||
				strings.HasPrefix(strings.TrimSpace(line[m[5]:]), "=>")
		}
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
