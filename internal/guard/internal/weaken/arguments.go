package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	assertCall = pattern.Lazy(`(?i)(assert|expect|should|require|verify|refute|equals?|raises|approx|` +
		`must|check)[\w.!]*$`)
	wanted = pattern.Lazy(`(?i)\b(want|wanted|expect|expected|golden|desired)(_?\w*)\s*(:=|=|:)\s*`)
	key    = pattern.Lazy(`^\s*(['"]?[\w-]+['"]?)\s*(:[^:]|=>)`)
)

// checkArguments refuses what would be a further argument of an old assertion, a
// further element of what an old test expects, or a key that stood before.
func (r *reading) checkArguments(h diff.Hunk) string {
	t := r.new
	b := t.Outline.At[h.From]
	_, first := t.Around(h.From, h.From)
	if b == nil || first < 0 || first >= h.To {
		return ""
	}
	changed := fmt.Sprintf("The added line %q changes a value of an old test.",
		diff.Shorten(t.Lines[first]))
	for in := b; in != nil && in.Sort() == source.Container && in.Mark != ":"; in = in.Parent {
		if in.Mark == "(" && assertCall().MatchString(in.Header) {
			return changed
		}
	}
	if b.Mark != "(" && b.Sort() == source.Container && wanted().MatchString(b.Header) &&
		!strings.Contains(b.Header, "struct") {
		if in := strings.TrimSpace(t.Code[first]); !strings.HasPrefix(in, "{") &&
			!strings.HasPrefix(in, "(") && !strings.HasPrefix(in, "[") {
			return changed
		}
	}
	if b.Mark != "{" || b.Sort() != source.Container {
		return ""
	}
	before := map[string]bool{}
	for i := range t.Lines {
		if (i < h.From || i >= h.To) && t.Outline.At[i] == b {
			if m := key().FindStringSubmatch(t.Live[i]); m != nil {
				before[strings.Trim(m[1], `'"`)] = true
			}
		}
	}
	for i := h.From; i < h.To; i++ {
		if m := key().FindStringSubmatch(t.Live[i]); m != nil && t.Outline.At[i] == b &&
			before[strings.Trim(m[1], `'"`)] {
			return changed
		}
	}
	return ""
}
