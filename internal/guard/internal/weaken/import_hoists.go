package weaken

import (
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	elixirAlias = pattern.Lazy(`^alias\s+(?:[\w.]+\.)?([A-Z]\w*)$`)
	elixirOnly  = pattern.Lazy(`^import\s+[\w.]+,\s*only:\s*\[([^\[\]]*)\]$`)
	elixirName  = pattern.Lazy(`(\w+)[?!]?:`)
)

// leavesFunction tells an edit that takes imports out of functions, of names that no old
// line means outside of those: such may stand where all can use them.
func (s *sorter) leavesFunction(e diff.Edit) bool {
	if e.From == e.To || len(s.new.Statements(e.At, e.At+len(e.New))) > 0 || len(commandsIn(s.old, e.From, e.To)) > 0 {
		return false
	}
	for i := e.From; i < e.To; i++ {
		if s.old.Blank(i) {
			continue
		}
		names, ok := s.boundBy(strings.TrimSpace(s.old.Live[i]))
		if !ok || !s.meantWithImport(names, i) {
			return false
		}
	}
	return true
}

// boundBy gives the names that a whole import binds. It is not ok for what is none, and for
// one that does not say them all.
func (s *sorter) boundBy(statement string) (names []string, ok bool) {
	switch s.lang.Name {
	case "python":
		facts, ok := importsOf("python", []string{statement})
		for fact := range facts {
			if fact.name == "*" {
				return nil, false
			}
			bound, _, _ := strings.Cut(fact.name, ".")
			names = append(names, bound)
		}
		return names, ok && len(names) > 0
	case "elixir":
		if m := elixirAlias().FindStringSubmatch(statement); m != nil {
			return m[1:], true
		}
		m := elixirOnly().FindStringSubmatch(statement)
		if m == nil {
			return nil, false
		}
		for _, name := range elixirName().FindAllStringSubmatch(m[1], -1) {
			names = append(names, name[1])
		}
		return names, len(names) > 0
	}
	return nil, false
}

// meantWithImport tells names that old lines mean only where an import as that of line i
// stands in their own function.
func (s *sorter) meantWithImport(names []string, i int) bool {
	statement := strings.TrimSpace(s.old.Live[i])
	var around []*source.Block
	for k, live := range s.old.Live {
		if b := s.old.Outline.At[k]; strings.TrimSpace(live) == statement {
			if b == nil || b.Sort() != source.Function {
				return false
			}
			around = append(around, b)
		}
	}
	for _, name := range names {
		others := s.importersOf(name)
		for _, b := range around {
			if within(b.Parent, others) {
				return false // without its own, a function has the name of the one around it
			}
		}
		for k, code := range s.old.Code {
			if at := s.old.Outline.At[k]; source.UsesOf([]string{code}).Alone[name] &&
				!within(at, around) && !within(at, others) {
				return false
			}
		}
	}
	return true
}

func within(b *source.Block, blocks []*source.Block) bool {
	return slices.ContainsFunc(blocks, func(around *source.Block) bool { return source.Within(b, around) })
}

// importsWithin tells a name that each old line means by an import of its own function.
func (s *sorter) importsWithin(name string) bool {
	importers := s.importersOf(name)
	for k, code := range s.old.Code {
		if source.UsesOf([]string{code}).Alone[name] && !within(s.old.Outline.At[k], importers) {
			return false
		}
	}
	return len(importers) > 0
}

// importersOf are the functions of Python that import a name for themselves: what a function binds
// anywhere is its own, and none of the file reaches it.
func (s *sorter) importersOf(name string) (functions []*source.Block) {
	if s.lang.Name != "python" {
		return nil
	}
	ofAll := regexp.MustCompile(`^\s*(?:global|nonlocal)\b.*\b` + regexp.QuoteMeta(name) + `\b`)
	for k, live := range s.old.Live {
		if ofAll.MatchString(live) {
			return nil
		}
		b := s.old.Outline.At[k]
		if b == nil || !strings.Contains(live, name) || !pythonFunction().MatchString(b.Header) {
			continue
		}
		if names, ok := s.boundBy(strings.TrimSpace(live)); ok && slices.Contains(names, name) {
			functions = append(functions, b)
		}
	}
	return functions
}

var pythonFunction = pattern.Lazy(`^(?:async\s+)?def\s`)
