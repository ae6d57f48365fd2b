package specs

import "strings"

var (
	scriptMarker = once(`\b((?:test|it|describe)(?:\.describe)?)\.(fixme|todo)\b(\.each\b)?\s*`)
	// An empty test: (title, () => {}).
	emptyCallback = once(`^\s*,\s*(?:async\s*)?(?:function\s*)?\([^)]*\)\s*(?:=>)?\s*\{\s*\}\s*,?\s*\)$`)
	scriptTest    = once(`\b(?:test|it)(?:\.\w+)*\(\s*`)
)

// findScript finds test.fixme("title", …), it.todo("title") and the like. In Playwright,
// test.fixme() is also a statement inside the pending test.
func findScript(s *source, _ string) []Spec {
	var out []Spec
	for _, m := range s.matches(scriptMarker()) {
		called, word := s.text(m, 1), s.text(m, 2)
		name := called + "." + word
		if m[0] > 0 && (s.data[m[0]-1] == '.' || s.data[m[0]-1] == '$') ||
			strings.HasPrefix(called, "describe.") ||
			called != "test.describe" && strings.Contains(called, ".") {
			continue
		}
		open := m[1]
		if m[6] >= 0 { // .each has its table first
			if open = s.eachCall(m[1]); open < 0 {
				continue
			}
		}
		if open >= len(s.data) || s.data[open] != '(' {
			continue
		}
		end := s.closing(open)
		if end < 0 {
			continue
		}
		rename := cut{from: m[4] - 1, to: m[5]}
		title, after, ok := s.literal(s.skip(open + 1))
		switch {
		case ok && s.data[s.skip(after)] == ',' && s.data[s.skip(s.skip(after)+1)] != ')':
			spec := s.spec(name, title, title, m[0], rename)
			spec.Bodyless = emptyCallback().Match(s.data[after:end])
			out = append(out, spec)
		case ok && word == "todo":
			todo := s.spec(name, title, title, m[0], s.without(m[0], end))
			todo.Bodyless = true
			out = append(out, todo)
		case !ok && word == "fixme" && called == "test":
			out = append(out, s.fixmeStatement(m[0], open, end)...)
		case !ok && strings.HasSuffix(called, "describe"): // a group without a name
			out = append(out, s.spec(name, "", called, m[0], rename))
		}
	}
	return out
}

// eachCall returns the bracket of the call after a table: each([...])( or each`…`(.
func (s *source) eachCall(i int) int {
	if i >= len(s.data) {
		return -1
	}
	end := -1
	if s.data[i] == '(' {
		end = s.closing(i)
	} else if _, to, ok := s.literal(i); ok {
		end = to
	}
	if end < 0 {
		return -1
	}
	return s.skip(end)
}

// fixmeStatement returns the test whose body contains test.fixme() or test.fixme(true,
// "why").
func (s *source) fixmeStatement(at, open, end int) []Spec {
	args := strings.TrimSpace(string(s.data[open+1 : end-1]))
	if args != "" && args != "true" && !strings.HasPrefix(args, "true,") {
		return nil // pending only under a condition
	}
	test := s.before(scriptTest(), at)
	if test == nil {
		return nil
	}
	title, _, _ := s.literal(test[1])
	named := title
	for i := open + 1; i < end; i++ {
		if s.kind[i] == inString {
			if why, _, ok := s.literal(i); ok && leadingID().MatchString(why) {
				title = why
			}
			break
		}
	}
	return []Spec{s.spec("test.fixme", title, named, at, s.without(at, end))}
}
