package mutant

import (
	"regexp"
	"sort"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/lexer"
)

// A Mutant is a file with one small change.
type Mutant struct {
	Path string
	Line int
	// Place numbers the run of changed lines that it stands in.
	Place int
	// Was and Now are the line before and after, What names the change in a few words.
	Was, Now string
	What     string
	// text is the whole file, line what is put between two bytes of it: a large change has
	// tens of thousands of mutants, of which a few are tried.
	text, line string
	from, to   int
}

// Text is the file with the change.
func (m Mutant) Text() []byte { return []byte(m.text[:m.from] + m.line + m.text[m.to:]) }

// known are the languages whose operators and statements are the usual ones.
var known = map[string]bool{
	"go": true, "python": true, "js": true, "java": true, "kotlin": true, "csharp": true, "ruby": true, "rust": true,
	"php": true, "c": true,
}

// Readable reports whether mutants can be made of a file, by its name.
func Readable(path string) bool {
	l := lexer.Of(path)
	return l != nil && known[l.Name]
}

// Of gives the mutants of a file whose changed lines are given, counted from 1; in
// order of place. None says the same as another.
func Of(path string, text []byte, changed map[int]bool) []Mutant {
	l := lexer.Of(path)
	if l == nil || !known[l.Name] {
		return nil
	}
	src := lexer.Lex(l, string(text))
	f := &file{path: path, lang: l.Name, text: src.Text, code: strings.Split(src.Code(), "\n"),
		lines: strings.Split(src.Text, "\n"), seen: map[string]bool{}}
	f.places = placesOf(f.lines, changed)
	at, directive := 0, false // a directive of C goes on behind a backslash
	for i, code := range f.code {
		directive = l.Name == "c" &&
			(strings.HasPrefix(strings.TrimSpace(code), "#") ||
				directive && strings.HasSuffix(f.code[i-1], "\\"))
		if changed[i+1] && !directive && worthwhile(f.lang, code) && !f.continuesText(src.Kind, at) {
			f.line(i, at)
		}
		at += len(f.lines[i]) + 1
	}
	sort.SliceStable(f.out, func(i, j int) bool { return f.out[i].Line < f.out[j].Line })
	return f.out
}

// file is a source under way.
type file struct {
	path, lang, text string
	// code are the lines with comments and the insides of texts blanked, lines as they are.
	code, lines []string
	seen        map[string]bool
	places      map[int]int
	out         []Mutant
}

// continuesText reports whether a line begins within a comment or a text.
func (f *file) continuesText(kind []byte, at int) bool {
	return at > 0 && at < len(kind) && kind[at] != lexer.InCode && kind[at-1] == kind[at]
}

// line makes the mutants of one line, which begins at byte at of the file.
func (f *file) line(i, at int) {
	for _, o := range operators() {
		for _, m := range o.where.FindAllStringSubmatchIndex(f.code[i], -1) {
			from, to := m[2], m[3]
			if o.fits != nil && !o.fits(f.lang, f.code[i], from, to) {
				continue
			}
			for _, now := range o.now(f.lang, f.code[i][from:to]) {
				f.add(i, at, from, to, now, o.what)
			}
		}
	}
	f.condition(i, at)
	f.statement(i, at)
	f.result(i, at)
}

// add keeps a mutant that puts now in the place of some bytes of a line.
func (f *file) add(i, at, from, to int, now, what string) {
	was := f.lines[i]
	line := was[:from] + now + was[to:]
	key := strings.Join(strings.Fields(line), " ")
	if key == strings.Join(strings.Fields(was), " ") || f.seen[key+"\x00"+f.lines[i]] {
		return
	}
	f.seen[key+"\x00"+f.lines[i]] = true
	f.out = append(f.out, Mutant{Path: f.path, Line: i + 1, Place: f.places[i+1], Was: strings.TrimSpace(was), Now: strings.TrimSpace(line),
		What: what, text: f.text, line: line, from: at, to: at + len(was)})
}

// worthwhile reports whether a line does something that a test could notice: it is
// neither a declaration of what is imported or said to a compiler, nor a log.
func worthwhile(lang, code string) bool {
	return strings.TrimSpace(code) != "" && !frames().MatchString(code) && !says().MatchString(code) &&
		!(lang != "python" && lang != "ruby" && lang != "php" &&
			strings.HasPrefix(strings.TrimSpace(code), "#")) &&
		!(lang != "ruby" && strings.HasPrefix(strings.TrimSpace(code), "@"))
}

var (
	// frames begins a line that names, imports or declares.
	frames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:<\?php)?\s*(?:import|from|package|use|using|require|require_relative|require_once|include|` +
			`include_once|declare|namespace|extern|typedef|type|interface|mod|module\.exports)\b|^\s*(?:export\s+)?(?:type|interface)\s`)
	})
	// says is a line that only tells somebody something.
	says = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^\s*(?:await\s+)?(?:(?:self|this|[a-z]\w?)[.])?_?(?:log|logger|logging|slog|console|klog|zap|warnings|` +
			`Log|LOG|tracing|trace|debug|info|warn|error)(?:[.!]|::|->)\w+!?\s*\(|^\s*(?:fmt\.Print|fmt\.Fprint|System\.(?:out|err)|print(?:ln|f)?!?\s*\(|` +
			`e?println!|debug!|info!|warn!|error!|puts\b|p\s|echo\b|printf\s*\(|fprintf\s*\(|std::c(?:out|err)|Console\.Write)`)
	})
)
