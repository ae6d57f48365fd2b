package specs

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
)

// row describes the markers of one language.
type row struct {
	exts []string
	lang *language
	// words: a file with none of them has no marker.
	words   []string
	markers []marker
}

// marker is one way to keep a test from running.
type marker struct {
	// name is the usual name; if empty, find returns it.
	name string
	find func(s *source, name string) []Spec
}

// table is built on first use.
var table = sync.OnceValue(func() []row {
	double, single := quote{open: `"`, close: `"`}, quote{open: "'", close: "'"}
	triple := quote{open: `"""`, close: `"""`, multi: true}
	cLike := &language{
		line: []string{"//"}, block: [2]string{"/*", "*/"}, quotes: []quote{triple, double, single},
	}
	return []row{
		{
			exts: []string{".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts"},
			lang: &language{
				line: []string{"//"}, block: [2]string{"/*", "*/"}, regexps: true,
				quotes: []quote{double, single, {open: "`", close: "`", multi: true}},
			},
			words:   []string{".fixme", ".todo"},
			markers: []marker{{"", findScript}},
		},
		{
			exts: []string{".py"},
			lang: &language{
				line:   []string{"#"},
				quotes: []quote{triple, {open: "'''", close: "'''", multi: true}, double, single},
			},
			words:   []string{"booty", "Booty", "BOOTY"},
			markers: []marker{{"", findPytest}},
		},
		{
			exts: []string{".go"},
			lang: &language{
				line: []string{"//"}, block: [2]string{"/*", "*/"},
				quotes: []quote{double, single, {open: "`", close: "`", multi: true, raw: true}},
			},
			words:   []string{".Skip"},
			markers: []marker{{"t.Skip", findGo}},
		},
		{
			exts: []string{".rs"},
			lang: &language{
				line: []string{"//"}, block: [2]string{"/*", "*/"}, nested: true, hashes: true,
				lifetimes: true,
				quotes:    []quote{{open: `"`, close: `"`, multi: true}, single},
			},
			words:   []string{"ignore"},
			markers: []marker{{"#[ignore]", findRust}},
		},
		{
			exts: []string{".java", ".kt", ".kts", ".groovy", ".scala"}, lang: cLike,
			words:   []string{"@Disabled"},
			markers: []marker{{"@Disabled", findJUnit}},
		},
		{
			exts: []string{".rb"},
			lang: &language{
				line: []string{"#"}, block: [2]string{"=begin", "=end"}, heredocs: true, regexps: true,
				quotes: []quote{double, single},
			},
			words:   []string{"xit", "pending"},
			markers: []marker{{"xit", findExcluded}, {"pending", findPending}},
		},
		{
			exts: []string{".exs", ".ex"},
			lang: &language{line: []string{"#"},
				quotes: []quote{triple, {open: "'''", close: "'''", multi: true}, double, single}},
			words:   []string{":booty", "booty:"},
			markers: []marker{{"@tag :booty", findTag}},
		},
	}
})

// Words returns words of which every file with a known marker contains one.
func Words() []string {
	var all []string
	for _, r := range table() {
		all = append(all, r.words...)
	}
	return all
}

// markersOf returns the row for a file name, or nil.
func markersOf(name string) *row {
	ext := path.Ext(name)
	for i, r := range table() {
		for _, e := range r.exts {
			if e == ext {
				return &table()[i]
			}
		}
	}
	return nil
}

func (r *row) mayHold(data []byte) bool {
	for _, w := range r.words {
		if bytes.Contains(data, []byte(w)) {
			return true
		}
	}
	return false
}

