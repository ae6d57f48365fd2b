package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Confine has the repository's hooks, and git children that may start programs which
// settings name, run by f from now on, until the function that it gives is called. They
// are programs of the user's, but most of them run code of the work tree.
func (r *Repo) Confine(f git.Starter) (end func()) {
	r.runHook = f
	r.git.Confine(f)
	return func() {
		r.runHook = plainHook
		r.git.Confine(nil)
	}
}

// plainHook runs a hook with nothing around it.
func plainHook(_ context.Context, cmd *exec.Cmd, _ []string) error { return cmd.Run() }

// commitHooks runs the hooks that may look at a commit, change it and refuse it,
// as git does. What they stage beside the named paths stays out.
func (r *Repo) commitHooks(ctx context.Context, d *draft) (err error) {
	if !slices.ContainsFunc(commitHookNames, func(name string) bool { return r.hook(name) != "" }) {
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
		said, err := r.oneHook(ctx, hookCall{name: name, index: index, args: args})
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

// HooksDir is where git looks for the hooks of this repository, and whether other
// repositories share it.
func (r *Repo) HooksDir() (dir string, shared bool) {
	for _, own := range []string{r.root, r.commonDir} {
		if rel, err := filepath.Rel(own, r.hooks); err == nil && filepath.IsLocal(rel) {
			return r.hooks, false
		}
	}
	return r.hooks, true
}

// hook gives the path of a hook that is there to be run, "" for none.
func (r *Repo) hook(name string) string {
	path := filepath.Join(r.hooks, name)
	if runtime.GOOS == "windows" {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
		return ""
	}
	if _, err := exec.LookPath(path); err != nil {
		return ""
	}
	return path
}

// HookVariable is set for the hooks that booty runs: those that booty init writes check
// nothing then, since booty has.
const HookVariable = "BOOTY_RUNS_HOOK"

// hookCall is one call of a hook.
type hookCall struct {
	name  string
	args  []string
	index string // the index that its git works on, "" for the user's
	stdin string
	env   []string
}

// oneHook runs a hook, if it is there, and gives what it said where it refused.
func (r *Repo) oneHook(ctx context.Context, h hookCall) (string, error) {
	path := r.hook(h.name)
	if path == "" {
		return "", nil
	}
	// Through a shell, as git does it where a script does not name its own.
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", `exec "$0" "$@"`, path}, h.args...)...)
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, r.git.Bin,
			append([]string{"-c", "core.hooksPath=" + r.hooks, "hook", "run", h.name, "--"}, h.args...)...)
	}
	cmd.Dir = r.root
	cmd.Env = append(append(slices.Clone(r.free), "GIT_PREFIX=", HookVariable+"=1"), h.env...)
	if h.index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+h.index)
	}
	if h.stdin != "" {
		cmd.Stdin = strings.NewReader(h.stdin)
	}
	if r.gitDir != filepath.Join(r.root, ".git") {
		cmd.Env = append(cmd.Env, "GIT_DIR="+r.gitDir, "GIT_WORK_TREE="+r.root)
	}
	out := &git.Tail{Max: git.OutputTail}
	cmd.Stdout, cmd.Stderr = out, out
	git.OwnGroup(cmd)
	cmd.WaitDelay = git.EndGrace
	err := r.runHook(ctx, cmd, []string{r.gitDir, r.commonDir})
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		said := git.LastLines(out.String(), 8)
		if said == "" {
			said = err.Error()
		}
		return said, err
	}
	return "", nil
}
