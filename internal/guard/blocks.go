package guard

import (
	"strings"
)

// block is an open bracket, an indented suite or a worded block (do ... end).
type block struct {
	parent *block
	line   int    // where it opens
	mark   string // "(", "[", "{", ":" for a suite, "do" for a worded block
	header string // the code of its line up to the mark
	indent int    // of a suite's header
}

// outline is the nesting of a file: at[i] is the innermost block open where line i
// begins (for an indented language, after what the line's indentation closes),
// with one more entry for the end;
// cond[i] the innermost preprocessor condition.
type outline struct {
	at, cond []*block
}

// within tells whether b is a or inside it.
func within(b, a *block) bool {
	for ; b != nil; b = b.parent {
		if b == a {
			return true
		}
	}
	return a == nil
}

// outlineOf reads the nesting from code without strings and comments.
func outlineOf(lang *language, code []string) outline {
	o := outline{at: make([]*block, len(code)+1), cond: make([]*block, len(code)+1)}
	var top, cond *block
	header := ""    // of a brace on a line of its own
	inText := false // in a string over several lines, whose indentation says nothing
	for i, line := range code {
		o.cond[i] = cond
		if lang.conditions {
			switch word := directive(line); {
			case strings.HasPrefix(word, "if"):
				cond = &block{parent: cond, line: i, mark: "#", header: strings.TrimSpace(line)}
			case word == "else" || word == "elif" || word == "elseif" || word == "elifdef":
				if cond != nil {
					cond = &block{parent: cond.parent, line: i, mark: "#", header: strings.TrimSpace(line)}
				}
			case word == "endif" && cond != nil:
				cond = cond.parent
			}
		}
		if lang.indent && !inText {
			top = dedent(top, line)
		}
		if lang.indent && (strings.Count(line, `"""`)+strings.Count(line, "'''"))%2 == 1 {
			inText = !inText
		}
		o.at[i] = top
		first := top // the outermost bracket that the line stands in
		for b := top; b != nil && b.mark != ":"; b = b.parent {
			first = b
		}
		top = openAndClose(lang, top, line, header, i)
		if lang.indent && top != nil && top.mark == ":" && top.line == i && first != nil && first.mark != ":" {
			// A header over several lines stands as deep as its first.
			top.indent = indentOf(code[first.line])
			top.header = strings.TrimSpace(code[first.line]) + " " + strings.TrimSpace(line)
		}
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed != "{" {
			header = trimmed
		}
	}
	for lang.indent && top != nil && top.mark == ":" {
		top = top.parent
	}
	o.at[len(code)], o.cond[len(code)] = top, cond
	return o
}

// dedent closes the suites that the indentation of a line ends.
func dedent(top *block, line string) *block {
	if strings.TrimSpace(line) == "" || top != nil && top.mark != ":" {
		return top
	}
	for n := indentOf(line); top != nil && top.mark == ":" && n <= top.indent; {
		top = top.parent
	}
	return top
}

// indentOf counts as Python does, a tab reaching the next multiple of eight.
func indentOf(line string) int {
	n := 0
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}

var closers = map[byte]string{')': "(", ']': "[", '}': "{"}

func openAndClose(lang *language, top *block, line, above string, i int) *block {
	words := lang.ends
	var marks map[int]int
	if words {
		marks = wordBlocks(lang, line)
	}
	for at := 0; at < len(line); at++ {
		if step := marks[at]; step > 0 {
			top = &block{parent: top, line: i, mark: "do", header: strings.TrimSpace(line)}
		} else if step < 0 && top != nil && top.mark == "do" {
			top = top.parent
		}
		switch c := line[at]; c {
		case '(', '[', '{':
			if lang.name == "shell" && c != '{' {
				continue
			}
			header := strings.TrimSpace(line[:at])
			if header == "" && c == '{' && !separated().MatchString(above) && !closing().MatchString(above) {
				header = above
			}
			top = &block{parent: top, line: i, mark: string(c), header: header}
		case ')', ']', '}':
			if top != nil && top.mark == closers[c] {
				top = top.parent
			}
		}
	}
	if trimmed := strings.TrimSpace(line); lang.indent && strings.HasSuffix(trimmed, ":") && (top == nil || top.mark == ":") {
		top = &block{parent: top, line: i, mark: ":", header: trimmed, indent: indentOf(line)}
	}
	return top
}

