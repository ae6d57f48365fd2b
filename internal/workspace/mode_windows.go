package workspace

import "io/fs"

// fileMode gives git's mode of a regular file: what the index says, since
// there is no executable bit on disk.
func fileMode(_ fs.FileMode, had uint32) uint32 {
	if had == modeExec {
		return modeExec
	}
	return modeFile
}
