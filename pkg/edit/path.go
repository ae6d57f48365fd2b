package edit

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// bareNames are files with neither slash nor dot in their names. Those that are also
// English words count only in capitals.
var bareNames = wordSet("makefile gnumakefile dockerfile containerfile gemfile rakefile procfile " +
	"jenkinsfile vagrantfile justfile brewfile podfile pipfile LICENSE LICENCE README CODEOWNERS " +
	"CHANGELOG AUTHORS NOTICE COPYING BUILD WORKSPACE VERSION INSTALL CONTRIBUTING")

// named is a path and how its line presents it.
type named struct {
	path string
	set  bool // quoted, or in a heading or label
	head bool // it is a heading
	part bool // followed by a range of lines
	rail bool // between dashes or the like, which also head raw content
}

// pathLine reads a line that only names a file: the path, perhaps quoted, in a heading or
// after a label; and in a heading, in bold or before a colon also with words such as
// "Update" or "And here is".
func pathLine(text string) (named, bool) {
	n, quoted, labelled := nameLine(text)
	return n, looksLikePath(n.path, quoted) || labelled && isToken(n.path)
}

// wordLine reads a line with a single word, which may be a file name: mytool, gradlew.
func wordLine(text string) (named, bool) {
	n, _, _ := nameLine(text)
	return n, isToken(n.path) && (n.set || !strings.HasSuffix(strings.TrimSpace(text), ":"))
}

// rails surround a path: "--- FILE: x.go ---", "=== x.go ===".
var rails = pattern(`^(?:-{2,}|={2,}|\*{3,}|~{2,}|\+{3,}) *(?:BEGIN |START )?(\S.*?\S) *(?:-{2,}|` +
	`={2,}|\*{3,}|~{2,}|\+{3,})$`)

// decoration precedes a path: heading and list marks, and numbers.
var decoration = pattern(`^(?:(#+) +)?(?:[-*+>•] +)?(?:\d+[.)] +)?`)

// undecorated removes the decoration of a line and reports whether it is a heading.
func undecorated(t string) (rest string, heading bool) {
	if t == "" || strings.IndexByte("#-*+>0123456789\xe2", t[0]) < 0 {
		return t, false
	}
	m := decoration().FindStringSubmatch(t)
	return t[len(m[0]):], m[1] != ""
}

// nameLine reads the name on such a line; labelled is set if a label calls it a file.
func nameLine(text string) (n named, quoted, labelled bool) {
	t := strings.TrimSpace(text)
	if len(t) > 1024 || isFence(t) {
		return n, false, false
	}
	if t != "" && strings.IndexByte("-=*~+", t[0]) >= 0 {
		if m := rails().FindStringSubmatch(t); m != nil {
			t, n.rail = m[1], true
		}
	}
	t, n.head = undecorated(t)
	set := n.rail || n.head
	t = strings.TrimSpace(strings.TrimRight(t, "#"))
	t, n.part = cutLines(t)
	colon := strings.HasSuffix(strings.TrimRight(t, "*_"), ":")
	bold := strings.HasPrefix(t, "**")
	if t = cutRemark(t); n.head {
		t, _ = cutReason(t)
	}
	t, quoted = unquote(t)
	if label, rest, found := strings.Cut(t, ":"); found && len(rest) > 1 && onlyPhrases(label) {
		t, _ = unquote(strings.Trim(rest, "* "))
		set, quoted, labelled = true, true, speaksOfFile(label)
	}
	if n.path = cleanPath(t); set || bold || colon {
		name, ok := amongPhrases(t)
		if ok && (set || bold || saysHere(t) || strings.Count(t, " ") == 0) {
			n.path, quoted = cleanPath(name), true
			labelled = labelled || (set || bold) && speaksOfFile(t)
		}
	}
	n.set = quoted || set
	return n, quoted, labelled
}

// phrases are words next to a path in headings and labels; hereWords are those that
// introduce a file's content.
var (
	hereWords = wordSet("here here's here’s updated update new full complete corrected fixed rewritten " +
		"modified revised create looks look becomes entire final")
	phrases = wordSet("created modify edit add file filename filepath path name change changes to in for " +
		"the fix rewrite replace content contents of step a and this is now also my your code version an " +
		"then next finally should like as well source first second third last again whole be follows")
)

// bareWord returns a word without surrounding punctuation, digits and emoji.
func bareWord(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool {
		return strings.ContainsRune("():.,#*_`0123456789\ufe0f", r) || unicode.Is(unicode.So, r)
	}))
}

func saysHere(t string) bool {
	return slices.ContainsFunc(strings.Fields(t), func(w string) bool { return hereWords()[bareWord(w)] })
}

func onlyPhrases(t string) bool {
	for _, w := range strings.Fields(t) {
		if w = bareWord(w); w != "" && !phrases()[w] && !hereWords()[w] {
			return false
		}
	}
	return strings.TrimSpace(t) != ""
}

// amongPhrases returns the one name in a text with other words: in backticks, or the only
// word that is not such a phrase.
func amongPhrases(t string) (name string, ok bool) {
	if before, rest, found := strings.Cut(t, "`"); found {
		name, after, _ := strings.Cut(rest, "`")
		return name, !strings.Contains(after, "`") && name != "" && onlyPhrases(before+" "+after)
	}
	words := strings.Fields(t)
	for _, w := range words {
		switch {
		case onlyPhrases(w):
		case name == "":
			name = strings.Trim(w, ":,*_")
		default:
			return "", false
		}
	}
	return name, name != "" && len(words) > 1
}

