//go:build !linux

package workspace

import "context"

// ownStale asks git: what it keeps of a file's stat data differs from system to system.
func (*Repo) ownStale(context.Context, *shadow) (map[string]pair, bool) { return nil, false }
