package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// statements gives the code of lines without what means nothing: comments,
// indentation and breaks outside of strings, a comma behind the last element. It is
// not ok where even comments mean something.
func (s *sorter) statements(t *source.Text, from, to int) (out []string, ok bool) {
	var line strings.Builder
	for i := from; i < to; i++ {
		if s.lang.Name == "go" && inExample(t, i) {
			remark := goRemark().FindStringSubmatch(strings.TrimSpace(t.Lines[i]))
			if remark != nil && codeFollows(t, i) {
				continue // only the last remark says what an example prints
			}
			if remark != nil && line.Len() == 0 {
				out = append(out, "// "+remark[1]+remark[2])
				continue
			}
			if amidRemarks(t, i) {
				return nil, false
			}
		}
		if s.lang.Name == "python" && t.InDocstring(i) {
			continue
		}
		code := compact(t, i, indentOfText(t, i, from, to))
		if s.endsByItself(t, i) || s.endsWithoutValue(t, i) {
			code = strings.TrimSuffix(code, ";")
		}
		if text := line.String(); s.partsText(t, i, from, text, code) {
			line.Reset()
			line.WriteString(text[:len(text)-1])
			code = code[1:]
		} else if text != "" && code != "" && lexer.IsWord(text[len(text)-1]) && lexer.IsWord(code[0]) {
			line.WriteByte(' ')
		}
		line.WriteString(code)
		directive := s.isDirective(t, i)
		if b := t.Outline.At[i+1]; !directive && (b != nil && (b.Mark == "(" || b.Mark == "[" ||
			b.Mark == "{" && b.Sort() == source.Container) && i+1 < to || t.EndsInString(i) && i+1 < to ||
			s.goesOn(t, i) && i+1 < to || s.goesOnBelow(t, i+1, to) ||
			breaksAnywhere[s.lang.Name] && i+1 < to && !s.isDirective(t, i+1)) {
			continue // the statement goes on
		}
		code = strings.TrimSuffix(line.String(), ",")
		if code == line.String() && s.joinsBelow(t, i, code) {
			code += " +"
		}
		line.Reset()
		if n := len(out); n > 0 && strings.HasPrefix(code, "}") && strings.HasSuffix(out[n-1], "{") &&
			operatorsGoOn[s.lang.Name] && !strings.HasPrefix(out[n-1], "#") {
			out[n-1] += code // nothing but remarks stand between
		} else if code != "" {
			out = append(out, s.plainly(code))
		}
	}
	return out, true
}

// codeFollows tells a line of an example of Go below which there is code of it.
func codeFollows(t *source.Text, i int) bool {
	b := t.Outline.At[i]
	for k := i + 1; b != nil && k < len(t.Code) && source.Within(t.Outline.At[k], b); k++ {
		if code := strings.TrimSpace(t.Code[k]); code != "" && code != "}" {
			return true
		}
	}
	return false
}

// textsJoin are languages in which texts that follow each other are one.
var textsJoin = map[string]bool{"python": true, "dart": true, "c": true}

// partsText tells, of the code of a line and of the statement above it, that a plain text goes
// on from one to the other, with a blank where it is parted.
func (s *sorter) partsText(t *source.Text, i, from int, above, code string) bool {
	if !textsJoin[s.lang.Name] || len(above) < 3 || len(code) < 3 || strings.IndexByte(`"'`, code[0]) < 0 ||
		above[len(above)-1] != code[0] || above[len(above)-2] != ' ' && code[1] != ' ' || t.EndsInString(i-1) {
		return false
	}
	before, _ := t.Around(i, i)
	return before >= from && plainText(above, code[0])
}

// joinsBelow tells a text, at the end of the code of line i, that is one with the text below.
func (s *sorter) joinsBelow(t *source.Text, i int, code string) bool {
	_, next := t.Around(i+1, i+1)
	if !textsJoin[s.lang.Name] || code == "" || strings.IndexByte(`"'`, code[len(code)-1]) < 0 || next < 0 {
		return false
	}
	below := strings.TrimLeft(strings.TrimSpace(t.Lines[next]), "rRbBuUfFL")
	return below != "" && strings.IndexByte(`"'`, below[0]) >= 0 && t.Outline.At[next] != nil
}

