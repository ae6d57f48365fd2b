package source

import (
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// Block is an open bracket, an indented suite or a worded block (do ... end).
type Block struct {
	Parent *Block
	Line   int    // where it opens
	Mark   string // "(", "[", "{", ":" for a suite, "do" for a worded block
	Header string // the code of its line up to the mark
	indent int    // of a suite's header
}

// outline is the nesting of a file: at[i] is the innermost block open where line i
// begins (for an indented language, after what the line's indentation closes),
// with one more entry for the end;
// cond[i] the innermost preprocessor condition.
type outline struct {
	At, Cond []*Block
}

// Within tells whether b is a or inside it.
// Inlined, its copies would make the program larger.
//
//go:noinline
func Within(b, a *Block) bool {
	for ; b != nil; b = b.Parent {
		if b == a {
			return true
		}
	}
	return a == nil
}

// outlineOf reads the nesting from code without strings and comments.
func outlineOf(lang *lexer.Language, code []string) outline {
	o := outline{At: make([]*Block, len(code)+1), Cond: make([]*Block, len(code)+1)}
	var top, cond *Block
	header := ""    // of a brace on a line of its own
	inText := false // in a string over several lines, whose indentation says nothing
	for i, line := range code {
		o.Cond[i] = cond
		if lang.Conditions {
			switch word := lexer.Directive(line); {
			case strings.HasPrefix(word, "if"):
				cond = &Block{Parent: cond, Line: i, Mark: "#", Header: strings.TrimSpace(line)}
			case word == "else" || word == "elif" || word == "elseif" || word == "elifdef":
				if cond != nil {
					cond = &Block{Parent: cond.Parent, Line: i, Mark: "#",
						Header: strings.TrimSpace(line)}
				}
			case word == "endif" && cond != nil:
				cond = cond.Parent
			}
		}
		if lang.Indent && !inText {
			top = dedent(top, line)
		}
		if lang.Indent && (strings.Count(line, `"""`)+strings.Count(line, "'''"))%2 == 1 {
			inText = !inText
		}
		o.At[i] = top
		first := top // the outermost bracket that the line stands in
		for b := top; b != nil && b.Mark != ":"; b = b.Parent {
			first = b
		}
		top = openAndClose(lang, top, line, header, i)
		if lang.Indent && top != nil && top.Mark == ":" && top.Line == i && first != nil &&
			first.Mark != ":" {
			// A header over several lines stands as deep as its first.
			top.indent = IndentOf(code[first.Line])
			top.Header = strings.TrimSpace(code[first.Line]) + " " + strings.TrimSpace(line)
		}
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed != "{" {
			header = headWith(lang, header, trimmed, o.At[i])
		}
	}
	for lang.Indent && top != nil && top.Mark == ":" {
		top = top.Parent
	}
	o.At[len(code)], o.Cond[len(code)] = top, cond
	return o
}

// dedent closes the suites that the indentation of a line ends.
func dedent(top *Block, line string) *Block {
	if strings.TrimSpace(line) == "" || top != nil && top.Mark != ":" {
		return top
	}
	for n := IndentOf(line); top != nil && top.Mark == ":" && n <= top.indent; {
		top = top.Parent
	}
	return top
}

// IndentOf counts as Python does, a tab reaching the next multiple of eight.
func IndentOf(line string) int {
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

var Closers = map[byte]string{')': "(", ']': "[", '}': "{"}

// closed is the block around what a bracket closes. A brace closes also what was
// left open in its block: it was no bracket, but a part of a literal not known.
func closed(top *Block, c byte) *Block {
	if top != nil && top.Mark == Closers[c] {
		return top.Parent
	}
	b := top
	for c == '}' && b != nil && (b.Mark == "(" || b.Mark == "[") {
		b = b.Parent
	}
	if b != nil && b.Mark == Closers[c] {
		return b.Parent
	}
	return top
}

func openAndClose(lang *lexer.Language, top *Block, line, above string, i int) *Block {
	words := lang.Ends
	var marks map[int]int
	if words {
		marks = wordBlocks(lang, line)
	}
	var begun, ended *Block // the outermost block of lines above that this one closes, but for braces; any
	for at := 0; at < len(line); at++ {
		if step := marks[at]; step > 0 {
			header := strings.TrimSpace(line)
			switch { // it began above
			case lang.Name != "elixir":
			case ended != nil:
				header = ended.Header + " " + ended.Mark + " " + header
			case strings.HasSuffix(above, ","), continuesHead(lang, above, header):
				header = above + " " + header
			}
			top = &Block{Parent: top, Line: i, Mark: "do", Header: header}
		} else if step < 0 && top != nil && top.Mark == "do" {
			top = top.Parent
		}
		switch c := line[at]; c {
		case '(', '[', '{':
			if lang.Name == "shell" && c != '{' {
				continue
			}
			header := strings.TrimSpace(line[:at])
			switch {
			case c != '{' && header == "" && lang.Name == "elixir" && strings.HasSuffix(above, ","):
				header = above // of a call that goes on
			case c != '{':
			case begun != nil:
				header = begun.Header + " " + begun.Mark + " " + header // it began above
			case continuesHead(lang, above, header):
				header = above + " " + header
			case IsAccessor(lang, header) || header == "" && IsAccessor(lang, above):
				if header == "" {
					header = above
				}
				header += "()"
			}
			if header == "" && c == '{' && !Separated().MatchString(above) &&
				!Closing().MatchString(above) {
				header = above
			}
			top = &Block{Parent: top, Line: i, Mark: string(c), Header: header}
		case ')', ']', '}':
			if top != nil && top.Mark == Closers[c] && top.Line < i {
				ended = top
			}
			if top != nil && c != '}' && top.Mark == Closers[c] && top.Line < i {
				begun = top
			}
			top = closed(top, c)
		}
	}
	if trimmed := strings.TrimSpace(line); lang.Indent && strings.HasSuffix(trimmed, ":") &&
		(top == nil || top.Mark == ":") {
		top = &Block{Parent: top, Line: i, Mark: ":", Header: trimmed, indent: IndentOf(line)}
	}
	return top
}

var (
	rubyOpen = pattern.Lazy(`(?:^|;|=|\()\s*(if|unless|case|begin|while|until|for)\b|\breturn\s+(case|begin)\b|` +
		`(?:^|[;{])\s*(?:(?:private|protected|public|private_class_method|module_function|` +
		`memoize)\s+)?(def|class|module)\b|\b(do)\b`)
	rubyOneLine = pattern.Lazy(`^\s*def\s+[\w.?!=<>+\-*/\[\]|&^~%]+\s*(\([^)]*\))?\s*=\s`)
	elixirOpen  = pattern.Lazy(`\b(do)\b(?:[^:]|$)|\b(fn)\b`)
	luaOpen     = pattern.Lazy(`\b(function|if|do|repeat)\b`)
	wordClose   = pattern.Lazy(`\b(end)\b`)
	luaClose    = pattern.Lazy(`\b(end|until)\b`)
)

// wordBlocks gives where a line opens (+1) and closes (-1) worded blocks.
func wordBlocks(lang *lexer.Language, line string) map[int]int {
	open, end := rubyOpen, wordClose
	switch lang.Name {
	case "elixir":
		open = elixirOpen
	case "shell":
		return shellBlocks(line)
	case "lua":
		open, end = luaOpen, luaClose
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
			case at > 0 && strings.IndexByte(".:@", line[at-1]) >= 0,
				strings.HasPrefix(line[m[k+1]:], ":"):
			case word == "do" && loop:
			case word == "def" && rubyOneLine().MatchString(line[at:]):
			case word == "for" && strings.HasPrefix(line[m[k+1]:], "("): // a call that goes on with the line above
				continue
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

// shellBlocks are the worded blocks of a line of shell, whose words open one only where
// a command begins. By hand, because its expressions took half the time of a review.
func shellBlocks(line string) map[int]int {
	var marks map[int]int
	for at := 0; at < len(line); {
		end := at
		for end < len(line) && lexer.IsWord(line[end]) {
			end++
		}
		step := 0
		switch line[at:end] {
		case "":
			end++
		case "if", "case":
			step = commandBegins(line[:at], "then", "do", "else")
		case "do":
			step = commandBegins(line[:at])
		case "fi", "esac", "done":
			if at == 0 || strings.IndexByte("; \t", line[at-1]) >= 0 {
				step = -1
			}
		}
		if step != 0 && !strings.HasPrefix(line[end:], ":") {
			if marks == nil {
				marks = map[int]int{}
			}
			marks[at] = step
		}
		at = end
	}
	return marks
}

// commandBegins is 1 where a command of shell may begin behind a text, as it may after
// the words, else 0.
func commandBegins(before string, words ...string) int {
	before = strings.TrimRight(before, " \t")
	if before == "" || strings.HasSuffix(before, ";") {
		return 1
	}
	if len(words) == 0 {
		return 0
	}
	if strings.HasSuffix(before, "&&") || strings.HasSuffix(before, "|") ||
		strings.HasSuffix(before, "!") {
		return 1
	}
	for _, word := range words {
		rest, is := strings.CutSuffix(before, word)
		if is && (rest == "" || !lexer.IsWord(rest[len(rest)-1])) {
			return 1
		}
	}
	return 0
}

// Constant tells a condition that is decided already.
var Constant = pattern.Lazy(`\b(if|elif|unless|while|skipIf|skip_if)\s*\(?\s*(!|not\s+)*(true|false|` +
	`True|False|1|0|nil|None|null|1\s*==\s*1)\s*(\)|:|\{|;|$|then\b)`)

// What a block is to the statements in it.
type blockSort int

const (
	Container blockSort = iota // a class, a literal, a namespace
	Function
	Loop
	Condition
)

var (
	HolderHeader = pattern.Lazy(`\b(class|module|defmodule|namespace|interface|struct|enum|impl|mod|` +
		`trait|extension|record|object)\b|^(describe|context|suite|feature|RSpec\.describe)\b`)
)

var Separated = pattern.Lazy(`[,;({\[|]\s*$`)

var Closing = pattern.Lazy(`^\s*(\)|\]|\}|end\b)`)
