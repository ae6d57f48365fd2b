package pullrequest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// reportsOnIssue reports whether a failed run is mentioned on the issue: only where its
// readers can help.
func reportsOnIssue(outcome string, attempts int) bool {
	switch outcome {
	case event.Stuck, event.NeedsReview, event.Question, event.Declined, event.NothingToDo:
		return true
	case event.Exhausted, event.Budget, event.ModelFailed:
		return attempts > 0
	}
	return false
}

// commentOnIssue keeps the one comment on the issue: what failed for good, or that
// it is solved after all.
func (p *publisher) commentOnIssue(
	ctx context.Context, text report.PullRequest, pub engine.Publication,
) error {
	if p.to.issue == nil {
		return nil
	}
	n := p.to.issue.Number
	marker := report.FailureMarker(n)
	if pub.Green {
		old, err := p.client.FindComment(ctx, n, marker)
		if err != nil || old == nil || p.pull == nil {
			return err
		}
		return p.client.UpdateComment(ctx, old.ID,
			fmt.Sprintf("%s\n**Solved**: booty failed on this before; pull request #%d passes the checks "+
				"now.\n", marker,
				p.pull.Number))
	}
	if !reportsOnIssue(pub.Outcome, len(pub.Attempts)) {
		return nil
	}
	text.Markers = append(text.Markers, p.read)
	return p.client.PutComment(ctx, n, marker, report.FailureComment(text))
}

// readMark is the hidden line that tells which text of a task booty has ended with.
func readMark(t runner.Task) string {
	sum := sha256.Sum256([]byte(t.Text))
	return report.Marker("read", hex.EncodeToString(sum[:8]))
}
