package git

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// StatusEntry is one path of git status.
type StatusEntry struct {
	Path string
	// From is the old path of a rename.
	From string
	// XY are git's two letters: staged, then not staged; "??" is untracked, and
	// "UU", "AA" and their like are conflicts.
	XY       string
	Conflict bool
}

// Untracked reports whether git does not know the file.
func (e StatusEntry) Untracked() bool { return e.XY == "??" }

// Status lists what differs from HEAD, as git status does. env are further variables.
func (g Client) Status(ctx context.Context, env ...string) ([]StatusEntry, error) {
	out, err := g.Run(ctx, Call{Args: []string{"status", "--porcelain=v2", "-z", "--untracked-files=all",
		"--ignored=no",
		"--ignore-submodules=all"}, Env: env, Programs: true})
	if err != nil {
		return nil, fault.New(fault.Git, "git status", "look at the work tree: %w", err)
	}
	return parseStatus(string(out))
}

// parseStatus reads git status --porcelain=v2 -z.
func parseStatus(out string) ([]StatusEntry, error) {
	var list []StatusEntry
	fields := SplitNul([]byte(out))
	for i := 0; i < len(fields); i++ {
		line := fields[i]
		kind, rest, _ := strings.Cut(line, " ")
		n := map[string]int{"1": 8, "2": 9, "u": 10, "?": 1}[kind]
		switch kind {
		case "#", "!":
			continue
		case "?":
			list = append(list, StatusEntry{Path: rest, XY: "??"})
			continue
		}
		f := strings.SplitN(rest, " ", n)
		if n == 0 || len(f) != n || len(f[0]) != 2 {
			return nil, fmt.Errorf("read git status: odd line %q", line)
		}
		e := StatusEntry{Path: f[n-1], XY: f[0], Conflict: kind == "u"}
		if kind == "2" {
			if i++; i >= len(fields) {
				return nil, fmt.Errorf("read git status: odd line %q", line)
			}
			e.From = fields[i]
		}
		list = append(list, e)
	}
	return list, nil
}
