package pullrequest

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/snapshot"
)

// dependencyBot is a program that opens pull requests to update dependencies.
type dependencyBot struct {
	name   string
	author string // its login, without the suffix that marks bots
	branch string // how its branches begin; run by oneself it has another login
	// about begins the part of a description that is about the bot itself.
	about string
	// restart is how a person has the bot make its branch anew.
	restart string
}

// Sources: https://docs.github.com/code-security/dependabot, "Allowing Dependabot to rebase and
// force push over extra commits"; https://docs.renovatebot.com/updating-rebasing.
func dependencyBots() []dependencyBot {
	return []dependencyBot{
		{"Dependabot", "dependabot", "dependabot/", "<summary>Dependabot commands and options</summary>",
			"the comment `@dependabot recreate`"},
		{"Renovate", "renovate", "renovate/", "### Configuration", "its rebase checkbox"},
	}
}

// updaterOf returns the bot that opened a pull request to update dependencies; nil for any other.
func updaterOf(p github.PullRequest) *dependencyBot {
	for _, b := range dependencyBots() {
		if strings.TrimSuffix(p.Author, "[bot]") == b.author || strings.HasPrefix(p.Head, b.branch) {
			return &b
		}
	}
	return nil
}

// description is what a bot says about an update: the versions and their release notes.
func (b *dependencyBot) description(body string) string {
	body, _, _ = strings.Cut(body, b.about)
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(body), "<details>"))
}

// rule is what becomes of the pull request once somebody else has pushed to it.
func (b *dependencyBot) rule() string {
	return fmt.Sprintf("%s no longer rebases this pull request, so that booty's commit stays; %s starts over "+
		"without it", b.name, b.restart)
}

// changedLocks returns the lock files that changed between two commits. In an update they are
// protected: which versions are right is not up to the model.
func changedLocks(ctx context.Context, states *snapshot.Comparer, from, to string) ([]string, error) {
	changes, err := states.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	var locks []string
	for _, c := range changes {
		if manifest.IsLock(c.Path) {
			locks = append(locks, c.Path)
		}
	}
	return locks, nil
}
