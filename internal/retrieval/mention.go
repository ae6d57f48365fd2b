package retrieval

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// mentions are the files, folders and names that a text mentions.
type mentions struct {
	// files maps a file to the confidence that it is meant, from 0 to 1; order is the
	// position of its first mention among the files.
	files map[int32]float64
	order map[int32]int
	lines map[int32][]int
	dirs  map[int32]bool
	// names maps an identifier to how much it looks like code, from 0 to 1.
	names map[string]float64
}

// maxMentionText bounds the text that is searched for names.
const maxMentionText = 256 << 10

// mentioned searches a text for names of files and of what files define.
func (ix *Index) mentioned(text string) *mentions {
	m := &mentions{files: map[int32]float64{}, order: map[int32]int{}, lines: map[int32][]int{},
		dirs: map[int32]bool{}, names: map[string]float64{}}
	text = text[:min(len(text), maxMentionText)]
	ix.paths(text, m)
	identifiers(text, m)
	for _, i := range ix.odd {
		if strings.Contains(text, ix.docs[i].path) {
			m.file(i, 1, 0)
		}
	}
	return m
}

func (m *mentions) file(i int32, sure float64, line int) {
	if _, ok := m.order[i]; !ok {
		m.order[i] = len(m.order)
	}
	m.files[i] = max(m.files[i], sure)
	if line > 0 && len(m.lines[i]) < 20 {
		m.lines[i] = append(m.lines[i], line)
	}
}

func pathByte(c byte) bool {
	return letter(c) || digit(c) || strings.IndexByte("_-./\\@+~[]", c) >= 0
}

