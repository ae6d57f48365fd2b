package weaken

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var unfinished = pattern.Lazy(`(\\|&&|\|\||[^+]\+|[^-]-|[*/%^&|=<?.!~@]|[^:]:|=>|->|<<|\b(and|or|not|` +
	`in|is|if|else|elif|return|typeof|void|await|new|throw|case|lambda|then|unless|and then|assert|` +
	`import|from))\s*$`)

var joining = pattern.Lazy(`^\s*(\.[^.\d]|\?\.|&&|\|\||\?|[+*/^=<>]|%[\s=]|->|=>|\|>|<>|\+\+ |::|else\b|` +
	`elif\b|elsif\b|catch\b|except\b|finally\b|rescue\b|ensure\b|when\b|and\b|or\b|then\b|until\b|` +
	`where\b)`)

// joiningWord is an operator that is a word, which in some languages is a name.
var joiningWord = pattern.Lazy(`^\s*(instanceof|as|in|is)(\s*$|\s*[^\w\s(]|\s+[^\s])`)

// clauseCalled is a call of what bears the name of a clause that the language has not.
var (
	clauseCalled  = pattern.Lazy(`^\s*(ensure|rescue|when|then|until)\s*!?\(`)
	callsByClause = map[string]bool{"rust": true, "js": true, "kotlin": true, "swift": true, "dart": true, "c": true,
		"php": true}
)

// afterClause is a part of a statement; in Ruby the word is a hook.
var afterClause = pattern.Lazy(`^\s*after\b`)

var wordOperators = map[string]bool{"js": true, "java": true, "kotlin": true, "csharp": true,
	"swift": true, "php": true,
	"rust": true, "dart": true, "python": true, "elixir": true, "ruby": true, "zig": true}

// joins tells a line of code that goes on with the one before it.
func (r *reading) joins(code string) bool {
	if r.lang.Name == "go" {
		return false // the end of a line ends its statement, whatever the next begins with
	}
	if r.lang.Name == "elixir" && afterClause().MatchString(code) {
		return true
	}
	if callsByClause[r.lang.Name] && clauseCalled().MatchString(code) {
		return false
	}
	return joining().MatchString(code) || wordOperators[r.lang.Name] && joiningWord().MatchString(code)
}

var annotation = pattern.Lazy(`^\s*(@[\w.:]+\s*(\(.*\)?)?\s*$|#\[.*|@(tag|doc|describetag|moduletag|` +
	`spec)\b.*|\[\w[\w.]*(\(.*\)?)?(,.*)?\]\s*$|template\s*<.*>\s*$|\[\[.*\]\]\s*$)`)

// forCompiler are annotations that change nothing of what runs.
var forCompiler = pattern.Lazy(`^\s*@(?:file:)?(SuppressWarnings|Suppress|SafeVarargs|Override|Deprecated|OptIn)\b|` +
	`^\s*\[(?:Obsolete|SuppressMessage|UsedImplicitly|PublicAPI)(?:\([^()]*\))?\]\s*$|` +
	`^\s*@available\(\*,\s*deprecated\b[^()]*\)\s*$|` +
	`^\s*#\[\s*(allow|expect|warn|deny|inline|doc|must_use|rustfmt::skip)\b[^\]]*\]\s*$|` +
	`^\s*#!\[\s*(allow|expect|warn|deny)\([\w\s:,]*\)\s*\]\s*$`)

var braceless = pattern.Lazy(`^\s*(\}\s*)?(if|for|while|else if|foreach|switch|using|lock|` +
	`with)\b.*\)\s*$|^\s*(\}\s*)?(else|do)\s*$`)

// opensBlock tells a line that begins with the brace of a block, where braces make
// blocks and not only values.
func (r *reading) opensBlock(code string) bool {
	return strings.HasPrefix(strings.TrimSpace(code), "{") && !r.lang.Indent &&
		(!r.lang.Ends || r.lang.Name == "shell")
}

