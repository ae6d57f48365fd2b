package runner

import "testing"

func TestNameFromURL(t *testing.T) {
	cases := map[string]string{
		"https://github.com/owner/name.git":   "owner/name",
		"git@github.com:owner/name.git":       "owner/name",
		"ssh://git@host:22/owner/name":        "owner/name",
		"https://github.com/owner/name/":      "owner/name",
		"/srv/git/name.git":                   "",
		"file:///srv/git/name.git":            "",
		"https://user:token@host/owner/n.git": "owner/n",
	}
	for in, want := range cases {
		if got := nameFromURL(in); got != want {
			t.Errorf("nameFromURL(%q) = %q, want %q", in, got, want)
		}
	}
}
