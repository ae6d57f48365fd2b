//go:build !linux

package workspace

import "context"

// ownStale asks git: what it keeps of a file's stat data differs from system to system.
func (*Repo) ownStale(context.Context, *shadow) (map[string]pair, bool) { return nil, false }

// ownOthers asks git: names are not everywhere what a directory says.
func (*Repo) ownOthers(context.Context, *shadow) ([]string, bool, error) { return nil, false, nil }
