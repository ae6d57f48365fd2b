package pullrequest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/github"
)

// reportRules reads the rules of a branch and reports, before work starts, what they mean for a run.
func (u *Upstream) reportRules(ctx context.Context, branch string) (github.Rules, error) {
	r, err := u.client.Rules(ctx, branch)
	if err != nil {
		return r, err
	}
	for _, l := range u.ruleLines(branch, r) {
		u.s.Say("booty: %s", l)
	}
	return r, nil
}

// Rules describes, one per line, what the repository's rules for the base branch mean for a
// run.
func (u *Upstream) Rules(ctx context.Context) ([]string, error) {
	r, err := u.client.Rules(ctx, u.baseName())
	return u.ruleLines(u.baseName(), r), err
}

func (u *Upstream) ruleLines(branch string, r github.Rules) []string {
	return ruleLines(branch, r, u.s.Settings.GitHub.Signoff, u.s.Repo.Commits.Signs())
}

func ruleLines(base string, r github.Rules, signoff, signs bool) []string {
	var out []string
	if r.Queue {
		out = append(out, base+" has a merge queue: pull requests go through it")
	}
	if r.Reviews > 0 || r.Owners {
		line := fmt.Sprintf("%s asks for %s", base, approvals(r.Reviews))
		if r.Owners {
			line += " of code owners"
		}
		out = append(out, line+" before a merge")
	}
	if r.Signatures && !signs {
		out = append(out, base+" takes signed commits only, and git does not sign here: git config "+
			"commit.gpgsign true")
	}
	dco := slices.ContainsFunc(r.Checks, func(c string) bool { return strings.EqualFold(c, "DCO") })
	for _, m := range r.Messages {
		if strings.Contains(m, "Signed-off-by") {
			dco = true
			continue
		}
		out = append(out, "commit messages for "+base+" "+m)
	}
	if dco && !signoff {
		out = append(out, base+" asks for commits that are signed off: github.signoff: true in .booty.yml "+
			"does that, if you may")
	}
	return out
}

func approvals(n int) string {
	if n < 2 {
		return "an approving review"
	}
	return fmt.Sprintf("%d approving reviews", n)
}
