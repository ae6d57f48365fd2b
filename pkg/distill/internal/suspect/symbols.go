package suspect

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// symbolsOf gives the identifiers near a failure, weighed: those of the failing
// line itself count most, then those of the test around it, then what the
// message quotes.
func symbolsOf(root *tree.Tree, x *core.Failure) map[string]float64 {
	out := map[string]float64{}
	put := func(s string, w float64) {
		for _, id := range identifiers(s) {
			if w > out[id] {
				out[id] = w
			}
		}
	}
	put(text.FirstLine(x.Message), 2)
	places := append([]core.Frame{{File: x.File, Line: x.Line}}, x.Frames...)
	for i, fr := range places {
		if i > 8 {
			break
		}
		lines := root.Lines(fr.File)
		if fr.Line < 1 || fr.Line > len(lines) {
			continue
		}
		put(lines[fr.Line-1], 9)
		// The body of the test: up to where the indentation ends.
		own := text.IndentOf(lines[fr.Line-1])
		for k := fr.Line - 2; k >= 0 && k > fr.Line-40; k-- {
			s := lines[k]
			if strings.TrimSpace(s) == "" {
				continue
			}
			put(s, 4)
			if text.IndentOf(s) < own {
				break
			}
		}
		for k := fr.Line; k < len(lines) && k < fr.Line+6; k++ { // a statement of several lines
			if s := lines[k]; strings.TrimSpace(s) != "" {
				if text.IndentOf(s) < own {
					break
				}
				put(s, 3)
			}
		}
	}
	for _, s := range x.Detail {
		if len(out) > 200 {
			break
		}
		put(s, 1)
	}
	return out
}

// identifiers gives the words of a line that may be names of the code.
func identifiers(s string) []string {
	words := strings.FieldsFunc(s[:min(len(s), 2000)], func(c rune) bool {
		return c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9')
	})
	for i := range words {
		words[i] = strings.TrimLeft(words[i], "0123456789")
	}
	return slices.DeleteFunc(words, func(w string) bool { return len(w) < 3 || commonWord(w) })
}

func commonWord(w string) bool {
	switch strings.ToLower(w) {
	case "the", "and", "for", "not", "this", "self", "that", "with", "from", "import", "return", "const",
		"let", "var", "new", "def", "func", "function", "class", "assert", "expect", "tobe", "toequal", "equal",
		"error", "expected", "received", "actual", "true", "false", "null", "none", "nil", "test", "tests",
		"string", "int", "bool", "want", "got", "should", "describe", "async", "await", "public", "private",
		"void", "static", "if", "else", "end", "try", "catch", "raise", "throw", "throws", "assertequal",
		"assertequals", "typeerror", "assertionerror", "errorf", "fatalf", "undefined", "val", "fun", "struct",
		"impl", "use", "mod", "crate", "std", "len", "print", "println", "case", "when", "err":
		return true
	}
	return false
}

// defines tells which of the wanted symbols a file defines, and what they
// weigh together.
func (r *ranking) defines(file string, want map[string]float64) float64 {
	defs, ok := r.defs[file]
	if !ok {
		defs = definitions(r.root.Lines(file))
		r.defs[file] = defs
	}
	sum := 0.0
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	for id, w := range want {
		if defs[id] {
			sum += w
		} else if strings.EqualFold(id, stem) {
			sum += w / 2
		}
	}
	return min(sum, 36)
}

// definitions collects names that a file introduces, whatever its language.
func definitions(lines []string) map[string]bool {
	out := map[string]bool{}
	for n, s := range lines {
		if n > 5000 {
			break
		}
		t := strings.TrimSpace(s)
		if t == "" || strings.HasPrefix(t, "//") ||
			strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "#define") || strings.HasPrefix(t, "*") {
			continue
		}
		for _, kw := range []string{"func ", "def ", "defp ", "class ", "function ", "const ", "let ",
			"var ", "fn ", "struct ", "enum ", "trait ", "interface ", "type ", "module ", "object ",
			"val ", "fun ", "sub ", "#define ", "static ", "defmodule ", "record ", "local "} {
			i := strings.Index(t, kw)
			if i < 0 || i > 0 && t[i-1] != ' ' && t[i-1] != '(' {
				continue
			}
			rest := t[i+len(kw):]
			if kw == "func " && strings.HasPrefix(rest, "(") { // Go method
				if j := strings.IndexByte(rest, ')'); j > 0 {
					rest = rest[j+1:]
				}
			}
			if kw == "def " {
				rest = strings.TrimPrefix(rest, "self.")
			}
			if ids := identifiers(firstWords(rest)); len(ids) > 0 {
				out[ids[0]] = true
			}
		}
		// Methods and C functions: a name before a bracket at the end of a line
		// that opens a block; assignments at the margin.
		if i := strings.IndexByte(t, '('); i > 0 &&
			(strings.HasSuffix(t, "{") || strings.HasSuffix(t, ";") || strings.HasSuffix(t, ")")) &&
			!strings.HasPrefix(t, "if") && !strings.HasPrefix(t, "for") && !strings.HasPrefix(t, "while") &&
			!strings.HasPrefix(t, "return") {
			if ids := identifiers(t[:i]); len(ids) > 0 && !strings.ContainsAny(t[:i], "=.\"'+") {
				out[ids[len(ids)-1]] = true
			}
		}
		if i := strings.IndexByte(t, '='); i > 0 && text.IndentOf(s) == 0 {
			if ids := identifiers(t[:i]); len(ids) == 1 {
				out[ids[0]] = true
			}
		}
	}
	return out
}

func firstWords(s string) string {
	if len(s) > 80 {
		s = s[:80]
	}
	if i := strings.IndexAny(s, "(={:<"); i > 0 {
		s = s[:i]
	}
	return s
}