var (
	rubyOpen    = lazy(`(?:^|;|=|\(|\breturn )\s*(if|unless|case|begin|while|until|for)\b|(?:^|;)\s*(?:(?:private|protected|public|private_class_method|module_function|memoize)\s+)?(def|class|module)\b|\b(do)\b`)
	rubyOneLine = lazy(`^\s*def\s+[\w.?!=<>+\-*/\[\]]+\s*(\([^)]*\))?\s*=\s`)
	elixirOpen  = lazy(`\b(do)\b(?:[^:]|$)|\b(fn)\b`)
	shellOpen   = lazy(`(?:^|;|&&|\|\||\||\bthen|\bdo|\belse|!)\s*(if|case)\b|(?:^|;)\s*(do)\b`)
	luaOpen     = lazy(`\b(function|if|do|repeat)\b`)
	wordClose   = lazy(`\b(end)\b`)
	shellClose  = lazy(`(?:^|;|\s)\s*(fi|esac|done)\b`)
)

// wordBlocks gives where a line opens (+1) and closes (-1) worded blocks.
func wordBlocks(lang *language, line string) map[int]int {
	open, end := rubyOpen, wordClose
	switch lang.name {
	case "elixir":
		open = elixirOpen
	case "shell":
		open, end = shellOpen, shellClose
	case "lua":
		open = luaOpen
	}
	marks := map[int]int{}
	loop := false
	for _, m := range open().FindAllStringSubmatchIndex(line, -1) {
		for k := 2; k+1 < len(m); k += 2 {
			at := m[k]
			if at < 0 {
				continue
			}
			word := line[at:m[k+1]]
			switch {
			case at > 0 && strings.IndexByte(".:@", line[at-1]) >= 0, strings.HasPrefix(line[m[k+1]:], ":"):
			case word == "do" && loop && lang.name != "shell":
			case word == "def" && rubyOneLine().MatchString(line):
			default:
				marks[at] = 1
			}
			loop = loop || word == "while" || word == "until" || word == "for"
		}
	}
	for _, m := range end().FindAllStringSubmatchIndex(line, -1) {
		at := m[2]
		if at > 0 && strings.IndexByte(".:@", line[at-1]) >= 0 || strings.HasPrefix(line[m[3]:], ":") {
			continue
		}
		marks[at] = -1
	}
	return marks
}

// constant tells a condition that is decided already.
var constant = lazy(`\b(if|elif|unless|while|skipIf|skip_if)\s*\(?\s*(!|not\s+)*(true|false|True|False|1|0|nil|None|null|1\s*==\s*1)\s*(\)|:|\{|;|$|then\b)`)

// What a block is to the statements in it.
type blockSort int

const (
	container blockSort = iota // a class, a literal, a namespace
	function
	loop
	condition
)

var (
	conditionHeader = lazy(`^(\}\s*)?(if|else|elif|elsif|unless|switch|try|catch|except|finally|with|match|case|guard|select|using|lock|synchronized|cond|begin|when|defer|then)\b`)
	loopHeader      = lazy(`^(\w+:\s*)?(async )?(for|while|do|until|loop|repeat|foreach)\b`)
	functionHeader  = lazy(`\b(func|fn|function|def|defp|lambda|it|test|describe|context|specify|setup|feature|scenario|property|@test|fun|sub)\b|=>\s*$|->\s*$|\)[^)]*$|\|[^|]*\|`)
	holderHeader    = lazy(`\b(class|module|defmodule|namespace|interface|struct|enum|impl|mod|trait|extension|record|object)\b|^(describe|context|suite|feature|RSpec\.describe)\b`)
)

// sort goes by the words of the header.
func (b *block) sort() blockSort {
	h := b.header
	switch {
	case b.mark == "(" || b.mark == "[":
		return container
	case conditionHeader().MatchString(h):
		return condition
	case loopHeader().MatchString(h):
		return loop
	case holderHeader().MatchString(h) && !strings.Contains(h, "=>") && !regexpFunction(h) && !returnsStruct().MatchString(h) && holderHeader().MatchString(parens().ReplaceAllString(h, "()")):
		return container
	case functionHeader().MatchString(h), b.mark == "{" && h == "" && b.parent == nil:
		return function
	}
	return container
}

var (
	parens        = lazy(`\([^()]*\)?`)
	returnsStruct = lazy(`\b(struct|enum)\s+\w+[\s*&]+\w+\s*\(`)
)

// regexpFunction tells a function whose header mentions a word of a holder, as in
// func f(x struct{...}).
func regexpFunction(h string) bool {
	for _, word := range []string{"func ", "fn ", "function ", "def ", "fun "} {
		if strings.Contains(" "+h, " "+word) {
			return true
		}
	}
	return false
}
