package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
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
var joiningWord = pattern.Lazy(`^\s*(instanceof|as|in|is|after)(\s*$|\s*[^\w\s(]|\s+[^\s])`)

var wordOperators = map[string]bool{"js": true, "java": true, "kotlin": true, "csharp": true,
	"swift": true, "php": true,
	"rust": true, "dart": true, "python": true, "elixir": true, "ruby": true, "zig": true}

// joins tells a line of code that goes on with the one before it.
func (r *reading) joins(code string) bool {
	return joining().MatchString(code) || wordOperators[r.lang.Name] && joiningWord().MatchString(code)
}

var annotation = pattern.Lazy(`^\s*(@[\w.:]+\s*(\(.*\)?)?\s*$|#\[.*|@(tag|doc|describetag|moduletag|` +
	`spec)\b.*|\[\w[\w.]*(\(.*\)?)?(,.*)?\]\s*$|template\s*<.*>\s*$|\[\[.*\]\]\s*$)`)

// forCompiler are annotations that change nothing of what runs.
var forCompiler = pattern.Lazy(`^\s*@(SuppressWarnings|Suppress|SafeVarargs|Override|Deprecated|OptIn)\b|` +
	`^\s*@available\(\*,\s*deprecated\b[^()]*\)\s*$|` +
	`^\s*#\[\s*(allow|expect|warn|deny|inline|doc|must_use|rustfmt::skip)\b[^\]]*\]\s*$`)

var braceless = pattern.Lazy(`^\s*(\}\s*)?(if|for|while|else if|foreach|switch|using|lock|` +
	`with)\b.*\)\s*$|^\s*(\}\s*)?(else|do)\s*$`)

// forCompilerAlone tells a hunk of such annotations.
func (r *reading) forCompilerAlone(h diff.Hunk) bool {
	for i := h.From; i < h.To; i++ {
		if !r.new.Blank(i) && !forCompiler().MatchString(strings.TrimRight(r.new.Code[i], "\r\n")) {
			return false
		}
	}
	return true
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
	if r.addsRows(h, before, after) || r.forCompilerAlone(h) {
		return ""
	}
	list := false
	if b := t.Outline.At[h.From]; b != nil && (b.Mark == "(" || b.Mark == "[") && !isGoGroup(b) {
		list = true
	}
	if before >= 0 && (r.open(before, list) || r.joins(t.Code[first]) && !r.lang.Indent &&
		!list) {
		return joined(first)
	}
	if r.lang.Indent && r.joins(t.Code[first]) &&
		regexpClause().MatchString(t.Code[first]) {
		return joined(first)
	}
	if after < 0 {
		return ""
	}
	if r.open(last, list && !source.Closing().MatchString(t.Code[after])) {
		return joined(last)
	}
	if r.joins(t.Code[after]) && !(list && source.Separated().MatchString(t.Code[last])) ||
		strings.HasPrefix(strings.TrimSpace(t.Code[after]), "{") && !list &&
			!source.Separated().MatchString(strings.TrimRight(t.Code[last], "\r\n")) &&
			!source.Closing().MatchString(t.Code[last]) {
		return joined(last)
	}
	return ""
}

var regexpClause = pattern.Lazy(`^\s*(else|elif|except|finally)\b`)

// open tells whether what line i ends goes on in the next line.
func (r *reading) open(i int, list bool) bool {
	t := r.new
	line := strings.TrimRight(t.Code[i], " \t\r\n")
	if list {
		return !source.Separated().MatchString(line)
	}
	if source.Closing().MatchString(line) { // the end of a statement over several lines
		if b := t.Outline.At[i]; b != nil && b.Line < i {
			head := strings.TrimRight(t.Code[b.Line], " \t\r\n")
			if annotation().MatchString(head) && strings.HasPrefix(strings.TrimSpace(head), "@") ||
				strings.HasPrefix(strings.TrimSpace(head), "#[") {
				return true
			}
		}
	}
	if r.lang.Name == "python" && strings.HasPrefix(strings.TrimSpace(line), "@") {
		return true // a decorator, whatever expression it is
	}
	if forCompiler().MatchString(line) {
		return false
	}
	if annotation().MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "#![") {
		if s := strings.TrimSpace(line); !strings.HasPrefix(s, "#[") || strings.HasSuffix(s, "]") ||
			strings.HasSuffix(s, "(") {
			return true
		}
	}
	if !r.lang.Indent && !r.lang.Ends && r.lang.Name != "go" && braceless().MatchString(line) {
		return true
	}
	if r.lang.Indent && strings.HasSuffix(line, ":") || labelEnd().MatchString(line) {
		return false
	}
	if strings.HasSuffix(line, "++") || strings.HasSuffix(line, "--") ||
		r.lang.Ends && strings.HasSuffix(line, "?") || r.lang.Name == "swift" &&
		strings.HasSuffix(line, "!") || r.lang.Ends && strings.HasSuffix(line, "!") {
		return false
	}
	if r.lang.Indent && strings.HasSuffix(line, "...") {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(line), "#") && r.lang.Conditions &&
		!strings.HasSuffix(line, `\`) {
		return false
	}
	if r.lang.Name == "shell" && !strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, "|") &&
		!strings.HasSuffix(line, "&&") {
		return false
	}
	return unfinished().MatchString(line)
}

var labelEnd = pattern.Lazy(`^\s*(case\b.*|default|public|private|protected)\s*:\s*$`)
