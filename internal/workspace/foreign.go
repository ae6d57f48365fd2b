package workspace

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// Borrow fetches a reference of a remote into booty's own side of the repository: it
// becomes a commit that trees can be made at, and nothing of the user's changes.
func (r *Repo) Borrow(ctx context.Context, remote, ref, token string) (string, error) {
	if err := r.makeOwnDir(); err != nil {
		return "", err
	}
	list, err := r.withCredentials(ctx, remote, token, call{args: []string{"ls-remote", "--", remote, ref}})
	if err != nil {
		return "", remoteFault("look at "+remote, err)
	}
	commit, _, found := strings.Cut(string(list), "\t")
	if !found {
		return "", fault.New(fault.Git, "git ls-remote "+remote, "%s has no %s", remote, ref)
	}
	args := []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-maintenance", "--recurse-submodules=no", "--",
		remote, ref}
	_, err = r.withCredentials(ctx, remote, token, call{args: args, env: []string{"GIT_OBJECT_DIRECTORY=" + r.sideObjects()}})
	if err != nil {
		return "", remoteFault("fetch "+ref+" from "+remote, err)
	}
	r.objects().close() // it reads what came
	return commit, nil
}