// plainText tells code that ends with a text in one pair of quotation marks, without a letter
// in front that would say how to read it, and without signs that mean another.
func plainText(code string, mark byte) bool {
	inner := code[:len(code)-1]
	at := strings.LastIndexByte(inner, mark)
	return at >= 0 && (at == 0 || strings.IndexByte(`\`+"\"'", inner[at-1]) < 0 && !lexer.IsWord(inner[at-1])) &&
		!strings.Contains(inner[at:], `\`)
}

// elixirField is a function that reads a field, in brackets.
var elixirField = pattern.Lazy(`&\((&\d[\w.]*)\)([,)\]}]|$)`)

// tupleOfOne are languages in which a comma makes a tuple of what stands in brackets.
var tupleOfOne = map[string]bool{"python": true, "rust": true}

// inTuple is such a comma: the only one in brackets that are those of no call.
var inTuple = pattern.Lazy(`(^|[^\w)\]}!>]|\b(?:return|in|and|or|not|yield|else))\(([^(),]*),\)`)

// plainly is a statement without commas and brackets that say nothing.
func (s *sorter) plainly(code string) string {
	if tupleOfOne[s.lang.Name] {
		code = inTuple().ReplaceAllString(code, "$1($2,,)")
	}
	code = trailingComma().ReplaceAllString(code, "$1")
	switch s.lang.Name {
	case "elixir":
		return elixirField().ReplaceAllString(code, "&$1$2")
	case "python":
		return withoutBrackets(code)
	case "php":
		if !strings.ContainsAny(code, "'\"`<#") {
			return emptyArguments().ReplaceAllString(code, "new$1$2$3")
		}
	}
	return code
}

// emptyArguments are brackets with nothing in them behind a class of PHP that is made, and behind
// the whole value.
var emptyArguments = pattern.Lazy(`\bnew( ?[$\\]| )([\w\\]+)\(\)([;,)\]])`)

// bracketed is a statement of Python whose value, to its end, stands in brackets.
var bracketed = pattern.Lazy(`^([\w.]+(?:\[[\w"']+\])?=|return|assert|assert [\w.]+(?:\([\w,.]*\))?==)\((.*)\)$`)

// withoutBrackets takes brackets from around a single value in Python.
func withoutBrackets(code string) string {
	m := bracketed().FindStringSubmatch(code)
	if m == nil || m[2] == "" || strings.Contains(m[2], `"""`) || strings.Contains(m[2], "'''") {
		return code
	}
	compares := strings.HasSuffix(m[1], "==")
	depth := 0
	for k := 0; k < len(m[2]); k++ {
		switch c := m[2][k]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return code
			}
		case '"', '\'':
			for k++; k < len(m[2]) && m[2][k] != c; k++ {
				if m[2][k] == '\\' {
					k++
				}
			}
		case ',', ':':
			if depth == 0 {
				return code // a tuple, or a name that is bound
			}
		default:
			if depth == 0 && compares && !lexer.IsWord(c) && c != '.' {
				return code // what binds less than a comparison
			}
		}
	}
	if depth != 0 || generates().MatchString(m[2]) {
		return code
	}
	if (m[1] == "return" || m[1] == "assert") && lexer.IsWord(m[2][0]) {
		return m[1] + " " + m[2]
	}
	return m[1] + m[2]
}

var generates = pattern.Lazy(`\b(for|yield)\b`)

// breaksAnywhere are languages to which the end of a line says no more than a blank.
var breaksAnywhere = map[string]bool{"c": true, "csharp": true, "java": true, "rust": true, "php": true,
	"dart": true, "zig": true}

var (
	// endsByLine are languages that need no semicolon at the end of a line.
	endsByLine = map[string]bool{"js": true, "kotlin": true, "swift": true, "go": true}
	complete   = pattern.Lazy(`[\w)\]}'"` + "`" + `]\s*;\s*$`)
	// headAlone is what takes the next statement in, or none if a semicolon follows.
	headAlone   = pattern.Lazy(`^\s*(\}\s*)?(if|for|while|else|do|switch|with|get|set|static|case|default)\b`)
	goesOnAbove = pattern.Lazy(`^\s*([(\[{` + "`" + `+\-*/.,?:=&|<>%^!~]|in\b|instanceof\b|as\b|is\b|else\b)`)
)

// endsByItself tells a line whose semicolon at its end says nothing: it would end there
// without one.
func (s *sorter) endsByItself(t *source.Text, i int) bool {
	code := strings.TrimRight(t.Code[i], "\r\n")
	if !endsByLine[s.lang.Name] || !complete().MatchString(code) || headAlone().MatchString(code) && !holdsStatement(code) ||
		t.EndsInString(i) {
		return false
	}
	if b := t.Outline.At[i+1]; b != nil && b.Mark != "{" {
		return false
	}
	for b := t.Outline.At[i]; b != nil && b.Mark != "{"; b = b.Parent {
		if headAlone().MatchString(b.Header) {
			return false
		}
	}
	_, next := t.Around(i+1, i+1)
	return next < 0 || !goesOnAbove().MatchString(t.Code[next])
}

// conditionOf begins a line with a condition, to the bracket that opens it.
var conditionOf = pattern.Lazy(`^\s*(?:\}\s*)?(?:else\s+)?if\s*\(`)

// holdsStatement tells a condition with a plain statement behind it in its line.
func holdsStatement(code string) bool {
	head := conditionOf().FindString(code)
	if head == "" {
		return false
	}
	end := source.Closes(code, len(head)-1)
	if end < 0 {
		return false
	}
	statement := strings.TrimRight(strings.TrimSpace(code[end+1:]), "; ")
	return statement != "" && lexer.IsWord(statement[0]) && !headAlone().MatchString(statement)
}

