package pullrequest

import (
	"encoding/json"
	"os"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
)

// checkTriggered refuses, in a workflow, an issue whose text has changed since the event that
// started it: whoever added the label has not seen the new text.
func checkTriggered(i github.Issue, getenv func(string) string) error {
	path := getenv("GITHUB_EVENT_PATH")
	if path == "" || getenv("GITHUB_ACTIONS") == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil //nolint:nilerr // no event, nothing to compare
	}
	var e struct {
		Issue *struct {
			Number      int `json:"number"`
			Title, Body string
		} `json:"issue"`
	}
	known := json.Unmarshal(data, &e) == nil && e.Issue != nil
	if !known || e.Issue.Number != i.Number ||
		e.Issue.Title == i.Title && e.Issue.Body == i.Body {
		return nil
	}
	return fault.New(fault.Refused, "read it again, then add the label or comment /booty once more",
		"issue #%d was edited after it was given to booty", i.Number)
}
