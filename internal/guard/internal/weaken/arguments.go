package weaken

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	assertCall = pattern.Lazy(`(?i)(assert|expect|should|require|verify|refute|equals?|raises|approx|` +
		`must|check)[\w.!]*$`)
	// asserting is a statement that begins as assertions do, has one of Ruby's, Kotlin's or
	// .NET's behind what it is about, or asserts in brackets; and a comparison by itself.
	asserting = pattern.Lazy(`^\W*(?:\w+(?:\.|->|::))*(?i:XCTAssert|assert|refute|expect|verify)\w*!?(?:[^\w:!]|$)|` +
		`^\s*(?:is|is_deeply|isnt|like|unlike|cmp_ok|cmp_deeply|cmp_bag|cmp_set|eq_or_diff)\b|` +
		`[.\s](?:should|shouldBe|shouldEqual|shouldContain\w*|Should\w*|must_\w+|wont_\w+)\b|\bis_expected\b|` +
		`\b(?i:\w*assert\w*|\w*expect\w*|refute\w*|require)(?:[.:]+\w+)*!?\s*\(|\bDeepEqual\(|` +
		`\bt\.(?:same|strictSame|is|like|match|has)\b|^\s*[\w.()\[\]]+\s*==\s*$`)
	// ofValue ends the head of a literal, and not of a block that is handed over; ofBlock
	// ends that of such a block among the values of a call.
	ofValue = pattern.Lazy(`[=~,:(\[%]\s*$`)
	ofBlock = pattern.Lazy(`(=>|->|\)|\||\bdo)\s*(\w+\s*)?$|\b(func|function|fn|lambda|fun)\b[^(]*(\([^()]*\)[^(]*)?$`)
	wanted  = pattern.Lazy(`(?i)\b(want|wanted|expect|expected|golden|desired)(_?\w*)\s*(:=|=|:)\s*`)
	key     = pattern.Lazy(`^\s*('[\w-]+'|"[\w-]+"|[\w-]+)\s*(:[^:]|=>)`)
)

// isValue tells the brackets of a call or of a literal.
func (r *reading) isValue(b *source.Block) bool {
	switch {
	case b.Mark == "(" || b.Mark == "[":
		return true
	case b.Mark != "{":
		return false
	case r.lang.Name == "elixir" || r.lang.Name == "python" || ofValue().MatchString(b.Header):
		return true
	}
	return strings.Count(b.Header, "(") > strings.Count(b.Header, ")") && !ofBlock().MatchString(b.Header)
}

// casesCall ends with the name of a function that is handed cases.
var casesCall = pattern.Lazy(`(?i:cases|examples|scenarios)\s*$`)

// addsCases tells further cases for a call whose name says that it takes such: literals that
// begin as those do which it has.
func (r *reading) addsCases(h diff.Hunk, call *source.Block) bool {
	if call.Mark != "(" || !casesCall().MatchString(strings.TrimSpace(call.Header)) {
		return false
	}
	t := r.new
	old, cases := map[string]bool{}, 0
	for i := range t.Lines {
		if t.Outline.At[i] == call && (i < h.From || i >= h.To) {
			old[strings.TrimSpace(t.Code[i])] = true
		}
	}
	for i := h.From; i < h.To; i++ {
		code := strings.TrimSpace(t.Code[i])
		if t.Outline.At[i] != call || code == "" {
			continue
		}
		if !old[code] {
			return false
		}
		if strings.HasSuffix(code, "{") {
			cases++
		}
	}
	return cases > 0
}

// checkArguments refuses what would be a further argument of an old assertion, a
// further element of what an old test expects, or a key that stood before.
func (r *reading) checkArguments(h diff.Hunk) string {
	t := r.new
	b := t.Outline.At[h.From]
	_, first := t.Around(h.From, h.From)
	if b == nil || first < 0 || first >= h.To {
		return ""
	}
	row, _ := r.nextRow(h)
	if row != nil {
		b = row.Parent
	}
	changed := fmt.Sprintf("The added line %q changes a value of an old test.",
		diff.Shorten(t.Lines[first]))
	for in := b; in != nil && in.Mark != ":" && (in.Sort() == source.Container || r.isValue(in)); in = in.Parent {
		if (in.Mark == "(" && assertCall().MatchString(in.Header) ||
			r.isValue(in) && asserting().MatchString(in.Header)) && !r.addsCases(h, in) {
			return changed
		}
	}
	if b.Mark != "(" && b.Sort() == source.Container && wanted().MatchString(b.Header) &&
		!strings.Contains(b.Header, "struct") {
		if in := strings.TrimSpace(t.Code[first]); row != nil || !strings.HasPrefix(in, "{") &&
			!strings.HasPrefix(in, "(") && !strings.HasPrefix(in, "[") {
			return changed
		}
	}
	if b.Mark != "{" || b.Sort() != source.Container {
		return ""
	}
	before := map[string]bool{}
	for i := range t.Lines {
		if (i < h.From || i >= h.To) && t.Outline.At[i] == b && (i == 0 || !t.EndsInString(i-1)) {
			if m := key().FindStringSubmatch(t.Live[i]); m != nil {
				before[strings.Trim(m[1], `'"`)] = true
			}
		}
	}
	for i := h.From; i < h.To; i++ {
		if m := key().FindStringSubmatch(t.Live[i]); m != nil && t.Outline.At[i] == b && (i == 0 || !t.EndsInString(i-1)) &&
			before[strings.Trim(m[1], `'"`)] {
			return changed
		}
	}
	return ""
}
