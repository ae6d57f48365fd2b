package core

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// ParseDiag reads the head of a finding in any of the common forms.
func ParseDiag(s string, root *tree.Tree) (Diag, bool) {
	if len(s) < 6 || len(s) > 4000 {
		return Diag{}, false
	}
	if strings.HasPrefix(s, "::error ") || strings.HasPrefix(s, "::warning ") {
		return annotation(s)
	}
	severity := ""
	if t, ok := text.CutAny(s, "[ERROR] ", "e: "); ok { // of Maven and kotlinc
		severity, s = "error", t
	} else if t, ok := text.CutAny(s, "vet: ", "typecheck: "); ok { // before what they could not read
		severity, s = "error", t
	} else if t, ok := strings.CutPrefix(s, "ERROR: "); ok {
		s = t
	}
	if strings.HasPrefix(s, "  /") { // of pyright and standard
		s = s[2:]
	}
	g, ok := CutPlace(s, root)
	if !ok || g.Line == 0 || g.Text == "" {
		return Diag{}, false
	}
	if g.Severity = severity; severity == "" {
		g.Severity, g.Code = severityOf(g.Text)
	}
	return g, true
}

// CutPlace splits "file:1:2: text", "file(1,2): text", "file:1:2 - text" and
// "file:[1,2] text".
func CutPlace(s string, root *tree.Tree) (Diag, bool) {
	if s == "" || s[0] == ' ' || s[0] == '\t' {
		return Diag{}, false
	}
	for i := 1; i < min(len(s), 400); i++ {
		if s[i] != ':' && s[i] != '(' || i == 1 && strings.IndexByte("\\/", s[min(2, len(s)-1)]) >= 0 { // C:\
			continue
		}
		line, col, after := tree.NumberAfter(s, i)
		if line == 0 && s[i] == ':' && strings.HasPrefix(s[i+1:], " ") {
			break
		} else if line == 0 {
			continue
		}
		rest := strings.TrimLeft(s[after:], ")]")
		if rest != "" && strings.IndexByte(": ,-", rest[0]) < 0 || !PlausibleFile(s[:i], root) {
			break
		}
		rest = strings.TrimLeft(rest, ":,- ")
		return Diag{File: s[:i], Line: line, Col: col, Text: rest}, true
	}
	return Diag{}, false
}

// PlausibleFile rejects what only looks like a path: times, addresses, prose.
func PlausibleFile(p string, root *tree.Tree) bool {
	if p == "" || len(p) > 300 ||
		strings.ContainsAny(p, "\"<>|*?\t{}=;") && !strings.HasPrefix(p, "file://") {
		return false
	}
	if strings.Contains(p, "://") && !strings.HasPrefix(p, "file://") {
		return false
	}
	base := path.Base(tree.CleanPath(p))
	ext := path.Ext(base)
	known := tree.SourceExt(strings.ToLower(ext)) || tree.KnownName(base)
	if strings.ContainsAny(p, " (,[") {
		if !known {
			return false
		}
		_, ok := root.Resolve(p, "")
		return ok || p[0] == '/' || len(p) > 3 && p[1] == ':'
	}
	return known || ext != "" && len(ext) <= 6 && !stream.OnlyDigits(ext[1:]) &&
		root.Exists(tree.CleanPath(p))
}

var (
	reSeverity = text.Lazy(`(?i)^(?:\(?(fatal error|fatal|failed|errors?|warnings?|note|info|` +
		`information|hint|remark|style|convention|refactor|help|suggestion|syntax error|parse error|` +
		`type error|deprecated)\)?)(?:\[[\w:-]+\])?(?: +([A-Z]{1,8}[0-9]{3,6}|[a-z]+/[\w/-]+))?\s*(?::|` +
		` -|\)| (?:\[|in ))`)
	reCode      = text.Lazy(`^[\[(]?([A-Z]{1,6}[0-9]{3,5})(?:\([\w-]+\)[^\]]*)?[\])]?[: ]`)
	reRubocop   = text.Lazy(`^([CRWEFI]): (?:\[[^\]]+\] )?[A-Z]\w+`)
	reShellCode = text.Lazy(`\[SC\d{4}\]$`)
	reTailCode  = text.Lazy(`\(([A-Z]{1,3}[0-9]{4})\)$`)
	reTailName  = text.Lazy(`\(([a-z][a-z0-9-]+)\)$`)
)

// severityOf reads the severity and code before a message.
func severityOf(text string) (severity, code string) {
	if m := reSeverity().FindStringSubmatch(text); m != nil {
		code = m[2]
		switch strings.ToLower(m[1]) {
		case "fatal error", "fatal", "failed", "error", "errors", "syntax error", "parse error", "type error":
			return "error", code
		case "warning", "warnings", "style", "convention", "refactor", "deprecated":
			return "warning", code
		case "info", "information", "hint", "remark", "suggestion":
			return "info", code
		}
		return "note", code
	}
	if m := reRubocop().FindStringSubmatch(text); m != nil {
		return "", m[1]
	}
	if m := reCode().FindStringSubmatch(text); m != nil {
		severity, _ = severityOf(strings.TrimSpace(text[len(m[0]):])) // hadolint
		return severity, m[1]
	}
	if m := reTailCode().FindStringSubmatch(text); m != nil {
		return "", m[1]
	}
	return "", ""
}

