package edit

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bareNames are files that have neither a slash nor a dot in their names.
// Those that are words of the language, too, are meant in capitals only.
var bareNames = map[string]bool{
	"makefile": true, "gnumakefile": true, "dockerfile": true, "containerfile": true, "LICENSE": true, "LICENCE": true,
	"README": true, "gemfile": true, "rakefile": true, "procfile": true, "jenkinsfile": true, "vagrantfile": true,
	"justfile": true, "CODEOWNERS": true, "brewfile": true, "podfile": true, "fastfile": true, "CHANGELOG": true,
	"AUTHORS": true, "NOTICE": true, "COPYING": true, "tiltfile": true, "BUILD": true, "WORKSPACE": true, "pipfile": true,
	"caddyfile": true, "earthfile": true, "taskfile": true, "VERSION": true, "INSTALL": true, "CONTRIBUTING": true,
}

// named is a path and how it is set.
type named struct {
	path string
	// marked says that the text sets the path off: a label, a heading, bold, back-ticks.
	marked bool
	// set says that quotes or a label do, told that the line calls it a file.
	set, told bool
	// part says that a range of lines stands behind the path.
	part bool
	// rail says that it stands between dashes or the like, which also head raw content.
	rail bool
}

// pathLine reads a line that names a file and says nothing else.
func pathLine(text string) (named, bool) {
	n, ok := nameLine(text)
	return n, ok && (looksLikePath(n.path, n.set) || n.set && n.told && isToken(n.path))
}

// wordLine reads a line that holds a single word, which may be a file's name:
// mytool, gradlew.
func wordLine(text string) (named, bool) {
	n, ok := nameLine(text)
	return n, ok && isToken(n.path) && (n.marked || !strings.HasSuffix(strings.TrimSpace(text), ":"))
}

// rails set a path off: "--- FILE: x.go ---", "=== x.go ===".
var rails = pattern(`^(?:-{2,}|={2,}|\*{3,}|~{2,}|\+{3,}) *(?:BEGIN |START )?(\S.*?\S) *(?:-{2,}|={2,}|\*{3,}|~{2,}|\+{3,})$`)

// nameLine reads a line that is nothing but a name, perhaps quoted, behind a label
// such as "File:", or, in a heading or in bold, beside words such as "Update".
func nameLine(text string) (n named, ok bool) {
	t := strings.TrimSpace(text)
	if t == "" || len(t) > 1024 || fenceRunAt(t) {
		return n, false
	}
	if m := rails().FindStringSubmatch(t); m != nil {
		t, n.rail = m[1], true
	}
	t, heading := cutDecoration(t)
	heading = heading || n.rail
	n.told = speaksOfFile(t)
	t, n.part = cutLines(t)
	bold := strings.HasPrefix(t, "**")
	if heading {
		for _, dash := range []string{" - ", " – ", " — "} {
			if a, _, found := strings.Cut(t, dash); found {
				a, _ = unquote(a)
				if a = cleanPath(a); looksLikePath(a, false) {
					n.path, n.marked, n.set = a, true, true
					return n, true
				}
			}
		}
	}
	t, quoted := unquote(cutRemark(t))
	labelled := false
	if label, rest, found := strings.Cut(t, ":"); found && len(rest) > 1 && onlyPhrases(label) {
		t, _ = unquote(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "**")))
		labelled = true
	}
	n.marked, n.set = heading || labelled || quoted, quoted || labelled
	n.path = cleanPath(t)
	if heading || bold || labelled {
		if name, is := amongPhrases(t); is {
			n.path, n.marked, n.set = cleanPath(name), true, true
		}
	}
	return n, n.path != ""
}

// phrases are the words that stand beside a path in headings and labels.
var phrases = wordSet("create created update updated modify modified edit add new file filename filepath path name change changes to in for the fix rewrite replace " +
	"content contents of full complete step a here here's here’s corrected fixed rewritten revised looks look becomes entire final and this is now also my your code " +
	"version an then next finally should like as well source first second third last again whole be follows")

func onlyPhrases(t string) bool {
	for _, w := range strings.Fields(t) {
		if w = strings.ToLower(strings.Trim(w, "():.,#*_`0123456789")); w != "" && !phrases()[w] {
			return false
		}
	}
	return strings.TrimSpace(t) != ""
}

// amongPhrases is the one name of a text that has other words: in back-ticks, or
// the one word that is no such phrase.
func amongPhrases(t string) (name string, ok bool) {
	if before, rest, found := strings.Cut(t, "`"); found {
		name, after, _ := strings.Cut(rest, "`")
		return name, !strings.Contains(after, "`") && name != "" && onlyPhrases(before+" "+after)
	}
	words := strings.Fields(t)
	for _, w := range words {
		switch bare := strings.Trim(w, ":,*_"); {
		case onlyPhrases(w):
		case name == "":
			name = bare
		default:
			return "", false
		}
	}
	return name, name != "" && len(words) > 1
}

// cutDecoration takes off heading marks, list bullets and numbers, comment signs.
func cutDecoration(t string) (rest string, heading bool) {
	if h := strings.TrimLeft(t, "#"); h != t && strings.HasPrefix(h, " ") {
		t, heading = strings.TrimSpace(strings.TrimRight(h, "#")), true
	}
	if r, n := utf8.DecodeRuneInString(t); n > 1 && unicode.Is(unicode.So, r) {
		t = strings.TrimSpace(strings.TrimPrefix(t[n:], "\ufe0f")) // a pictogram
	}
	for _, b := range []string{"- ", "* ", "+ ", "> ", "• "} {
		if r, ok := strings.CutPrefix(t, b); ok {
			t = strings.TrimSpace(r)
			break
		}
	}
	if d := strings.TrimLeft(t, "0123456789"); d != t && len(d) > 1 && (d[0] == '.' || d[0] == ')') && d[1] == ' ' {
		t = strings.TrimSpace(d[1:])
	}
	return t, heading
}

