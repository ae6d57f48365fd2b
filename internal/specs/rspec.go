package specs

import "strings"

var (
	rubyExcluded = once(`\b(xit|xspecify|xexample)\b[ \t(]*`)
	rubyPending  = once(`\bpending\b[ \t(]*`)
	rubyExample  = once(`\b(?:it|specify|example|scenario|its)\b[ \t(]+`)
	rubyBlock    = once(`\b(?:it|specify|example|scenario|its|describe|context|feature|shared_examples\w*)\b[ \t(]+`)
	rubyOpens    = once(`(?:\bdo\b(?:\s*\|[^|]*\|)?|\{(?:\s*\|[^|]*\|)?)\s*$`)
)

// findExcluded finds xit "title" do and removes the x.
func findExcluded(s *source, _ string) []Spec {
	var out []Spec
	for _, m := range s.matches(rubyExcluded()) {
		title, _, ok := s.literal(m[1])
		if !ok || !blank(s.data[s.lineStart(m[0]):m[0]]) {
			continue
		}
		out = append(out, s.spec(s.text(m, 1), title, title, m[0], cut{from: m[0], to: m[0] + 1}))
	}
	return out
}

// findPending finds pending "title" do, which becomes it; a bare pending statement in an
// example, which is removed; and a pending title without a body.
func findPending(s *source, name string) []Spec {
	var out []Spec
	for _, m := range s.matches(rubyPending()) {
		begin, end := s.lineStart(m[0]), m[1]+lineEnd(s.data[m[1]:])
		if !blank(s.data[begin:m[0]]) {
			continue
		}
		text, after, ok := s.literal(m[1])
		opens := ok && after <= end && rubyOpens().Match(s.data[after:end])
		holder := s.before(rubyBlock(), m[0])
		inExample := holder != nil && rubyExample().FindIndex(s.data[holder[0]:holder[1]]) != nil && !opens
		switch {
		case opens:
			out = append(out, s.spec(name, text, text, m[0], cut{m[0], m[0] + len("pending"), "it"}))
		case inExample && (ok || strings.TrimSpace(string(s.data[m[0]:end])) == "pending"):
			test, _, _ := s.literal(holder[1])
			title := test
			if leadingID().MatchString(text) {
				title = text
			}
			out = append(out, s.spec(name, title, test, m[0], s.without(m[0], end)))
		case ok && holder != nil:
			todo := s.spec(name, text, text, m[0], s.without(m[0], end))
			todo.Bodyless = true
			out = append(out, todo)
		}
	}
	return out
}