// checkSeams looks at where added lines meet old ones: neither may continue the
// other, or the old statement is no longer what it was.
func (r *reading) checkSeams(h diff.Hunk) string {
	t := r.new
	before, first := t.Around(h.From, h.From)
	last, after := t.Around(h.To, h.To)
	if first < 0 || first >= h.To {
		return "" // blank lines and comments
	}
	joined := func(i int) string {
		return fmt.Sprintf("The added line %q becomes part of an old statement.",
			diff.Shorten(t.Lines[i]))
	}
	if row, _ := r.nextRow(h); row != nil || r.addsRows(h, before, after) ||
		forCompilerAlone(t, h.From, h.To) || r.addsToRun(h, before, after) || r.addsWhen(h, first, after) {
		return ""
	}
	list := false
	if b := t.Outline.At[h.From]; b != nil && (b.Mark == "(" || b.Mark == "[") && !isGoGroup(b) {
		list = true
	}
	if before >= 0 && (r.open(before, list) && !r.returnsNothing(before) && !r.beginsFunction(before, h) || r.joins(t.Code[first]) && !r.lang.Indent &&
		!list && !r.namesFromRoot(before, first)) {
		return joined(first)
	}
	if r.lang.Indent && r.joins(t.Code[first]) &&
		regexpClause().MatchString(t.Code[first]) {
		return joined(first)
	}
	if after < 0 {
		return ""
	}
	ownReturn, _, _, _ := r.inside(h, last)
	if r.open(last, list && !source.Closing().MatchString(t.Code[after])) && !(ownReturn && r.returnsNothing(last)) {
		return joined(last)
	}
	if r.joins(t.Code[after]) && !r.isClause(t.Code[after]) && !r.standsAlone(before, last, after) &&
		!(list && source.Separated().MatchString(t.Code[last])) {
		return joined(last)
	}
	statement := t.Code[r.aboveDirectives(h, last)]
	if r.opensBlock(t.Code[after]) && !list && !source.Closing().MatchString(statement) &&
		!source.Separated().MatchString(strings.TrimRight(statement, "\r\n")) {
		return joined(last)
	}
	return ""
}

// namesFromRoot tells a statement that begins with the name of the outermost scope, behind
// one that is ended.
func (r *reading) namesFromRoot(before, first int) bool {
	return strings.HasPrefix(strings.TrimSpace(r.new.Code[first]), "::") &&
		hasSuffix(strings.TrimSpace(r.new.Code[before]), ";", "{", "}")
}

// aboveDirectives is the last line of a hunk that is none of the preprocessor's.
func (r *reading) aboveDirectives(h diff.Hunk, last int) int {
	for i := last; i >= h.From && r.lang.Conditions; i-- {
		if code := strings.TrimSpace(r.new.Code[i]); code != "" && !strings.HasPrefix(code, "#") {
			return i
		}
	}
	return last
}

// isClause tells the next part of a block that a word of its own ends, as that whole
// block: which blocks lines belong to is looked at apart.
func (r *reading) isClause(code string) bool {
	return r.lang.Name == "ruby" && blockClause().MatchString(code)
}

var blockClause = pattern.Lazy(`^\s*(else\s*$|elsif\b|when\b|rescue\b|ensure\s*$)`)

var regexpClause = pattern.Lazy(`^\s*(else|elif|except|finally)\b`)

// open tells whether what line i ends goes on in the next line.
func (r *reading) open(i int, list bool) bool {
	line := strings.TrimRight(r.new.Code[i], " \t\r\n")
	if list {
		return !source.Separated().MatchString(line)
	}
	switch {
	case r.endsAnnotation(i, line):
		return true
	case forCompiler().MatchString(line):
		return false
	case isAnnotation(line) && r.lang.Name != "ruby":
		return true
	case !r.lang.Indent && !r.lang.Ends && r.lang.Name != "go" && braceless().MatchString(line):
		return true
	case r.endsSo(line):
		return false
	}
	return unfinished().MatchString(line)
}

// endsAnnotation tells a decorator, whatever expression it is, and the end of an
// annotation over several lines.
func (r *reading) endsAnnotation(i int, line string) bool {
	if r.lang.Name == "ruby" {
		return false // where what begins so is a variable
	}
	trimmed := strings.TrimSpace(line)
	if r.lang.Name == "python" && strings.HasPrefix(trimmed, "@") {
		return true
	}
	b := r.new.Outline.At[i]
	if !source.Closing().MatchString(line) || b == nil || b.Line >= i {
		return false
	}
	head := strings.TrimRight(r.new.Code[b.Line], " \t\r\n")
	first := strings.TrimSpace(head)
	if b.Mark == "{" && strings.Count(head, "(") == strings.Count(head, ")") {
		return strings.HasPrefix(first, "#[") // the body of what bears the annotation
	}
	return annotation().MatchString(head) && strings.HasPrefix(first, "@") ||
		strings.HasPrefix(first, "#[")
}

func isAnnotation(line string) bool {
	trimmed := strings.TrimSpace(line)
	if !annotation().MatchString(line) || strings.HasPrefix(trimmed, "#![") {
		return false
	}
	if called().MatchString(trimmed) && bearsItself(trimmed) {
		return false
	}
	return !strings.HasPrefix(trimmed, "#[") || strings.HasSuffix(trimmed, "]") ||
		strings.HasSuffix(trimmed, "(")
}

