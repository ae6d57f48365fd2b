package workspace

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// Entry is one path of git status.
type Entry struct {
	Path string
	// From is the old path of a rename.
	From string
	// XY are git's two letters: staged, then not staged; "??" is untracked, and
	// "UU", "AA" and their like are conflicts.
	XY       string
	Conflict bool
}

// Untracked reports whether git does not know the file.
func (e Entry) Untracked() bool { return e.XY == "??" }

// Status lists what differs from HEAD, as git status does.
func (r *Repo) Status(ctx context.Context) ([]Entry, error) { return r.status(ctx) }

func (r *Repo) status(ctx context.Context, env ...string) ([]Entry, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"status", "--porcelain=v2", "-z", "--untracked-files=all",
		"--ignored=no",
		"--ignore-submodules=all"}, Env: env, Programs: true})
	if err != nil {
		return nil, fault.New(fault.Git, "git status", "look at the work tree: %w", err)
	}
	list, err := parseStatus(string(out))
	return slices.DeleteFunc(list, func(e Entry) bool { return e.XY == "??" && r.inState(e.Path) }), err
}

// parseStatus reads git status --porcelain=v2 -z.
func parseStatus(out string) ([]Entry, error) {
	var list []Entry
	fields := git.SplitNul([]byte(out))
	for i := 0; i < len(fields); i++ {
		line := fields[i]
		kind, rest, _ := strings.Cut(line, " ")
		n := map[string]int{"1": 8, "2": 9, "u": 10, "?": 1}[kind]
		switch kind {
		case "#", "!":
			continue
		case "?":
			list = append(list, Entry{Path: rest, XY: "??"})
			continue
		}
		f := strings.SplitN(rest, " ", n)
		if n == 0 || len(f) != n || len(f[0]) != 2 {
			return nil, fmt.Errorf("read git status: odd line %q", line)
		}
		e := Entry{Path: f[n-1], XY: f[0], Conflict: kind == "u"}
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
