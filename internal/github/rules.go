package github

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// Rules are what a repository's rulesets require for a branch.
type Rules struct {
	// Queue reports whether pull requests go through a merge queue.
	Queue bool
	// Reviews is the number of approvals, Owners whether code owners must approve.
	Reviews int
	Owners  bool
	// Signatures reports whether commits must be signed.
	Signatures bool
	// Messages describes the patterns for commit messages.
	Messages []string
	// Checks are the names of required checks.
	Checks []string
}

// Rules fetches the rules of a branch. If GitHub does not say, there are none.
func (c *Client) Rules(ctx context.Context, branch string) (Rules, error) {
	var out Rules
	type rule struct {
		Type       string
		Parameters struct {
			Approvals int    `json:"required_approving_review_count"`
			Owners    bool   `json:"require_code_owner_review"`
			Name      string `json:"name"`
			Negate    bool   `json:"negate"`
			Operator  string `json:"operator"`
			Pattern   string `json:"pattern"`
			Checks    []struct {
				Context string `json:"context"`
			} `json:"required_status_checks"`
		}
	}
	path := c.path("/rules/branches/%s?per_page=100", url.PathEscape(branch))
	err := list(ctx, c, "read the rules of "+branch, path, func(page []rule) bool {
		for _, r := range page {
			switch p := r.Parameters; r.Type {
			case "merge_queue":
				out.Queue = true
			case "pull_request":
				out.Reviews, out.Owners = max(out.Reviews, p.Approvals), out.Owners || p.Owners
			case "required_signatures":
				out.Signatures = true
			case "commit_message_pattern":
				must := "must"
				if p.Negate {
					must = "must not"
				}
				out.Messages = append(out.Messages,
					fmt.Sprintf("%s %s %q", must, operators[p.Operator], p.Pattern))
			case "required_status_checks":
				for _, k := range p.Checks {
					out.Checks = append(out.Checks, k.Context)
				}
			}
		}
		return true
	})
	switch status(err) {
	case http.StatusForbidden, http.StatusNotFound, http.StatusUnauthorized:
		return Rules{}, nil // not available on this plan, or to this login
	}
	return out, err
}

var operators = map[string]string{"starts_with": "start with", "ends_with": "end with", "contains": "contain",
	"regex": "match"}
