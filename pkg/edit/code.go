package edit

import (
	"path"
	"strings"
)

// isCode names files of languages in which what is not quoted is plain.
func isCode(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".go", ".py", ".pyi", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".rs", ".java", ".kt", ".rb", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs",
		".swift", ".scala", ".sh", ".bash", ".zsh":
		return true
	}
	return false
}

// hashComments tells languages whose comments begin with a hash.
func hashComments(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".rb", ".sh", ".bash", ".zsh":
		return true
	}
	return false
}

// codeLines are the lines of a text without what stands in strings and comments,
// roughly: what is in doubt counts as quoted.
func codeLines(name, text string) []string {
	lines := strings.Split(text, "\n")
	out := make([]string, len(lines))
	inside := "" // what ends the text over several lines that is open
	for i, l := range lines {
		if inside != "" && !strings.ContainsAny(inside[:1], "\"'`*") {
			if strings.TrimSpace(l) == inside {
				inside = ""
			}
			continue
		}
		out[i], inside = codeOf(name, l, inside)
		if m := hereWord().FindStringSubmatch(out[i]); m != nil && inside == "" {
			inside = m[1]
		}
	}
	return out
}

// codeOf is the code of one line, and what is open behind it.
func codeOf(name, l, inside string) (code, open string) {
	var b strings.Builder
	for l != "" {
		if inside != "" {
			_, rest, ok := strings.Cut(l, inside)
			if !ok {
				return b.String(), inside
			}
			l, inside = rest, ""
			continue
		}
		if comment(name, l) {
			break
		}
		mark, end := opening(l)
		if mark == "" {
			b.WriteByte(l[0])
			l = l[1:]
			continue
		}
		l = l[len(mark):]
		if len(end) > 1 || end == "`" {
			inside = end
			continue
		}
		l = behindString(l, end[0])
	}
	return b.String(), inside
}

func comment(name, l string) bool {
	if hashComments(name) {
		return l[0] == '#'
	}
	return strings.HasPrefix(l, "//")
}

// opening is what opens a string or a comment at the start of a text.
func opening(l string) (mark, end string) {
	for _, q := range []string{`"""`, "'''"} {
		if strings.HasPrefix(l, q) {
			return q, q
		}
	}
	switch {
	case strings.HasPrefix(l, "/*"):
		return "/*", "*/"
	case l[0] == '`':
		return "`", "`"
	case l[0] == '"', l[0] == '\'' && strings.IndexByte(l[1:], '\'') >= 0:
		return l[:1], l[:1]
	}
	return "", ""
}

// behindString is what stands behind the end of a string on its line.
func behindString(l string, quote byte) string {
	for i := 0; i < len(l); i++ {
		switch l[i] {
		case '\\':
			i++
		case quote:
			return l[i+1:]
		}
	}
	return ""
}