// isDirective tells a line of the preprocessor, or one that goes on with what a backslash
// joins it to.
func (s *sorter) isDirective(t *source.Text, i int) bool {
	if !s.lang.Conditions {
		return false
	}
	for i > 0 && strings.HasSuffix(strings.TrimRight(t.Lines[i-1], " \t\r\n"), `\`) {
		i--
	}
	code := strings.TrimSpace(t.Code[i])
	return strings.HasPrefix(code, "#") && (s.lang.Name != "swift" || swiftDirective().MatchString(code))
}

// swiftDirective is what begins so in Swift and is no macro.
var swiftDirective = pattern.Lazy(`^#(if|else|elseif|endif|sourceLocation|warning|error)\b`)

// goesOn tells a line whose statement cannot end with it, by the operator there.
func (s *sorter) goesOn(t *source.Text, i int) bool {
	code := strings.TrimRight(t.Code[i], " \t\r\n")
	return operatorsGoOn[s.lang.Name] && endsInOperator().MatchString(code) ||
		s.lang.Name == "elixir" && strings.HasSuffix(code, ",") ||
		s.lang.Name == "perl" && code != "" && !strings.ContainsAny(code[len(code)-1:], ";{}")
}

// goesOnBelow tells lines of which the first with code goes on with a chain of calls
// that begins above it.
func (s *sorter) goesOnBelow(t *source.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if !t.Blank(i) {
			return operatorsGoOn[s.lang.Name] && s.lang.Name != "go" && s.lang.Name != "elixir" &&
				chained().MatchString(t.Code[i])
		}
	}
	return false
}

var chained = pattern.Lazy(`^\s*(\.|\?\.|->|\?->|&\.)[A-Za-z_]`)

// operatorsGoOn are languages that read on in the next line behind an operator. A
// shell does not, and Python only in brackets.
var operatorsGoOn = map[string]bool{"go": true, "js": true, "rust": true, "java": true, "kotlin": true,
	"php": true, "elixir": true, "c": true, "csharp": true, "swift": true, "dart": true, "ruby": true}

var endsInOperator = pattern.Lazy(`^[^#].*([\w\s)\]}](=|==|===|!=|!==|=~|<>|\|>|&&|\|\||\+)|=>)$`)

var trailingComma = pattern.Lazy(`,([)\]}])`)

// compact is the code of a line behind its indentation, with blanks only between words, and
// strings as they are.
func compact(t *source.Text, i, indent int) string {
	var out []byte
	line, kinds := t.Lines[i], t.Kinds(i)
	line, kinds = line[indent:], kinds[indent:]
	line = sameQuotes(t.Source.Lang.Name, line, kinds)
	blank := false
	words := inWords(t, t.Start[i])
	for k := range len(line) {
		c := line[k]
		if k > 0 && kinds[k] == lexer.InString && kinds[k-1] != lexer.InString {
			words = inWords(t, t.Start[i]+k)
		}
		switch {
		case kinds[k] == lexer.InComment:
		case words && kinds[k] == lexer.InString && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			if n := len(out); n > 0 && out[n-1] != ' ' && betweenWords(t, t.Start[i]+k) {
				out = append(out, ' ') // how many says nothing, that there is one does
			}
		case kinds[k] == lexer.InCode && (c == ' ' || c == '\t' || c == '\r' || c == '\n'):
			blank = true
		default:
			if blank && len(out) > 0 && lexer.IsWord(out[len(out)-1]) && lexer.IsWord(c) {
				out = append(out, ' ')
			}
			out, blank = append(out, c), false
		}
	}
	return string(out)
}

// listOfWords begins a string that is a list of words, with blanks between them that
// say no more.
var listOfWords = pattern.Lazy(`(?:%[wi]|\bqw\s*)[\[({<|!/]$`)

// inWords tells whether a place in a file is within such a list.
func inWords(t *source.Text, at int) bool {
	if at >= len(t.Source.Kind) || t.Source.Kind[at] != lexer.InString {
		return false
	}
	for at > 0 && t.Source.Kind[at-1] == lexer.InString {
		at--
	}
	return listOfWords().MatchString(t.Source.Text[max(0, at-6):at])
}

// betweenWords tells a blank in such a list that neither begins nor ends it.
func betweenWords(t *source.Text, at int) bool {
	blank := func(k int) bool {
		return k >= 0 && k < len(t.Source.Kind) && t.Source.Kind[k] == lexer.InString &&
			strings.IndexByte(" \t\r\n", t.Source.Text[k]) >= 0
	}
	first, last := at, at
	for blank(first) {
		first--
	}
	for blank(last) {
		last++
	}
	return first >= 0 && t.Source.Kind[first] == lexer.InString &&
		last < len(t.Source.Kind) && t.Source.Kind[last] == lexer.InString
}