// reGoUnread is what go's compiler, or a tool that has to read the code, says of code that does not build.
var reGoUnread = text.Lazy(`^(?:syntax error|expected |undefined: |cannot use |could not import |no required module |` +
	`package \S+ is not in |missing return|not enough |too many |invalid operation)|` +
	` (?:declared|imported) and not used| has no field or method | redeclared |\((?:typecheck|compile)\)$`)

func diagKind(g Diag, runner string) string {
	ext := strings.ToLower(path.Ext(g.File))
	switch {
	case strings.HasPrefix(g.Code, "TS"):
		return KindType
	case ext == ".py" || ext == ".pyi":
		if g.Severity == "error" && g.Code == "" {
			return KindType
		}
		return KindLint
	case g.Severity == "error":
		return KindCompile
	case ext == ".go" && g.Code == "" && (runner == "go build" || reGoUnread().MatchString(g.Text)):
		return KindCompile
	case strings.Contains(g.Text, "undefined reference") || strings.Contains(g.Text, "multiple definition"):
		return KindCompile
	}
	return KindLint
}

// runnerRow names the tool that writes such findings about files with one of these
// extensions. says is matched with the severity, the code and the text.
type runnerRow struct {
	exts, says, name string
}

const (
	cExts  = ".c .cc .cpp .cxx .h .hh .hpp .hxx .m .mm .c++ .inl"
	tsExts = ".ts .tsx .mts .cts .vue .svelte"
	jsExts = ".js .jsx .mjs .cjs"
)

var runnerRows = []runnerRow{
	{".go", `\([A-Z]{1,3}[0-9]{4}\)$`, "staticcheck"}, {".go", `\([a-z][a-z0-9-]+\)$`, "golangci-lint"},
	{".go", `^\S*\|\S*\|(?:\S+ (?:format %|call (?:has|needs) )|.*passes lock by value)`, "go vet"}, {".go", "", "go build"},
	{".py .pyi", `error: .*\]$`, "mypy"}, {".py .pyi", `\|[CRWEFI]\d{4}\|`, "pylint"},
	{".py .pyi", `^error\|.*\(report`, "pyright"}, {".py .pyi", `^error\|`, "mypy"},
	{".py .pyi", `^\w*\|\w`, "flake8"}, {".py .pyi", "", "python linter"},
	{tsExts + " " + jsExts, `\|TS`, "tsc"}, {tsExts, "", "typescript"}, {jsExts, "", "javascript linter"},
	{".java", "", "javac"}, {".kt .kts", "", "kotlinc"}, {".scala", "", "scalac"},
	{cExts, `\|C\d{4}\|`, "MSVC"}, {cExts, `undefined reference|multiple definition`, "ld"}, {cExts, "", "C compiler"},
	{".cs .fs .vb", "", "dotnet build"}, {".swift", "", "swift build"}, {".rb", "", "rubocop"},
	{".php", "", "php"}, {".sh .bash", "", "shellcheck"}, {".ex .exs", "", "elixirc"},
	{".rs", "", "rustc"}, {".hs", "", "ghc"},
}

// runnerSays are the expressions of runnerRows, compiled once.
var runnerSays = sync.OnceValue(func() []*regexp.Regexp {
	out := make([]*regexp.Regexp, len(runnerRows))
	for i, x := range runnerRows {
		out[i] = regexp.MustCompile(x.says)
	}
	return out
})

// RunnerOf names the tool by what it writes and about which files.
func (r *DiagReader) RunnerOf(g Diag) string {
	ext, said := strings.ToLower(path.Ext(g.File)), g.Severity+"|"+g.Code+"|"+g.Text
	if ext == ".go" && (r.goPkg == "" || r.vet) && !reTailName().MatchString(said) && !reTailCode().MatchString(said) {
		return "go vet"
	}
	for i, x := range runnerRows {
		if ext != "" && slices.Contains(strings.Fields(x.exts), ext) && runnerSays()[i].MatchString(said) {
			return x.name
		}
	}
	return "compiler"
}

// annotationText undoes the escapes of annotations.
var annotationText = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("%0A", "\n", "%0D", "", "%2C", ",", "%3A", ":", "%25", "%")
})

// annotation reads "::error file=a.js,line=1,col=2::message" of GitHub Actions.
func annotation(s string) (Diag, bool) {
	head, msg, ok := strings.Cut(s[2:], "::")
	if !ok {
		return Diag{}, false
	}
	level, args, _ := strings.Cut(head, " ")
	g := Diag{Severity: level, Text: annotationText().Replace(msg)}
	for _, kv := range strings.Split(args, ",") {
		k, v, _ := strings.Cut(kv, "=")
		switch strings.TrimSpace(k) {
		case "file":
			g.File = v
		case "line":
			g.Line = text.Atoi(v)
		case "col", "column":
			g.Col = text.Atoi(v)
		case "title":
			g.title = annotationText().Replace(v)
		}
	}
	return g, g.File != "" && g.Text != ""
}
