package snapshot

import (
	"io/fs"

	"github.com/booty-cli/booty/internal/git"
)

// fileMode gives git's mode of a regular file: what the index says, since
// there is no executable bit on disk.
func fileMode(_ fs.FileMode, had uint32) uint32 {
	if had == git.ModeExec {
		return git.ModeExec
	}
	return git.ModeFile
}
