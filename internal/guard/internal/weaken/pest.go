package weaken

import "github.com/booty-cli/booty/internal/guard/internal/pattern"

// skipsPest is the end of a case of Pest that is not to run, or not yet, or not everywhere.
var skipsPest = pattern.Lazy(`^\s*\}\s*\)(?:\s*->\s*(?:with|group|covers)\([^()]*\))*\s*->\s*(skip|todo)\(`)

// pestCase begins a case of Pest, outside of all others or in a group.
var pestCase = pattern.Lazy(`^\s*(?:it|test)\s*\(\s*['"]`)

// withoutPestSkip blanks the word that skips a case of Pest which was added whole: one more
// case that does not run keeps no old one from running.
func (r *reading) withoutPestSkip(i int, code string) string {
	m, b := skipsPest().FindStringSubmatchIndex(code), r.new.Outline.At[i]
	if m == nil || b == nil || len(r.old.Lines) > 0 && !r.added[b.Line] || !pestCase().MatchString(r.new.Live[b.Line]) {
		return code
	}
	return blanked(code, m[2], m[3])
}
