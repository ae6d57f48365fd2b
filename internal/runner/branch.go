package runner

import (
	"context"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/history"
)

// MayTakeBranch refuses branches that booty must not work on: the one that is checked out, those
// that work is merged into, and, unless earlier work is continued, one that exists.
func MayTakeBranch(ctx context.Context, s *Session, wanted, base string, goesOn bool) error {
	name := strings.TrimPrefix(wanted, "refs/heads/")
	if name == "" {
		return nil
	}
	current, _, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	why := ""
	switch name {
	case current:
		why = "is checked out"
	case base, s.Settings.GitHub.Base:
		why = "is the base"
	default:
		if main, err := s.Repo.Remote.DefaultBranch(ctx, "origin"); err == nil && main == name {
			why = "is the remote's default branch"
		}
	}
	if _, err := s.Repo.History.Resolve(ctx, "refs/heads/"+name); err == nil && why == "" && !goesOn {
		why = "exists already"
	}
	if why == "" {
		return nil
	}
	return fault.New(fault.Usage, "choose another name, or leave out --branch",
		"--branch: %s %s: a run works on a branch of its own, and never pushes there", name, why)
}

// NameBranch sets the job's branch, the wanted one or the next free name, and what it starts at,
// unless these follow from what is on GitHub.
func NameBranch(ctx context.Context, s *Session, wanted, base string, j *Job) (err error) {
	if j.Branch == "" {
		if j.Branch, err = branchFor(ctx, s, wanted, j.Task); err != nil {
			return err
		}
	}
	j.Unnamed = wanted == ""
	if j.Base != "" || base == "" {
		return nil
	}
	j.Base = base
	if _, err := s.Repo.History.Resolve(ctx, base); err != nil {
		return fault.New(fault.Usage, "git branch --all lists them",
			"--base: there is no branch or commit %s", base)
	}
	return nil
}

func branchFor(ctx context.Context, s *Session, wanted string, t Task) (string, error) {
	if wanted != "" {
		return strings.TrimPrefix(wanted, "refs/heads/"), nil
	}
	name := "booty/" + Slug(t.Title)
	if t.Number > 0 {
		var err error
		name, err = config.BranchName(s.Settings.GitHub.Branch,
			config.BranchData{Number: t.Number, Slug: Slug(t.Title)})
		if err != nil {
			return "", fault.New(fault.Usage, "fix github.branch in .booty.yml", "name the branch: %w", err)
		}
	}
	return freeBranch(ctx, s.Repo.History, name), nil
}

// freeBranch is the first name that no branch has. Where a branch has the name of one
// of its folders, as "booty", it has none.
func freeBranch(ctx context.Context, h history.Reader, name string) string {
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if _, err := h.Resolve(ctx, "refs/heads/"+name[:i]); err == nil {
			name = strings.ReplaceAll(name, "/", "-")
			break
		}
	}
	for i := 1; ; i++ {
		candidate := Numbered(name, i)
		if _, err := h.Resolve(ctx, "refs/heads/"+candidate); err != nil {
			return candidate
		}
	}
}

// Numbered returns the name for i = 1, and the name with a number from 2 on.
func Numbered(name string, i int) string {
	if i == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(i)
}
