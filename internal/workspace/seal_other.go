//go:build !linux

package workspace

import (
	"io/fs"
	"time"
)

// changed gives a time that is never that of another look: files are read again.
func changed(fs.FileInfo) time.Time { return time.Now() }
