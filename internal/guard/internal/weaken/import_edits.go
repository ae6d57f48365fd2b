package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// growsImports tells imports of which none is lost, and none that is new takes the
// place of a name that old lines use. One edit alone leaves all other imports where they stand.
func (s *sorter) growsImports(before, after []string, alone bool) bool {
	was, okBefore := importsOf(s.lang.Name, before)
	now, okAfter := importsOf(s.lang.Name, after)
	if !okBefore || !okAfter || len(was) == 0 {
		return false
	}
	for fact := range was {
		if !now[fact] && !now[importFact{"@testable " + fact.source, "@testable " + fact.name}] {
			return false
		}
	}
	used := source.UsesOf(slices.DeleteFunc(slices.Clone(s.old.Code), func(code string) bool {
		return source.Imported().MatchString(code) // a module may bear the name of what is in it
	})).Alone
	means := func(name string) bool {
		return used[name] && s.lang.Name != "go" && !(s.lang.Name == "js" &&
			newReading(s.file, s.old.Lines, s.old.Lines).isElsewhereBound(name)) && !(alone && s.importsWithin(name))
	}
	for fact := range now {
		if !was[fact] && (fact.name == "*" || means(fact.name) ||
			strings.HasPrefix(fact.source, "use ") || // what Elixir uses runs
			s.rebinds(fact, used)) {
			return false
		}
	}
	return true
}

// importsAtOnce takes the edits of nothing but imports of the whole file together:
// an import may be moved, and grow in another place. It gives the edits without them.
func (s *sorter) importsAtOnce(edits []diff.Edit) (neutral, rest []diff.Edit) {
	var before, after []string
	for _, e := range edits {
		was, now := s.old.Statements(e.From, e.To), s.new.Statements(e.At, e.At+len(e.New))
		if !s.importsOnly(s.old, e.From, e.To) && !s.leavesFunction(e) || !s.importsOnly(s.new, e.At, e.At+len(e.New)) ||
			len(was)+len(now) == 0 {
			rest = append(rest, e)
			continue
		}
		neutral, before, after = append(neutral, e), append(before, was...), append(after, now...)
	}
	if len(neutral) < 2 || !s.growsImports(before, after, false) {
		return nil, edits
	}
	return neutral, rest
}

// importsOnly tells lines outside of blocks that hold imports, or nothing that runs.
func (s *sorter) importsOnly(t *source.Text, from, to int) bool {
	for i := from; i < to; i++ {
		if b := t.Outline.At[i]; b != nil && b.Sort() != source.Container ||
			len(commandsIn(t, i, i+1)) > 0 {
			return false
		}
	}
	lines := t.Statements(from, to)
	_, ok := importsOf(s.lang.Name, lines)
	return ok || len(lines) == 0
}

// rebinds tells an import, read as a line, that binds a name which old lines use.
func (s *sorter) rebinds(fact importFact, used map[string]bool) bool {
	switch s.lang.Name {
	case "swift":
		if !swiftName().MatchString(fact.source) {
			return false // a module, and all that is in it
		}
		fallthrough
	case "java", "kotlin", "csharp", "dart", "elixir":
		return slices.ContainsFunc(source.ImportedNames(s.lang.Name, fact.source),
			func(name string) bool { return used[name] })
	}
	return false
}

// swiftName is the import of one name.
var swiftName = pattern.Lazy(`^(@\w+\s+)?import\s+(func|var|let|struct|class|enum|protocol|typealias)\s`)
