package detect

import "testing"

// TestGateThatTheTestsRun: a gate is left out where a passing test command started the same programs.
func TestGateThatTheTestsRun(t *testing.T) {
	t.Parallel()
	programs := func(list ...string) map[string]bool {
		m := map[string]bool{}
		for _, p := range list {
			m[p] = true
		}
		return m
	}
	tests := programs("npm test", "npm", "sh -c eslint . && jest", "node bin/eslint .", "node bin/jest")
	for name, c := range map[string]struct {
		gate map[string]bool
		want bool
	}{
		"the same tool":               {programs("npm run lint", "npm", "sh -c eslint .", "node bin/eslint ."), true},
		"other arguments":             {programs("npm run lint", "sh -c eslint .", "node bin/eslint . --strict"), false},
		"another tool too":            {programs("npm run lint", "node bin/eslint .", "node bin/tsc"), false},
		"a tool that was not seen":    {programs("npm run lint", "sh -c eslint . && grep -q x y", "node bin/eslint ."), false},
		"nothing but the way to it":   {programs("npm run lint", "npm"), false},
		"nothing was seen of a start": {nil, false},
	} {
		gate := Chosen{Candidate: Candidate{Kind: Gate}, Command: "npm run lint", Outcome: Outcome{Passed: true, Programs: c.gate}}
		test := Chosen{Command: "npm test", Outcome: Outcome{Passed: true, Programs: tests}}
		if got := gate.startedBy([]Chosen{test}) != nil; got != c.want {
			t.Errorf("%s: left out: %t, want %t", name, got, c.want)
		}
	}
}
