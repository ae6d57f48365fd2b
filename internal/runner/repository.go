package runner

import (
	"context"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/workspace"
)

// repoName is owner/name where a remote has it, else the folder's name.
func (s *Session) repoName(ctx context.Context) string {
	if s.name == "" { // git is asked once
		s.name = repoName(ctx, s.Repo)
	}
	return s.name
}

func repoName(ctx context.Context, repo *workspace.Repo) string {
	remotes, err := repo.Remote.List(ctx)
	if err == nil {
		for _, r := range remotes {
			if len(r.URLs) == 0 {
				continue
			}
			if name := nameFromURL(r.URLs[0]); name != "" {
				return name
			}
		}
	}
	return path.Base(strings.ReplaceAll(repo.Root(), `\`, "/"))
}

// nameFromURL takes owner/name off a remote's address.
func nameFromURL(url string) string {
	url = strings.TrimSuffix(strings.TrimSuffix(url, "/"), ".git")
	i := strings.LastIndexAny(url, ":/")
	if i < 0 || strings.HasPrefix(url, "/") || strings.HasPrefix(url, "file:") {
		return ""
	}
	j := strings.LastIndexAny(url[:i], ":/")
	return url[j+1:]
}
