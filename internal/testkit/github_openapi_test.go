package testkit

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRequestsAreHeldAgainstTheDescription(t *testing.T) {
	for name, c := range map[string]struct {
		r    GitHubRequest
		want string // of the problem; "" for none
	}{
		"a right request":          {GitHubRequest{"POST", "repos/a/b/pulls", "", json.RawMessage(`{"title":"t","head":"h","base":"main","draft":true}`)}, ""},
		"a right listing":          {GitHubRequest{"GET", "repos/a/b/pulls", "state=open&per_page=100&head=a:b", nil}, ""},
		"an unknown path":          {GitHubRequest{"GET", "repos/a/b/pullz", "", nil}, "no such operation"},
		"a method that is not had": {GitHubRequest{"PUT", "repos/a/b/pulls", "", nil}, "no such operation"},
		"an unknown parameter":     {GitHubRequest{"GET", "repos/a/b/pulls", "stat=open", nil}, "unknown parameter stat"},
		"an unknown property":      {GitHubRequest{"PATCH", "repos/a/b/pulls/1", "", json.RawMessage(`{"titel":"t"}`)}, "body.titel is unknown"},
		"a missing property":       {GitHubRequest{"POST", "repos/a/b/pulls", "", json.RawMessage(`{"title":"t","head":"h"}`)}, "body.base is missing"},
		"a wrong type":             {GitHubRequest{"POST", "repos/a/b/pulls", "", json.RawMessage(`{"title":"t","head":"h","base":"m","draft":"yes"}`)}, "body.draft is string"},
		"a word not allowed":       {GitHubRequest{"PUT", "repos/a/b/pulls/1/merge", "", json.RawMessage(`{"merge_method":"squish"}`)}, "not one of"},
	} {
		t.Run(name, func(t *testing.T) {
			bad, checked, err := CheckGitHubRequests([]GitHubRequest{c.r})
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
