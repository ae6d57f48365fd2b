package report

import (
	"slices"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Settled are the runs as the list shows them: the way out of an interruption is
// advice only for the last run of the checkout that one stands in.
func Settled(runs []record.Run, here string) []record.Run {
	out := slices.Clone(runs)
	newer := map[string]bool{}
	for i, r := range out {
		if r.State == record.Interrupted && (here == "" || r.Repo != here || newer[r.Repo]) {
			out[i].State, out[i].Outcome = record.Finished, record.Interrupted
		}
		newer[r.Repo] = true
	}
	return out
}

// OpenPullRequests are booty's own, as the last run for each left it, the newest
// runs first: no server is asked.
func OpenPullRequests(runs []record.Run) []OpenPullRequest {
	var out []OpenPullRequest
	seen := map[string]bool{}
	for _, r := range runs {
		p := r.PullRequest
		if p == nil || seen[p.URL] {
			continue
		}
		seen[p.URL] = true
		if p.State != "" { // closed or merged, as a run saw
			continue
		}
		state := "ready"
		switch {
		case p.Draft && r.State == record.Running:
			state = "active"
		case p.Draft:
			state = "draft"
		}
		out = append(out, OpenPullRequest{
			Number: p.Number, Title: r.Task.Title, URL: p.URL, Branch: r.Branch, Draft: p.Draft, State: state,
			Attempt: r.AttemptsTotal, MaxAttempts: r.MaxRetries,
		})
	}
	return out
}