var called = pattern.Lazy(`^@[\w.:]+\s*\(`)

// bearsItself tells a line of which annotations with arguments are only the beginning: what bears
// them stands behind.
func bearsItself(line string) bool {
	for called().MatchString(line) {
		depth, end := 0, -1
		for i := 0; i < len(line) && end < 0; i++ {
			switch line[i] {
			case '(':
				depth++
			case ')':
				if depth--; depth == 0 {
					end = i
				}
			}
		}
		if end < 0 {
			return false // it goes on below
		}
		line = strings.TrimSpace(line[end+1:])
	}
	return line != "" && line[0] != '@'
}

// endings are ends of lines that look like those of an unfinished one, and in some
// languages are none.
var endings = []struct {
	in   func(*lexer.Language) bool
	ends []string
}{
	{func(*lexer.Language) bool { return true }, []string{"++", "--"}},
	{func(l *lexer.Language) bool { return l.Ends }, []string{"?", "!"}},
	{func(l *lexer.Language) bool { return l.Name == "swift" }, []string{"!", " assert", " from"}},
	{func(l *lexer.Language) bool { return l.Name == "kotlin" }, []string{"?"}},
	{func(l *lexer.Language) bool { return l.Indent }, []string{":", "..."}},
}

// endsSo tells a line that is whole by the ways of its language.
func (r *reading) endsSo(line string) bool {
	for _, e := range endings {
		if e.in(r.lang) && hasSuffix(line, e.ends...) {
			return true
		}
	}
	switch {
	case r.lang.Name == "swift" && (mayBeNull().MatchString(line) || closureHead().MatchString(line)),
		labelEnd().MatchString(line), takesBlock().MatchString(line), wholePackage().MatchString(line):
		return true
	case r.lang.Conditions && strings.HasPrefix(strings.TrimSpace(line), "#"):
		return !strings.HasSuffix(line, `\`)
	case r.lang.Name == "shell":
		return !hasSuffix(line, `\`, "|", "&&")
	}
	return false
}

// returnsAlone are languages in which a return at the end of a line returns nothing.
var returnsAlone = map[string]bool{"python": true, "ruby": true, "go": true, "js": true, "kotlin": true}

// ended tells a line that ends a statement by a sign of its own.
func (r *reading) ended(i int) bool {
	return i >= 0 && !r.lang.Ends && !r.lang.Indent && strings.HasSuffix(strings.TrimSpace(r.new.Code[i]), ";")
}

// standsAlone tells a line that begins a statement, behind both the lines that stood above
// it and those that do now; a word there may be the other part of a condition.
func (r *reading) standsAlone(before, last, after int) bool {
	return r.ended(before) && r.ended(last) && !lexer.IsWord(strings.TrimSpace(r.new.Code[after])[0])
}

// returnsNothing tells a return that ends with its line.
func (r *reading) returnsNothing(i int) bool {
	return returnsAlone[r.lang.Name] && strings.TrimSpace(r.new.Code[i]) == "return"
}

func hasSuffix(line string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(e string) bool { return strings.HasSuffix(line, e) })
}

// mayBeNull is the end of a type of Swift, where a choice has a blank.
var mayBeNull = pattern.Lazy(`[\w\])>]\?$`)

// wholePackage is an import of all that a package has.
var wholePackage = pattern.Lazy(`^\s*import\s+[\w.` + "`" + `]+\.\*$`)

// closureHead is the end of a line that names what a closure of Swift is given.
var closureHead = pattern.Lazy(`\{\s*(\[[^\]{}]*\]\s*)?[^{}]*\bin$`)

// beginsFunction tells the head of a function of Elixir that added lines do not make one
// of several heads.
func (r *reading) beginsFunction(before int, h diff.Hunk) bool {
	return r.lang.Name == "elixir" && functionHead().MatchString(strings.TrimRight(r.new.Code[before], " \t\r\n")) &&
		!slices.ContainsFunc(r.new.Code[h.From:h.To], func(code string) bool { return strings.Contains(code, "->") })
}

// functionHead is the end of a line that names what a function of Elixir is given.
var functionHead = pattern.Lazy(`\bfn\b[^>]*->$`)

// takesBlock is the end of a line that names what a block is given.
var takesBlock = pattern.Lazy(`(\bdo|\{)\s*\|[^|]*\|$`)

var labelEnd = pattern.Lazy(`^\s*(case\b.*|default|public|private|protected)\s*:\s*$`)
