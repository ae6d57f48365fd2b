package githook

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hooksIn gives the hooks of a work tree that has its git directory at its root, and their folder.
func hooksIn(t *testing.T) (*Hooks, string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("git runs the hooks there")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir := filepath.Join(root, ".git", "hooks")
	must(t, os.MkdirAll(dir, 0o755))
	return New(At{Root: root, GitDir: filepath.Join(root, ".git"), CommonDir: filepath.Join(root, ".git"),
		Env: []string{"PATH=" + os.Getenv("PATH"), "KEPT=yes"}}, dir, nil), dir
}

func write(t *testing.T, dir, name, script string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755))
}

// TestAHookIsRunAsGitRunsIt: at the root, with its arguments and input, and with the environment
// that it may rely on and no other.
func TestAHookIsRunAsGitRunsIt(t *testing.T) {
	t.Setenv("NOT_FOR_HOOKS", "secret")
	said := `echo "$(pwd -P) $#:$1:$2:$(cat): kept=$KEPT own=$` + Variable + ` index=$GIT_INDEX_FILE dir=$GIT_DIR tree=$GIT_WORK_TREE` +
		` prefix=${GIT_PREFIX-unset} $MORE $NOT_FOR_HOOKS" > "$OUT"`
	for name, c := range map[string]struct {
		call   Call
		gitDir string
		script string
		want   string
	}{
		"in a plain checkout": {Call{Args: []string{"origin", "a b"}, Stdin: "refs"}, "", "#!/bin/sh\n" + said,
			"ROOT 2:origin:a b:refs: kept=yes own=1 index= dir= tree= prefix= "},
		"with an index and more": {Call{Index: "/i", Env: []string{"MORE=more"}}, "", "#!/bin/sh\n" + said,
			"ROOT 0:::: kept=yes own=1 index=/i dir= tree= prefix= more"},
		"where the git directory lies elsewhere": {Call{}, "/store/worktrees/1", "#!/bin/sh\n" + said,
			"ROOT 0:::: kept=yes own=1 index= dir=/store/worktrees/1 tree=ROOT prefix= "},
		"a script without a first line": {Call{}, "", said, "ROOT 0:::: kept=yes own=1 index= dir= tree= prefix= "},
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := hooksIn(t)
			out := filepath.Join(t.TempDir(), "out")
			h.at.Env = append(h.at.Env, "OUT="+out)
			if c.gitDir != "" {
				h.at.GitDir = c.gitDir
			}
			write(t, dir, "pre-push", c.script)
			c.call.Name = "pre-push"
			if text, err := h.Run(t.Context(), c.call); err != nil || text != "" {
				t.Fatalf("got %q, %v", text, err)
			}
			got, err := os.ReadFile(out)
			must(t, err)
			want := strings.ReplaceAll(c.want, "ROOT", h.at.Root)
			if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(string(got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestARefusalComesWithTheHooksLastWords, from both of its outputs.
func TestARefusalComesWithTheHooksLastWords(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"both outputs":         {"#!/bin/sh\necho out; echo err >&2; exit 1", "out; err"},
		"the last lines":       {"#!/bin/sh\nfor i in 1 2 3 4 5 6 7 8 9 10; do echo line $i; done; exit 3", "line 3; line 4; line 5; line 6; line 7; line 8; line 9; line 10"},
		"nothing":              {"#!/bin/sh\nexit 3", "exit status 3"},
		"a program of its own": {"#!/usr/bin/env false", "exit status 1"},
		"it passes":            {"#!/bin/sh\necho all is well", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h, dir := hooksIn(t)
			write(t, dir, "pre-commit", c.script+"\n")
			said, err := h.Run(t.Context(), Call{Name: "pre-commit"})
			if said != c.want || (err != nil) != (c.want != "") {
				t.Errorf("got %q, %v; want %q", said, err, c.want)
			}
		})
	}
}

// TestOnlyAHookThatCanRunIsThere: git ignores one that is not executable, and samples.
func TestOnlyAHookThatCanRunIsThere(t *testing.T) {
	h, dir := hooksIn(t)
	write(t, dir, "pre-commit", "#!/bin/sh\n")
	write(t, dir, "commit-msg", "#!/bin/sh\nexit 1\n")
	write(t, dir, "post-commit.sample", "#!/bin/sh\nexit 1\n")
	must(t, os.Chmod(filepath.Join(dir, "commit-msg"), 0o644))
	must(t, os.Mkdir(filepath.Join(dir, "pre-push"), 0o755))
	for name, there := range map[string]bool{"pre-commit": true, "commit-msg": false, "pre-push": false, "post-commit": false} {
		if got := h.Path(name); (got != "") != there {
			t.Errorf("%s: got %q", name, got)
		}
		if said, err := h.Run(t.Context(), Call{Name: name}); err != nil || said != "" {
			t.Errorf("%s: got %q, %v", name, said, err)
		}
	}
}

// TestHooksRunConfined: the starter that was set last runs them, and knows the git directories that they
// write to.
func TestHooksRunConfined(t *testing.T) {
	h, dir := hooksIn(t)
	ran := filepath.Join(t.TempDir(), "ran")
	write(t, dir, "pre-commit", "#!/bin/sh\ntouch "+ran+"\n")
	h.at.GitDir = filepath.Join(h.at.Root, ".git", "worktrees", "x")
	var told []string
	h.Confine(func(_ context.Context, cmd *exec.Cmd, dirs []string) error {
		told = append(dirs, cmd.Dir)
		return nil
	})
	run := func() {
		if _, err := h.Run(t.Context(), Call{Name: "pre-commit"}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if want := []string{h.at.GitDir, h.at.CommonDir, h.at.Root}; !cmp.Equal(told, want) {
		t.Errorf("it may write to %v, want %v", told, want)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the hook was run past what confines it")
	}
	h.Confine(nil)
	run()
	if _, err := os.Stat(ran); err != nil {
		t.Error("with nothing around it the hook was not run")
	}
}

// TestAHookEndsWithTheContext, and with it what it has started.
func TestAHookEndsWithTheContext(t *testing.T) {
	h, dir := hooksIn(t)
	begun, late := filepath.Join(t.TempDir(), "begun"), filepath.Join(t.TempDir(), "late")
	write(t, dir, "pre-commit", "#!/bin/sh\n(sleep 1; touch "+late+") &\ntouch "+begun+"\nwait\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(begun); err == nil {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	if said, err := h.Run(ctx, Call{Name: "pre-commit"}); !errors.Is(err, context.Canceled) || said != "" {
		t.Errorf("got %q, %v", said, err)
	}
	time.Sleep(1200 * time.Millisecond)
	if _, err := os.Stat(late); err == nil {
		t.Error("what the hook has started went on")
	}
}

// TestHooksOfOthersAreTold: a folder outside of work tree and git directory may serve other
// repositories, too.
func TestHooksOfOthersAreTold(t *testing.T) {
	root := t.TempDir()
	at := At{Root: filepath.Join(root, "tree"), CommonDir: filepath.Join(root, "repo.git")}
	for dir, shared := range map[string]bool{
		filepath.Join(at.Root, ".husky"): false, filepath.Join(at.CommonDir, "hooks"): false, at.Root: false,
		filepath.Join(root, "hooks"): true, at.Root + "-hooks": true,
	} {
		if got, is := New(at, dir, nil).Place(); got != dir || is != shared {
			t.Errorf("%s: got %s, shared %t", dir, got, is)
		}
	}
}