// paths finds anything that looks like a path, with the line number after it, if any.
func (ix *Index) paths(text string, m *mentions) {
	for i := 0; i < len(text); {
		if !pathByte(text[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(text) && pathByte(text[j]) {
			j++
		}
		if token := strings.Trim(text[i:j], "[]"); len(token) > 2 && len(token) < 300 &&
			strings.ContainsAny(token, "./\\") {
			ix.path(strings.ReplaceAll(token, "\\", "/"), lineAfter(text[j:]), m)
		} else if len(token) > 3 {
			if n := ix.called(token); len(n) == 1 && !strings.Contains(ix.docs[n[0]].path, ".") {
				m.file(n[0], 0.5, 0) // Makefile, Dockerfile
			}
		}
		i = j
	}
}

// lineAfter reads the line number after a path: `:12`, `(12,5)`, `", line 12`,
// ` line 12`.
func lineAfter(s string) int {
	s = s[:min(len(s), 30)]
	for _, k := range []string{":", "(", "\", line ", "', line ", ", line ", " line ", ": line ", ", "} {
		if rest, ok := strings.CutPrefix(s, k); ok {
			j := 0
			for j < len(rest) && j < 7 && digit(rest[j]) {
				j++
			}
			if n, err := strconv.Atoi(rest[:j]); err == nil {
				return n
			}
		}
	}
	return 0
}

func (ix *Index) path(token string, line int, m *mentions) {
	token = strings.TrimRight(token, ".")
	relative := strings.HasPrefix(token, ".")
	for strings.HasPrefix(token, "./") || strings.HasPrefix(token, "../") {
		_, token, _ = strings.Cut(token, "/")
	}
	if token == "" || strings.Contains(token, "://") {
		return
	}
	clean := strings.Trim(path.Clean(token), "/")
	for rest, cut := clean, 0; ; cut++ { // an absolute path, or one of another machine
		if i, ok := ix.number(rest); ok {
			sure := 1.0
			if cut > 0 && !strings.Contains(rest, "/") {
				sure = 0.6
			}
			m.file(i, sure, line)
			return
		}
		if cut == 0 {
			if n, ok := ix.dirNumber[rest]; ok && strings.Contains(token, "/") {
				m.dirs[n] = true
				return
			}
			if ix.tail(rest, line, m) {
				return
			}
		}
		var ok bool
		if _, rest, ok = strings.Cut(rest, "/"); !ok {
			break
		}
	}
	if strings.Contains(clean, "/") || relative {
		ix.withoutExtension(clean, line, m)
	}
	if !strings.Contains(clean, "/") {
		ix.dotted(clean, line, m)
	}
}

// tail finds files whose path ends with p: a bare name, or a path as seen from
// a folder below the root.
func (ix *Index) tail(p string, line int, m *mentions) bool {
	var found []int32
	for _, i := range ix.called(base(p)) {
		if q := ix.docs[i].path; q == p || strings.HasSuffix(q, "/"+p) {
			found = append(found, i)
		}
	}
	if len(found) == 0 || len(found) > 12 {
		return false
	}
	for _, i := range found {
		m.file(i, 0.9/float64(len(found)), line)
	}
	return true
}

// withoutExtension finds the file of an import without an extension.
func (ix *Index) withoutExtension(p string, line int, m *mentions) {
	list := ix.stemmed(base(p))
	if len(list) == 0 || len(list) > 4 {
		return
	}
	for _, i := range list {
		if ix.docs[i].lang.code() {
			m.file(i, 0.7/float64(len(list)), line)
		}
	}
}

// dotted finds the file of a.b.Name: a Python module, a Java class.
func (ix *Index) dotted(p string, line int, m *mentions) {
	parts := strings.Split(p, ".")
	if len(parts) < 2 || len(parts) > 12 {
		return
	}
	for n := len(parts); n > 0; n-- {
		list := ix.stemmed(parts[n-1])
		if len(list) > 50 {
			continue
		}
		want := strings.Join(parts[:n], "/")
		for _, i := range list {
			d := &ix.docs[i]
			if !d.lang.code() || n == 1 && d.lang != python {
				continue
			}
			q := strings.TrimSuffix(d.path, path.Ext(d.path))
			if q == want || strings.HasSuffix(q, "/"+want) {
				sure := 0.8
				if n == 1 {
					sure = 0.3
				}
				m.file(i, sure/float64(len(list)), line)
				return
			}
		}
	}
}

// namesIn returns only the names that a text mentions.
func namesIn(text string) *mentions {
	m := &mentions{names: map[string]float64{}}
	identifiers(text, m)
	return m
}

// identifiers finds words that may be names of functions and types. Those in backticks,
// before a parenthesis or written in a style that only code uses count fully.
func identifiers(text string, m *mentions) {
	fence, tick := false, false
	for line := range lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fence, tick = !fence, false
			continue
		}
		end := 0
		eachName(line, func(i, j int) {
			tick = tick != (strings.Count(line[end:i], "`")%2 == 1)
			scope := i > 0 && line[i-1] == '(' && j+1 < len(line) && line[j:j+2] == "):" // fix(parser): …
			m.name(line[i:j], fence || tick || scope, j < len(line) && line[j] == '(')
			end = j
		})
		tick = false
	}
}

func (m *mentions) name(w string, marked, called bool) {
	if len(w) < 3 || len(w) > 80 || len(m.names) > 4000 {
		return
	}
	like := 0.3
	inner := strings.TrimLeft(w, "_")
	switch {
	case called || marked:
		like = 1
	case strings.Contains(inner, "_") || mixedCase(inner) || numbered(inner):
		like = 0.9
	case len(w) < 4:
		return
	}
	m.names[w] = max(m.names[w], like)
}

// sortedNames returns the names in a fixed order, since sums of floating point numbers
// depend on it.
func (m *mentions) sortedNames() []string { return slices.Sorted(maps.Keys(m.names)) }

// numbered reports whether a name is several letters followed by digits: Total500.
func numbered(s string) bool {
	stem := strings.TrimRight(s, "0123456789")
	return len(stem) < len(s) && len(stem) >= 4 && upper(s[0]) && !upper(s[1])
}

// mixedCase distinguishes fooBar and FooBar from Foo and FOO.
func mixedCase(s string) bool {
	for i := 1; i < len(s); i++ {
		if upper(s[i]) && letter(s[i-1]) && !upper(s[i-1]) {
			return true
		}
	}
	return false
}
