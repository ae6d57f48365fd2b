package githubapi

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestQueriesAreHeldAgainstTheSchema: a field, an argument and a variable that
// GitHub does not know are told.
func TestQueriesAreHeldAgainstTheSchema(t *testing.T) {
	request := func(query string, vars map[string]any) testkit.GitHubRequest {
		body, err := json.Marshal(map[string]any{"query": query, "variables": vars})
		if err != nil {
			t.Fatal(err)
		}
		return testkit.GitHubRequest{Method: "POST", Path: "graphql", Body: body}
	}
	for name, c := range map[string]struct {
		request testkit.GitHubRequest
		want    string
	}{
		"right":            {request("query V { viewer { login } }", nil), ""},
		"an unknown field": {request("query V { viewer { nickname } }", nil), "nickname"},
		"an unknown state": {request(`query V { viewer { pullRequests(first: 1, states: [SHUT]) { totalCount } } }`, nil), "SHUT"},
		"no value":         {request("query V($id: ID!) { node(id: $id) { id } }", nil), "must be defined"},
	} {
		bad, checked, err := Queries([]testkit.GitHubRequest{c.request})
		if err != nil {
			t.Fatal(err)
		}
		if !checked {
			t.Skip(graphQLDir + " is not set")
		}
		got := strings.Join(bad, "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q", name, got)
		}
	}
}
