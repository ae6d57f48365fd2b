package workspace

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

// Confine has the repository's hooks, and git children that may start programs which
// settings name, run by f from now on, until the function that it gives is called. They
// are programs of the user's, but most of them run code of the work tree.
func (r *Repo) Confine(f git.Starter) (end func()) {
	r.Hooks.Confine(f)
	r.git.Confine(f)
	return func() {
		r.Hooks.Confine(nil)
		r.git.Confine(nil)
	}
}

// commitHooks runs the hooks that may look at a commit, change it and refuse it,
// as git does. What they stage beside the named paths stays out.
func (r *Repo) commitHooks(ctx context.Context, d *draft) (err error) {
	if !slices.ContainsFunc(commitHookNames, func(name string) bool { return r.Hooks.Path(name) != "" }) {
		return nil
	}
	index := filepath.Join(r.gitDir, "booty-commit.index")
	text := filepath.Join(r.gitDir, "COMMIT_EDITMSG")
	defer func() { err = errors.Join(err, atomicfile.Remove(index), atomicfile.Remove(index+".lock")) }()
	if err := errors.Join(atomicfile.Remove(index+".lock"), copyFile(index, d.index)); err != nil { // of one that was killed
		return fmt.Errorf("prepare the commit: %w", err)
	}
	if err := atomicfile.Write(text, []byte(d.message), 0o644); err != nil {
		return fmt.Errorf("prepare the commit: %w", err)
	}
	for i, name := range commitHookNames {
		args := [][]string{nil, {text, "message"}, {text}}[i]
		before := map[string]git.Entry{}
		for _, path := range d.paths {
			before[path], _ = snapshot.OnDisk(r.root, path, 0)
		}
		said, err := r.Hooks.Run(ctx, githook.Call{Name: name, Index: index, Args: args})
		if err != nil && ctx.Err() != nil {
			return err
		}
		if err != nil {
			return r.refusedBy(name, said, before)
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
	return r.takeStaged(ctx, d, index)
}

// refusedBy is the error of a hook that refused a commit; one that changed files first
// is told apart.
func (r *Repo) refusedBy(name, said string, before map[string]git.Entry) error {
	var changed []string
	for path, was := range before {
		if is, why := snapshot.OnDisk(r.root, path, 0); why == "" && is.Differs(was) {
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
func (r *Repo) takeStaged(ctx context.Context, d *draft, index string) error {
	if _, err := regular.Read(index, regular.MaxSize); err != nil {
		return fmt.Errorf("read what the hooks staged: %w", err)
	}
	entries := func(index string) (map[string]string, error) {
		out, err := r.git.Run(ctx,
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
