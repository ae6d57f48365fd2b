package githubapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestRequestsAreHeldAgainstTheDescription(t *testing.T) {
	for name, c := range map[string]struct {
		method, path, query, body string
		want                      string // of the problem; "" for none
	}{
		"a right request":      {"POST", "repos/a/b/pulls", "", `{"title":"t","head":"h","base":"main","draft":true}`, ""},
		"a right listing":      {"GET", "repos/a/b/pulls", "state=open&per_page=100&head=a:b", "", ""},
		"an unknown path":      {"GET", "repos/a/b/pullz", "", "", "no matching operation was found"},
		"an unknown method":    {"PUT", "repos/a/b/pulls", "", "", "method not allowed"},
		"an unknown parameter": {"GET", "repos/a/b/pulls", "stat=open", "", `unknown parameter "stat"`},
		"an unknown property":  {"PATCH", "repos/a/b/pulls/1", "", `{"titel":"t"}`, `property "titel" is unsupported`},
		"a missing property":   {"POST", "repos/a/b/pulls", "", `{"title":"t","head":"h"}`, `property "base" is missing`},
		"a wrong type":         {"POST", "repos/a/b/pulls", "", `{"title":"t","head":"h","base":"m","draft":"yes"}`, "value must be a boolean"},
		"a word not allowed":   {"PUT", "repos/a/b/pulls/1/merge", "", `{"merge_method":"squish"}`, "not one of the allowed values"},
	} {
		t.Run(name, func(t *testing.T) {
			bad, checked, err := Requests([]testkit.GitHubRequest{
				{Method: c.method, Path: c.path, Query: c.query, Body: json.RawMessage(c.body)}})
			if err != nil {
				t.Fatal(err)
			}
			if !checked {
				t.Skipf("GitHub's description of its API is not here: %s is not set", OpenAPIDir)
			}
			got := strings.Join(bad, "\n")
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
