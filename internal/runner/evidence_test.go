package runner

import "testing"

func TestUnderOldCodePutsTheNewTestsOfARustSourceUnderTheOldCode(t *testing.T) {
	const oldCode, newCode = "pub fn f() -> i32 { 1 }\n", "pub fn f() -> i32 { 2 }\n"
	const oldTests, newTests = "#[cfg(test)]\nmod t { /* old */ }\n", "#[cfg(test)]\nmod t { /* new */ }\n"
	cases := []struct {
		name, old, now, want string
		ok                   bool
	}{
		{"new tests", oldCode + oldTests, newCode + newTests, oldCode + newTests, true},
		{"the first tests", oldCode, newCode + newTests, oldCode + newTests, true},
		{"no tests", oldCode, newCode, "", false},
		{"the same tests", oldCode + oldTests, newCode + oldTests, "", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, ok := underOldCode([]byte(c.old), []byte(c.now))
			if string(got) != c.want || ok != c.ok {
				t.Errorf("got %q, %v, want %q, %v", got, ok, c.want, c.ok)
			}
		})
	}
}
