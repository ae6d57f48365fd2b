//go:build unix

package snapshot

import (
	"io/fs"

	"github.com/booty-cli/booty/internal/git"
)

// fileMode gives git's mode of a regular file.
func fileMode(m fs.FileMode, _ uint32) uint32 {
	if m.Perm()&0o100 != 0 {
		return git.ModeExec
	}
	return git.ModeFile
}
