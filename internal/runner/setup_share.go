package runner

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/trees"
)

// sharedSetup is what a setup made in one tree, for others with the same inputs.
type sharedSetup struct {
	in     *trees.Tree
	digest string
	made   []string
	// differ are the files in which the trees may differ.
	differ []string
}

// begin examines a tree in which setup is about to run; the returned function notes what setup
// made. A tree that commands do not see in place of the checkout is not shared: what setup makes
// may contain its path.
func (h *sharedSetup) begin(ctx context.Context, c *checks) (note func(digest string) error, err error) {
	if h == nil || h.in != nil || c.box.Checkout() != sandbox.Replaced {
		return func(string) error { return nil }, nil
	}
	tree, files := c.setups.tree.Tree, c.setups.tree.Listing
	was, err := tree.IgnoredLike(ctx)
	if err != nil {
		return nil, err
	}
	seen, err := files.Status(ctx)
	return func(digest string) error {
		is, err := tree.IgnoredLike(ctx)
		if err != nil || digest == "" {
			return err
		}
		sees, err := files.Status(ctx)
		if err != nil || !slices.Equal(seen, sees) { // it made what git does not ignore
			return err
		}
		maps.DeleteFunc(is, func(p, like string) bool { return was[p] == like })
		h.in, h.digest, h.made = tree, digest, slices.Sorted(maps.Keys(is))
		return nil
	}, err
}

// take copies what the setup made to another tree, in place of running it there; false where
// that is not the same. Build tools go by times: what differs there is newer than what was
// built of the first tree.
func (h *sharedSetup) take(c *checks, digest string) (bool, error) {
	if h == nil || h.in == nil || h.digest != digest || h.in.Root() == c.setups.tree.Root() ||
		c.box.Checkout() != sandbox.Replaced {
		return false, nil
	}
	ok, err := c.setups.tree.Tree.CopyIgnored(h.in, h.made)
	if err != nil || !ok {
		return false, err
	}
	now := time.Now()
	for _, p := range h.differ {
		if err := os.Chtimes(filepath.Join(c.setups.tree.Root(), filepath.FromSlash(p)), now,
			now); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return true, nil
}
