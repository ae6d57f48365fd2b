package edit

import (
	"path"
	"regexp"
	"strings"
	"sync"
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
	// part says that a range of lines stands behind the path.
	part bool
	// rail says that it stands between dashes or the like, which also head raw content.
	rail bool
}

// pathLine reads a line that names a file and says nothing else.
func pathLine(text string) (named, bool) {
	t := strings.TrimSpace(text)
	if t == "" || len(t) > 1024 || strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
		return named{}, false
	}
	var n named
	t, n.rail = cutRails(t)
	t, n.marked = cutDecoration(t)
	n.marked = n.marked || n.rail
	if p, ok := phrased(t, n.marked); ok {
		return named{path: p, marked: true, rail: n.rail}, true
	}
	told := speaksOfFile(t)
	t, n.part = cutLines(t)
	t, labelled := cutLabel(t)
	n.marked = n.marked || labelled
	t, quoted := unquote(cutRemark(t))
	n.marked = n.marked || quoted
	t = cleanPath(t)
	if !looksLikePath(t, quoted || labelled) && !(told && (quoted || labelled) && isToken(t)) {
		return named{}, false
	}
	n.path = t
	return n, true
}

// rails set a path off: "--- FILE: x.go ---", "=== x.go ===".
var rails = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:-{2,}|={2,}|\*{3,}|~{2,}|\+{3,}) *(?:BEGIN |START )?(\S.*?\S) *(?:-{2,}|={2,}|\*{3,}|~{2,}|\+{3,})$`)
})

func cutRails(t string) (rest string, ok bool) {
	if m := rails().FindStringSubmatch(t); m != nil {
		return m[1], true
	}
	return t, false
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

// phrases are the words that stand beside a path in headings such as
// "Update `x.go`" or "Changes to `x.go`".
var phrases = map[string]bool{
	"create": true, "update": true, "updated": true, "modify": true, "modified": true, "edit": true, "add": true, "new": true, "file": true,
	"change": true, "changes": true, "to": true, "in": true, "for": true, "the": true, "fix": true, "rewrite": true, "replace": true, "content": true,
	"contents": true, "of": true, "full": true, "complete": true, "step": true, "a": true,
}

// phrased reads a heading or a bold line that names one path among few words,
// or a heading with a path and a remark behind a dash.
func phrased(t string, heading bool) (string, bool) {
	name, ok := phrasedName(t, heading)
	return name, ok && (looksLikePath(name, true) || speaksOfFile(t) && isToken(name))
}

// phrasedName is phrased without a look at the name.
func phrasedName(t string, heading bool) (string, bool) {
	inner, bold := strings.CutPrefix(strings.TrimSuffix(t, ":"), "**")
	if bold {
		inner, bold = strings.CutSuffix(inner, "**")
	}
	if !heading && !bold {
		return "", false
	}
	if bold {
		t = strings.TrimSuffix(inner, ":")
	}
	if heading {
		for _, dash := range []string{" - ", " – ", " — "} {
			if a, _, ok := strings.Cut(t, dash); ok {
				a, _ = unquote(a)
				if a = cleanPath(a); looksLikePath(a, false) {
					return a, true
				}
			}
		}
	}
	if strings.Count(t, "`") == 0 {
		return barePhrase(t)
	}
	if strings.Count(t, "`") != 2 {
		return "", false
	}
	before, rest, _ := strings.Cut(t, "`")
	name, after, _ := strings.Cut(rest, "`")
	if before == "" && after == "" {
		return "", false // an ordinary quoted path
	}
	for _, w := range strings.Fields(before + " " + after) {
		w = strings.ToLower(strings.Trim(w, "():.,#0123456789"))
		if w != "" && !phrases[w] {
			return "", false
		}
	}
	name = cleanPath(strings.TrimSpace(name))
	return name, name != ""
}

// barePhrase is the one path among such words that is not set in back-ticks.
func barePhrase(t string) (string, bool) {
	name, words := "", 0
	for _, w := range strings.Fields(t) {
		bare := strings.ToLower(strings.Trim(w, "():.,#*_0123456789"))
		switch {
		case bare == "" || phrases[bare]:
			words++
		case name == "" && looksLikePath(cleanPath(strings.Trim(w, ":,*_")), false):
			name = cleanPath(strings.Trim(w, ":,*_"))
		default:
			return "", false
		}
	}
	return name, name != "" && words > 0
}

var pathLabels = []string{"file", "filename", "file name", "path", "filepath", "file path", "new file", "modified file", "updated file", "create", "update", "modify", "edit", "create file", "update file"}

// cutLabel takes off "File:" and its like, plain or bold.
func cutLabel(t string) (rest string, ok bool) {
	label, rest, found := strings.Cut(t, ":")
	if !found {
		return t, false
	}
	key := strings.ToLower(strings.Trim(label, "*_ `"))
	for _, l := range pathLabels {
		if key != l {
			continue
		}
		// "**File:** path" leaves closing stars, "**File: path**" takes the opening ones.
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(label, "**") {
			rest = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(rest, "**"), "**"))
		}
		return rest, rest != ""
	}
	return t, false
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

// wordLine reads a line that holds a single word, which may be a file's name:
// mytool, gradlew.
func wordLine(text string) (named, bool) {
	t, heading := cutDecoration(strings.TrimSpace(text))
	if name, ok := phrasedName(t, heading); ok && isToken(name) {
		return named{path: name, marked: true}, true
	}
	t, labelled := cutLabel(t)
	introduces := strings.HasSuffix(t, ":")
	t, quoted := unquote(cutRemark(t))
	t = cleanPath(t)
	n := named{path: t, marked: heading || labelled || quoted}
	return n, isToken(t) && (n.marked || !introduces)
}

// A path with a range of lines ("x.go:5-7", "x.go (lines 5-7)", "```5:7:x.go")
// heads a quotation, not a file's complete content.

var lineRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(?i)(?::\\d+(?:[-–:]\\d+)?|#L\\d+(?:-L?\\d+)?)(`?:?)$")
})

var linesRemark = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i),?\s+\(?(?:around\s+|at\s+)?(?:lines?\s+~?\d+(?:\s*(?:[-–]|to|and)\s*\d+)?|L\d+(?:-L?\d+)?)\)?(:?)$`)
})

var citation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\d+:\d+:(.+)$`) })

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

// isProse names files in which fences and examples of every kind are at home.
func isProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".qmd", ".rmd", ".mdc":
		return true
	}
	return false
}

func isPatchFile(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".patch" || ext == ".diff"
}

func hasExtension(t string) bool {
	i := strings.LastIndexByte(t, '.')
	return i >= 0 && i < len(t)-1
}
