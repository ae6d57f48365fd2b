package commit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/snapshot"
)

// commitHooks runs the hooks that may look at a commit, change it and refuse it,
// as git does. What they stage beside the named paths stays out.
func (c *Committer) commitHooks(ctx context.Context, d *draft) (err error) {
	if !slices.ContainsFunc(commitHookNames, func(name string) bool { return c.hooks.Path(name) != "" }) {
		return nil
	}
	index := filepath.Join(c.at.GitDir, "booty-commit.index")
	text := filepath.Join(c.at.GitDir, "COMMIT_EDITMSG")
	defer func() { err = errors.Join(err, atomicfile.Remove(index), atomicfile.Remove(index+".lock")) }()
	if err := errors.Join(atomicfile.Remove(index+".lock"), CopyFile(index, d.index)); err != nil { // of one that was killed
		return fmt.Errorf("prepare the commit: %w", err)
	}
	if err := atomicfile.Write(text, []byte(d.message), 0o644); err != nil {
		return fmt.Errorf("prepare the commit: %w", err)
	}
	for i, name := range commitHookNames {
		args := [][]string{nil, {text, "message"}, {text}}[i]
		before := map[string]git.Entry{}
		for _, path := range d.paths {
			before[path], _ = snapshot.OnDisk(c.at.Root, path, 0)
		}
		said, err := c.hooks.Run(ctx, githook.Call{Name: name, Index: index, Args: args})
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			return c.refusedBy(name, said, before)
		}
	}
	said, err := regular.Read(text, regular.MaxSize)
	if err != nil {
		return fmt.Errorf("read the message of the commit: %w", err)
	}
	if d.message = strings.TrimSpace(string(said)) + "\n"; d.message == "\n" {
		return fault.New(fault.Git, "git -c core.editor=true hook run prepare-commit-msg",
			"the repository's hooks left no message for the commit")
	}
	return c.takeStaged(ctx, d, index)
}

// refusedBy is the error of a hook that refused a commit; one that changed files first
// is told apart.
func (c *Committer) refusedBy(name, said string, before map[string]git.Entry) error {
	var changed []string
	for path, was := range before {
		if is, why := snapshot.OnDisk(c.at.Root, path, 0); why == "" && is.Differs(was) {
			changed = append(changed, path)
		}
	}
	slices.Sort(changed)
	if len(changed) > 0 {
		return &HookChangedError{Paths: changed, Said: said}
	}
	if name == "commit-msg" {
		return fault.New(fault.Git, "write a message that the hook accepts",
			"the repository's %s hook %w: %s", name, ErrMessage, said)
	}
	return fault.New(fault.Git, "fix what the hook reports; the changes are kept",
		"the repository's %s hook refused the commit: %s", name, said)
}

// ErrMessage means that a hook refused the message of a commit.
var ErrMessage = errors.New("refused the commit's message")

// commitHookNames are the hooks that can refuse a commit, in their order.
var commitHookNames = []string{"pre-commit", "prepare-commit-msg", "commit-msg"}

// takeStaged takes over what hooks made of the named paths in an index.
func (c *Committer) takeStaged(ctx context.Context, d *draft, index string) error {
	if _, err := regular.Read(index, regular.MaxSize); err != nil {
		return fmt.Errorf("read what the hooks staged: %w", err)
	}
	entries := func(index string) (map[string]string, error) {
		out, err := c.at.Git.Run(ctx,
			git.Call{Args: []string{"ls-files", "-s", "-z"}, Env: []string{"GIT_INDEX_FILE=" + index}})
		if err != nil {
			return nil, fmt.Errorf("read what the hooks staged: %w", err)
		}
		m := map[string]string{}
		for _, line := range git.SplitNul(out) {
			if meta, path, _ := strings.Cut(line, "\t"); slices.Contains(d.paths, path) {
				m[path] = meta
			}
		}
		return m, nil
	}
	was, err := entries(d.index)
	if err != nil {
		return err
	}
	is, err := entries(index)
	if err != nil {
		return err
	}
	var list strings.Builder
	for _, path := range d.paths {
		if was[path] == is[path] {
			continue
		}
		fmt.Fprintf(&list, "0 %s\t%s\x00", git.NoObject, path)
		f := strings.Fields(is[path])
		if len(f) == 3 && (strings.HasPrefix(f[0], "100") || f[0] == "120000") {
			fmt.Fprintf(&list, "%s %s 0\t%s\x00", f[0], f[1], path)
		}
	}
	if list.Len() == 0 {
		return nil
	}
	_, err = d.run(ctx, list.String(), "update-index", "--add", "--replace", "-z", "--index-info")
	return err
}
