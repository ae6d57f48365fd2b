//go:build !unix

package snapshot

import (
	"context"

	"github.com/booty-cli/booty/internal/git"
)

// noteUnchanged notes the stat data of files that are as a new index says.
func (s *shadow) noteUnchanged(ctx context.Context) error {
	_, err := s.git.Run(ctx, git.Call{Args: []string{"update-index", "-q", "--refresh"}})
	if git.ExitCode(err) == 1 { // some files differ
		return nil
	}
	return err
}
