package pullrequest

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// Waiting returns the open issues with a label and without an open pull request, oldest
// first.
func Waiting(ctx context.Context, s *runner.Session, o Options, label string) ([]int, error) {
	up, err := Open(ctx, s, o)
	if err != nil {
		return nil, err
	}
	issues, err := up.client.IssuesWith(ctx, label)
	if err != nil || len(issues) == 0 {
		return nil, err
	}
	var bodies []string
	open, err := up.client.Mine(ctx, func(p github.PullRequest) bool { return report.Own(p.Body) != "" })
	if err != nil {
		return nil, err
	}
	for _, p := range open {
		bodies = append(bodies, report.Own(p.Body))
	}
	all := strings.Join(bodies, "\n")
	var out []int
	for _, i := range issues {
		t := runner.Task{}
		t.Kind, t.Number = "issue", i.Number
		if !strings.Contains(all, t.Marker()) {
			out = append(out, i.Number)
		}
	}
	return out, nil
}