// once compiles an expression on first use.
func once(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

var (
	goSkip = once(`\.Skipf?\(`)
	goTest = once(`func (?:\([^)]*\) )?((?:Test|Fuzz|Benchmark|Example)\w*)\(`)
	goSub  = once(`\.Run\(\s*`)
)

// findGo finds t.Skip("booty: …"), which is removed as a whole statement.
func findGo(s *source, name string) []Spec {
	if !strings.HasSuffix(s.path, "_test.go") {
		return nil
	}
	var out []Spec
	for _, m := range s.matches(goSkip()) {
		end := s.closing(m[1] - 1)
		if end < 0 {
			continue
		}
		title, ok := s.reason(m[1], s.skip(m[1])+1)
		from := m[0]
		for from > 0 && isWord(s.data[from-1]) {
			from-- // the receiver
		}
		if !ok || from == m[0] {
			continue
		}
		test := s.text(s.before(goTest(), m[0]), 1)
		if sub := s.before(goSub(), m[0]); sub != nil && sub[0] > s.testAt(goTest(), m[0]) {
			if text, _, ok := s.literal(sub[1]); ok {
				test += "/" + text
			}
		}
		spec := s.spec(name, title, test, from, s.without(from, end))
		spec.Bodyless = s.aloneInBraces(from, end)
		out = append(out, spec)
	}
	return out
}

// aloneInBraces reports whether the statement is alone in its block.
func (s *source) aloneInBraces(from, to int) bool {
	if after := s.skip(to); after >= len(s.data) || s.data[after] != '}' {
		return false
	}
	for from--; from >= 0 && (s.kind[from] == inComment ||
		strings.IndexByte(" \t\r\n", s.data[from]) >= 0); from-- {
		// spaces and comments do nothing
	}
	return from >= 0 && s.data[from] == '{'
}

// testAt returns where the test around i begins, or -1.
func (s *source) testAt(re *regexp.Regexp, i int) int {
	if m := s.before(re, i); m != nil {
		return m[0]
	}
	return -1
}

var (
	rustIgnore = once(`#\[\s*ignore\s*=\s*`)
	rustFn     = once(`\bfn\s+(\w+)`)
)

// findRust finds #[ignore = "booty: …"].
func findRust(s *source, name string) []Spec {
	var out []Spec
	for _, m := range s.matches(rustIgnore()) {
		end := s.closing(m[0] + 1)
		title, ok := s.reason(m[1], m[1]+1)
		if end < 0 || !ok {
			continue
		}
		out = append(out, s.spec(name, title, s.text(s.next(rustFn(), end), 1), m[0], s.without(m[0], end)))
	}
	return out
}

var (
	javaDisabled = once(`@(?:org\.junit\.jupiter\.api\.)?Disabled\s*\(`)
	javaTest     = once("\\b(?:class|fun|def)\\s+(?:`([^`]+)`|(\\w+))|\\b(\\w+)\\s*\\([^;{]*\\)\\s*(?:throws [^{;]+)?\\{")
)

// findJUnit finds @Disabled("booty: …") of a test or a class.
func findJUnit(s *source, name string) []Spec {
	var out []Spec
	for _, m := range s.matches(javaDisabled()) {
		end := s.closing(m[1] - 1)
		if end < 0 {
			continue
		}
		title, ok := s.reason(m[1], end)
		if !ok {
			continue
		}
		test := s.next(javaTest(), end)
		named := s.text(test, 1) + s.text(test, 2) + s.text(test, 3)
		out = append(out, s.spec(name, title, named, m[0], s.without(m[0], end)))
	}
	return out
}

var (
	elixirTag  = once(`@tag\s+(:booty\b|booty:\s*)`)
	elixirTest = once(`\btest\s*\(?\s*`)
)

// findTag finds @tag :booty and @tag booty: "…", which mix test excludes if ExUnit is
// configured to.
func findTag(s *source, name string) []Spec {
	var out []Spec
	for _, m := range s.matches(elixirTag()) {
		end, title := m[1], ""
		if strings.HasPrefix(s.text(m, 1), "booty") {
			text, to, ok := s.literal(m[1])
			if !ok { // true, or another word
				to = m[1]
				for to < len(s.data) && isWord(s.data[to]) {
					to++
				}
			}
			end, title = to, text
		}
		if !blank(s.data[end : end+lineEnd(s.data[end:])]) {
			continue // one of several tags on a line
		}
		test := ""
		if t := s.next(elixirTest(), end); t != nil {
			test, _, _ = s.literal(t[1])
		}
		if title == "" {
			title = test
		}
		out = append(out, s.spec(name, title, test, m[0], s.without(m[0], end)))
	}
	return out
}
