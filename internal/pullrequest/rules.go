package pullrequest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/github"
)

// reportRules reports, before work starts, repository rules that booty cannot satisfy.
func (g *Target) reportRules(ctx context.Context) error {
	lines, err := g.Rules(ctx)
	for _, l := range lines {
		g.s.Say("booty: %s", l)
	}
	return err
}

// Rules describes, one per line, what the repository's rules for the base branch mean for a
// run.
func (g *Target) Rules(ctx context.Context) ([]string, error) {
	r, err := g.client.Rules(ctx, g.base)
	if err != nil {
		return nil, err
	}
	g.rules = r
	return ruleLines(g.base, r, g.s.Settings.GitHub.Signoff, g.s.Repo.Signs()), nil
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