// cutRemark takes off a final colon and a remark in parentheses.
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

// typedQuotes are those of typesetters.
var typedQuotes = [][2]string{{"“", "”"}, {"„", "“"}, {"‘", "’"}, {"«", "»"}}

// unquote takes off bold, italics, back-ticks, quotation marks and the address of a link.
func unquote(t string) (inner string, quoted bool) {
	for {
		cut := false
		if i := strings.Index(t, "]("); i > 1 && t[0] == '[' && strings.HasSuffix(t, ")") {
			t, quoted, cut = t[1:i], true, true
		}
		for _, q := range typedQuotes {
			if inner, ok := strings.CutPrefix(t, q[0]); ok && strings.HasSuffix(inner, q[1]) {
				t, quoted, cut = strings.TrimSpace(strings.TrimSuffix(inner, q[1])), true, true
			}
		}
		for _, q := range []string{"**", "__", "``", "`", `"`, "'", "*"} {
			if len(t) > 2*len(q) && strings.HasPrefix(t, q) && strings.HasSuffix(t, q) {
				if q == "__" && !strings.Contains(t[2:len(t)-2], ".") {
					continue
				}
				t, quoted, cut = strings.TrimSpace(t[len(q):len(t)-len(q)]), true, true
				break
			}
		}
		t2 := strings.TrimSpace(strings.TrimSuffix(t, ":"))
		if !cut && t2 == t {
			return t, quoted
		}
		t = t2
	}
}

// cleanPath drops "./" in front and nothing else: "../x" must arrive as it is.
// A relative path in the manner of Windows gets forward slashes.
func cleanPath(t string) string {
	if strings.Contains(t, `\`) && !strings.ContainsAny(t, "/ ") {
		t = strings.ReplaceAll(t, `\`, "/")
	}
	if v := strings.Trim(t, "\ufeff\u200b\u2060"); v != "" {
		t = v
	}
	for strings.HasPrefix(t, "./") && len(t) > 2 && t[2] != '/' {
		t = t[2:]
	}
	return t
}

// looksLikePath tells a path from a word or a sentence.
func looksLikePath(t string, set bool) bool {
	if t == "" || len(t) > 512 || strings.Contains(t, "://") || strings.ContainsAny(t, "`<>|\"*?\t\x00") ||
		strings.HasSuffix(t, "/") || strings.HasSuffix(t, ",") || strings.HasSuffix(t, ";") || strings.HasSuffix(t, ")") && !strings.Contains(t, "(") {
		return false
	}
	if strings.HasSuffix(t, ".") && t != ".." || strings.Contains(t, "...") && !strings.Contains(t, "[...") {
		return false
	}
	base := t[strings.LastIndexByte(t, '/')+1:]
	if strings.Contains(t, " ") {
		return set && len(strings.Fields(t)) <= 6 && strings.Contains(base, ".") && !strings.ContainsAny(t, "=(){}")
	}
	if strings.ContainsAny(t, "=,;") && !set {
		return false
	}
	if strings.HasPrefix(t, "-") || strings.HasPrefix(t, "@@") || strings.HasPrefix(t, "//") ||
		strings.HasPrefix(t, "/*") {
		return false
	}
	if strings.Trim(t, "v0123456789.") == "" {
		return false // a version
	}
	if strings.Contains(t, "/") {
		return strings.Trim(t, "/.-_ ") != "" && (set || !strings.ContainsAny(t, "(){}[]!:") || strings.Contains(base, "."))
	}
	if strings.Contains(t, ".") {
		return strings.Trim(t, ".") != "" && !strings.ContainsAny(t, "(){}!:")
	}
	return bareNames[t] || bareNames[strings.ToLower(t)]
}

// isToken reports whether t is a name without dots, slashes and other signs.
func isToken(t string) bool {
	letter := false
	for _, r := range t {
		switch {
		case unicode.IsLetter(r):
			letter = true
		case !unicode.IsDigit(r) && !strings.ContainsRune("_-+@~", r):
			return false
		}
	}
	return letter && len(t) <= 100 && t[0] != '-' && t[0] != '~'
}

// speaksOfFile reports whether a line calls what it names a file.
func speaksOfFile(t string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(t), func(r rune) bool { return !unicode.IsLetter(r) && r != '`' }) {
		switch w {
		case "file", "filename", "filepath", "path":
			return true
		}
	}
	return false
}

// A path with a range of lines ("x.go:5-7", "x.go (lines 5-7)", "```5:7:x.go")
// heads a quotation, not a file's complete content.

var lineRange = pattern("(?i)(?::\\d+(?:[-–:]\\d+)?|#L\\d+(?:-L?\\d+)?)(`?:?)$")

var linesRemark = pattern(`(?i),?\s+\(?(?:around\s+|at\s+)?(?:lines?\s+~?\d+(?:\s*(?:[-–]|to|and)\s*\d+)?|L\d+(?:-L?\d+)?)\)?(:?)$`)

var citation = pattern(`^\d+:\d+:(.+)$`)

// cutLines takes a range of lines off a path line.
func cutLines(t string) (rest string, part bool) {
	if !strings.ContainsAny(t, "0123456789") {
		return t, false
	}
	for _, r := range []*regexp.Regexp{linesRemark(), lineRange()} {
		if at := r.FindStringSubmatchIndex(t); at != nil && at[0] > 0 {
			t, part = t[:at[0]]+t[at[2]:at[3]], true
		}
	}
	return t, part
}
