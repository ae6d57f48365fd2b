package pullrequest

import (
	"testing"

	"github.com/booty-cli/booty/internal/github"
	"github.com/google/go-cmp/cmp"
)

func TestRuleLines(t *testing.T) {
	const dco = "main asks for commits that are signed off: github.signoff: true in .booty.yml does that, if you may"
	tests := []struct {
		name           string
		rules          github.Rules
		signoff, signs bool
		want           []string
	}{
		{name: "none"},
		{name: "a merge queue", rules: github.Rules{Queue: true},
			want: []string{"main has a merge queue: pull requests go through it"}},
		{name: "one review", rules: github.Rules{Reviews: 1},
			want: []string{"main asks for an approving review before a merge"}},
		{name: "code owners' reviews", rules: github.Rules{Reviews: 2, Owners: true},
			want: []string{"main asks for 2 approving reviews of code owners before a merge"}},
		{name: "signatures", rules: github.Rules{Signatures: true},
			want: []string{"main takes signed commits only, and git does not sign here: git config commit.gpgsign true"}},
		{name: "signatures where git signs", rules: github.Rules{Signatures: true}, signs: true},
		{name: "messages", rules: github.Rules{Messages: []string{`must match "^feat"`}},
			want: []string{`commit messages for main must match "^feat"`}},
		{name: "sign-off by a check", rules: github.Rules{Checks: []string{"dco"}}, want: []string{dco}},
		{name: "sign-off by a pattern", rules: github.Rules{Messages: []string{`must contain "Signed-off-by"`}},
			want: []string{dco}},
		{name: "sign-off that is done", rules: github.Rules{Checks: []string{"DCO"}}, signoff: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ruleLines("main", tt.rules, tt.signoff, tt.signs)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
