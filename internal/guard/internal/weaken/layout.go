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
		if s.endsByItself(t, i) {
			code = strings.TrimSuffix(code, ";")
		}
		if text := line.String(); text != "" && code != "" && lexer.IsWord(text[len(text)-1]) && lexer.IsWord(code[0]) {
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
		line.Reset()
		if n := len(out); n > 0 && strings.HasPrefix(code, "}") && strings.HasSuffix(out[n-1], "{") &&
			operatorsGoOn[s.lang.Name] && !strings.HasPrefix(out[n-1], "#") {
			out[n-1] += code // nothing but remarks stand between
		} else if code != "" {
			out = append(out, trailingComma().ReplaceAllString(code, "$1"))
		}
	}
	return out, true
}

// breaksAnywhere are languages to which the end of a line says no more than a blank.
var breaksAnywhere = map[string]bool{"c": true, "csharp": true, "java": true, "rust": true, "php": true,
	"dart": true, "zig": true}

var (
	// endsByLine are languages that need no semicolon at the end of a line.
	endsByLine = map[string]bool{"js": true, "kotlin": true, "swift": true}
	complete   = pattern.Lazy(`[\w)\]}'"` + "`" + `]\s*;\s*$`)
	// headAlone is what takes the next statement in, or none if a semicolon follows.
	headAlone   = pattern.Lazy(`^\s*(\}\s*)?(if|for|while|else|do|switch|with|get|set|static|case|default)\b`)
	goesOnAbove = pattern.Lazy(`^\s*([(\[{` + "`" + `+\-*/.,?:=&|<>%^!~]|in\b|instanceof\b|as\b|is\b|else\b)`)
)

// endsByItself tells a line whose semicolon at its end says nothing: it would end there
// without one.
func (s *sorter) endsByItself(t *source.Text, i int) bool {
	code := strings.TrimRight(t.Code[i], "\r\n")
	if !endsByLine[s.lang.Name] || !complete().MatchString(code) || headAlone().MatchString(code) ||
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
