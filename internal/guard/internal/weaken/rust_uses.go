package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var (
	wholeUse = pattern.Lazy(`^(?:pub(?:\([^)]*\))?\s+)?use\s[^;]*;$`)
	// fromHere is a path that means another place in another module.
	fromHere = pattern.Lazy(`^(?:super|self)::`)
)

// usesFromThere tells, in Rust, the use of a name from the place from which old lines have it: by a
// use of it that says the same path, or of all that is there, in the same block.
func (r *reading) usesFromThere(b binding) bool {
	path := ""
	for fact := range useFacts(r.new.Live[b.line]) {
		if fact.name == b.name {
			path = fact.source
		}
	}
	all, _ := strings.CutSuffix(path, b.name)
	if path == "" || all == "" || all == path {
		return false
	}
	for k, live := range r.new.Live {
		if r.added[k] || !strings.Contains(live, "use") {
			continue
		}
		here := r.new.Outline.At[k] == r.new.Outline.At[b.line]
		facts := useFacts(live)
		if here && facts[importFact{all + "*", "*"}] ||
			(here || !fromHere().MatchString(path)) && facts[importFact{path, b.name}] {
			return true
		}
	}
	return false
}

// useFacts are the names that a line uses, where that is a whole statement.
func useFacts(live string) map[importFact]bool {
	line := strings.TrimSpace(live)
	if !wholeUse().MatchString(line) {
		return nil
	}
	facts, ok := importsOf("rust", []string{line})
	if !ok {
		return nil
	}
	return facts
}
