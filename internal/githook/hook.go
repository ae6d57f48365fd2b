// Package githook runs the hooks of a repository, as git does.
//
// What comes in: where a work tree and its hooks lie, and the name of a hook with what git gives
// it. What goes out: what a hook printed if it refused. It never decides what a refusal means,
// and starts no hook that nobody asked for.
package githook

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/git"
)

// At is the work tree that hooks are run in.
type At struct {
	Root, GitDir, CommonDir string
	Bin                     string   // the git program
	Env                     []string // of hooks; no git directory is pinned in it
}

// Hooks are the hooks of one work tree.
type Hooks struct {
	at  At
	dir string
	run git.Starter
}

// New gives the hooks in dir. They run by run, or with nothing around them where it is nil.
func New(at At, dir string, run git.Starter) *Hooks {
	h := &Hooks{at: at, dir: dir}
	h.Confine(run)
	return h
}

// Confine has the hooks run by f from now on, nil for with nothing around them.
func (h *Hooks) Confine(f git.Starter) {
	if h.run = f; f == nil {
		h.run = plain
	}
}

// Starter is what runs the hooks now.
func (h *Hooks) Starter() git.Starter { return h.run }

// plain runs a hook with nothing around it.
func plain(_ context.Context, cmd *exec.Cmd, _ []string) error { return cmd.Run() }

// Place is where git looks for the hooks of this repository, and whether other
// repositories share it.
func (h *Hooks) Place() (dir string, shared bool) {
	for _, own := range []string{h.at.Root, h.at.CommonDir} {
		if rel, err := filepath.Rel(own, h.dir); err == nil && filepath.IsLocal(rel) {
			return h.dir, false
		}
	}
	return h.dir, true
}

// Path gives the path of a hook that is there to be run, "" for none.
func (h *Hooks) Path(name string) string {
	path := filepath.Join(h.dir, name)
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

// Variable is set for the hooks that booty runs: those that booty init writes check
// nothing then, since booty has.
const Variable = "BOOTY_RUNS_HOOK"

// Call is one call of a hook.
type Call struct {
	Name  string
	Args  []string
	Index string // the index that its git works on, "" for the user's
	Stdin string
	Env   []string
}

// Run runs a hook, if it is there, and gives what it said where it refused.
func (h *Hooks) Run(ctx context.Context, c Call) (string, error) {
	path := h.Path(c.Name)
	if path == "" {
		return "", nil
	}
	// Through a shell, as git does it where a script does not name its own.
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", `exec "$0" "$@"`, path}, c.Args...)...)
	if runtime.GOOS == "windows" {
		cmd = exec.CommandContext(ctx, h.at.Bin,
			append([]string{"-c", "core.hooksPath=" + h.dir, "hook", "run", c.Name, "--"}, c.Args...)...)
	}
	cmd.Dir = h.at.Root
	cmd.Env = append(append(slices.Clone(h.at.Env), "GIT_PREFIX=", Variable+"=1"), c.Env...)
	if c.Index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+c.Index)
	}
	if c.Stdin != "" {
		cmd.Stdin = strings.NewReader(c.Stdin)
	}
	if h.at.GitDir != filepath.Join(h.at.Root, ".git") {
		cmd.Env = append(cmd.Env, "GIT_DIR="+h.at.GitDir, "GIT_WORK_TREE="+h.at.Root)
	}
	out := &git.Tail{Max: git.OutputTail}
	cmd.Stdout, cmd.Stderr = out, out
	git.OwnGroup(cmd)
	cmd.WaitDelay = git.EndGrace
	err := h.run(ctx, cmd, []string{h.at.GitDir, h.at.CommonDir})
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