// cutRemark removes a final colon and a comment in parentheses.
func cutRemark(t string) string {
	t = strings.TrimSpace(strings.TrimSuffix(t, ":"))
	if strings.HasSuffix(t, ":**") {
		t = t[:len(t)-3] + "**"
	}
	for _, pair := range []string{"()", "[]"} {
		if i := strings.LastIndex(t, " "+pair[:1]); i > 0 && strings.HasSuffix(t, pair[1:]) {
			t = strings.TrimSpace(t[:i])
		}
	}
	return t
}

// cutReason removes what follows a dash or is in parentheses.
func cutReason(t string) (rest, reason string) {
	at := len(t)
	for _, dash := range []string{" - ", " – ", " — ", " ("} {
		if i := strings.Index(t, dash); i > 0 {
			at = min(at, i)
		}
	}
	return t[:at], t[at:]
}

var quotes = [][2]string{
	{"**", "**"}, {"``", "``"}, {"`", "`"}, {`"`, `"`}, {"'", "'"}, {"*", "*"}, {"“", "”"}, {"‘", "’"},
	{"«", "»"},
}

// unquote removes bold, italics, backticks, quotation marks and the address of a link.
func unquote(t string) (inner string, quoted bool) {
	for {
		was := t
		t = strings.TrimSpace(strings.TrimSuffix(t, ":"))
		if i := strings.Index(t, "]("); i > 1 && t[0] == '[' && strings.HasSuffix(t, ")") {
			t, quoted = t[1:i], true
		}
		for _, q := range quotes {
			if len(t) > len(q[0])+len(q[1]) && strings.HasPrefix(t, q[0]) && strings.HasSuffix(t, q[1]) {
				t, quoted = strings.TrimSpace(t[len(q[0]):len(t)-len(q[1])]), true
			}
		}
		if t == was {
			return t, quoted
		}
	}
}

// cleanPath drops a leading "./" and nothing else: "../x" must arrive as it is. A relative
// Windows path gets forward slashes.
func cleanPath(t string) string {
	if !strings.ContainsAny(t, "/ ") {
		t = strings.ReplaceAll(t, `\`, "/")
	}
	t = strings.TrimPrefix(t, bom)
	for strings.HasPrefix(t, "./") && len(t) > 2 && t[2] != '/' {
		t = t[2:]
	}
	return t
}

// isNoPath reports whether t contains or ends with what no path does, or is a version
// number.
func isNoPath(t string) bool {
	return len(t) > 512 || strings.ContainsAny(t, "`<>|\"*?\t\x00") || strings.Contains(t, "://") ||
		strings.Trim(t, "/._- ") == "" || strings.Trim(t, "v0123456789.") == "" ||
		strings.IndexByte("/,;.", t[len(t)-1]) >= 0 || strings.HasSuffix(t, ")") && !strings.Contains(t, "(") ||
		t[0] == '-' || strings.HasPrefix(t, "@@") || strings.HasPrefix(t, "//") ||
		strings.Contains(t, "...") && !strings.Contains(t, "[...")
}

// looksLikePath distinguishes a path from a word or a sentence; set means that the text
// sets it off.
func looksLikePath(t string, set bool) bool {
	if t != ".." && isNoPath(t) {
		return false
	}
	base := t[strings.LastIndexByte(t, '/')+1:]
	switch {
	case strings.Contains(t, " "):
		return set && strings.Count(t, " ") < 6 && strings.Contains(base, ".") && !strings.ContainsAny(t, "=(){}")
	case strings.ContainsAny(t, "=,;") && !set:
		return false
	case strings.Contains(t, "/"):
		return set || !strings.ContainsAny(t, "(){}[]!:") || strings.Contains(base, ".")
	case strings.Contains(t, "."):
		return !strings.ContainsAny(t, "(){}!:")
	}
	return bareNames()[t] || bareNames()[strings.ToLower(t)]
}

// isToken reports whether t is a name without dots, slashes and other signs.
func isToken(t string) bool {
	other := strings.ContainsFunc(t, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-+@~", r)
	})
	return !other && len(t) <= 100 && strings.ContainsFunc(t, unicode.IsLetter) && t[0] != '-' && t[0] != '~'
}

// speaksOfFile reports whether a text calls what it names a file.
func speaksOfFile(t string) bool {
	return slices.ContainsFunc(strings.Fields(t), func(w string) bool {
		w = bareWord(w)
		return w == "file" || w == "filename" || w == "filepath" || w == "path"
	})
}

// A path with a range of lines ("x.go:5-7", "x.go (lines 5-7)") heads a quotation, not a
// whole file.

var lineRange = pattern("(?i)(?::\\d+(?:[-–:]\\d+)?|#L\\d+(?:-L?\\d+)?)(`?:?)$")

var linesRemark = pattern(`(?i),?\s+\(?(?:around\s+|at\s+)?(?:lines?\s+~?\d+(?:\s*(?:[-–]|to|` +
	`and)\s*\d+)?|L\d+(?:-L?\d+)?)\)?(:?)$`)

// cutLines removes a range of lines from a path line.
func cutLines(t string) (rest string, part bool) {
	if end := strings.TrimRight(t, "`:)"); end == "" || end[len(end)-1] < '0' || end[len(end)-1] > '9' {
		return t, false
	}
	for _, r := range []*regexp.Regexp{linesRemark(), lineRange()} {
		if at := r.FindStringSubmatchIndex(t); at != nil && at[0] > 0 {
			t, part = t[:at[0]]+t[at[2]:at[3]], true
		}
	}
	return t, part
}
