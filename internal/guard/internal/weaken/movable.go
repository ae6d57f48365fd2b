package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// What may be moved: whole cases, helpers and types, which say the same wherever they stand
// among their like. What runs when it is read does not.

// runsOnce is what runs as a class or a file is made: there the order counts.
var (
	runsOnce = pattern.Lazy(`^\s*(static|init)\s*\{|^func\s+init\(`)
	computed = pattern.Lazy(`[^=!<>]=[^=>].*\(`)
)

// movable tells whole declarations beside which nothing belongs to them.
func (s *sorter) movable(t *source.Text, from, to int) bool {
	b := t.Outline.At[from]
	if to-from < 2 || !s.declaresAt(b) || s.belongsToNext(t, to-1) {
		return false
	}
	if s.lang.Indent {
		next := to // the indentation of a blank line says nothing
		for next < len(t.Lines) && t.Blank(next) {
			next++
		}
		if !source.Within(b, t.Outline.At[next]) {
			return false
		}
	} else if t.Outline.At[to] != b {
		return false
	}
	before, _ := t.Around(from, from)
	return (before < 0 || !s.belongsToNext(t, before)) && s.declaresOnly(t, from, to)
}

// belongsToNext tells an annotation, or the end of one, which the next line bears.
func (s *sorter) belongsToNext(t *source.Text, i int) bool {
	if b := t.Outline.At[i]; b != nil && b.Line < i && b.Mark != ":" && source.Closing().MatchString(t.Code[i]) {
		i = b.Line
	}
	line := strings.TrimRight(t.Code[i], "\r\n")
	return annotation().MatchString(line) || s.lang.Name == "python" && strings.HasPrefix(strings.TrimSpace(line), "@")
}

// itemsAlone is the head of a module of Rust, which holds nothing but declarations wherever it
// stands: in a function, or in what a macro makes.
var itemsAlone = pattern.Lazy(`^(pub(\([^)]*\))?\s+)?mod\s+\$?\w+$`)

// groupsCases are functions that make cases as they run, by language.
var groupsCases = map[string]func() *pattern.Pattern{
	"dart":  pattern.Lazy(`\b(main|group)\(`),
	"swift": pattern.Lazy(`\bfunc\s+spec\(`),
}

// declaresAt tells a place where cases and helpers are declared.
func (s *sorter) declaresAt(b *source.Block) bool {
	groups := groupsCases[s.lang.Name]
	for ; b != nil && !itemsAlone().MatchString(b.Header); b = b.Parent {
		if b.Sort() != source.Container && !source.Group().MatchString(b.Header) &&
			(groups == nil || !groups().MatchString(b.Header)) {
			return false
		}
	}
	return true
}

var (
	// caseHead begins a case, a group of them, or what runs around them.
	caseHead = pattern.Lazy(`^\s*(it|test|describe|context|group|suite|specify|scenario|feature|property|subtest|` +
		`testWidgets|example|let!?|subject!?|shared_\w+|[xf]?(it|describe|context)|bench(mark)?|[A-Z][A-Z0-9_]*TEST\w*|` +
		`TEST\w*|BENCHMARK\w*|before\w*|after\w*|set_?[uU]p\w*|tear_?[dD]own\w*|@test)\b`)
	// arrowHead gives a function a name.
	arrowHead = pattern.Lazy(`^\s*(?:export\s+)?(?:local\s+)?(?:const|let|var)?\s*(\w+)\s*(?::[^=]+)?=\s*(?:async\s+)?` +
		`(?:function\b|(?:\([^()]*\)|\w+)\s*(?::\s*[\w<>\[\]. |]+)?\s*=>)`)
	// typedField is a variable of a class, or of a file, in a language that runs no file.
	typedField = map[string]bool{"java": true, "kotlin": true, "csharp": true, "swift": true, "go": true, "rust": true,
		"c": true, "php": true}
	// runsInOrder are languages in which the later of two declarations of a name counts, or the
	// first that fits.
	runsInOrder = map[string]bool{"js": true, "python": true, "ruby": true, "elixir": true, "lua": true, "perl": true,
		"shell": true}
)

// declaresOnly tells lines that are declarations, and of names that nothing beside them declares.
func (s *sorter) declaresOnly(t *source.Text, from, to int) bool {
	b := t.Outline.At[from]
	own := map[string]bool{}
	inMain := b != nil && b.Sort() == source.Function && !source.Group().MatchString(b.Header)
	for i := from; i < to; i++ {
		code := strings.TrimRight(t.Code[i], "\r\n")
		if t.Outline.At[i] != b || t.Blank(i) || source.Closing().MatchString(code) || annotation().MatchString(code) ||
			i > from && s.continues(t, i) {
			continue
		}
		names := s.declaredIn(t)[i]
		for _, name := range names {
			own[name] = true
		}
		switch {
		case caseHead().MatchString(code):
		case inMain: // what else is said there runs with the cases
			return false
		case runsOnce().MatchString(code), len(names) == 0 && (computed().MatchString(code) ||
			!typedField[s.lang.Name] && !strings.HasPrefix(strings.TrimSpace(code), "@")):
			return false
		}
	}
	if !runsInOrder[s.lang.Name] {
		return true
	}
	for i, names := range s.declaredIn(t) {
		if len(names) > 0 && (i < from || i >= to) && t.Outline.At[i] == b && slices.ContainsFunc(names,
			func(name string) bool { return own[name] }) {
			return false
		}
	}
	return true
}

// continues tells a line that goes on with the head above it, or with a text that began there.
func (s *sorter) continues(t *source.Text, i int) bool {
	code := strings.TrimSpace(t.Code[i])
	above := strings.TrimSpace(t.Code[i-1])
	return code == "" || code[0] == '{' || above != "" && strings.ContainsAny(above[len(above)-1:], ",(=\\") ||
		s.lang.Name == "elixir" && code[0] == '%'
}

// declaredIn gives what each line declares.
func (s *sorter) declaredIn(t *source.Text) [][]string {
	if names, known := s.names[t]; known {
		return names
	}
	names := make([][]string, len(t.Code))
	for i, code := range t.Code {
		if !t.Blank(i) {
			names[i] = s.declared(code)
		}
	}
	if s.names == nil {
		s.names = map[*source.Text][][]string{}
	}
	s.names[t] = names
	return names
}

// declared are the functions, types and hooks that a line declares.
func (s *sorter) declared(code string) (names []string) {
	code = strings.TrimRight(code, "\r\n")
	if m := source.Declared().FindStringSubmatch(code); m != nil {
		names = append(names, m[1])
	} else if m := arrowHead().FindStringSubmatch(code); m != nil {
		names = append(names, m[1])
	} else if m := source.Method().FindStringSubmatch(code); m != nil && typedField[s.lang.Name] {
		names = append(names, m[1])
	} else if m := hook().FindStringSubmatch(code); m != nil {
		names = append(names, m[1])
	} else {
		bound, _ := source.Binds(s.lang, code, code)
		if s.lang.Name == "shell" || s.lang.Name == "ruby" && strings.Contains(code, ":") {
			names = bound
		}
	}
	return names
}

// hook runs around cases, in the order in which those of a name stand.
var hook = pattern.Lazy(`^\s*(before\w*|after\w*|around|set_?up\w*|setUp\w*|tear_?[dD]own\w*|teardown\w*)\b`)
