package testkit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// habits are settings that people keep in their own git configuration. Each
// changes what git prints, runs or writes; none may change what booty does.
const habits = `[init]
	defaultBranch = main
[color]
	ui = always
[core]
	autocrlf = input
	safecrlf = false
	fsmonitor = HOME/habit-fsmonitor
	hooksPath = HOME/habit-hooks
	pager = false
	editor = false
	abbrev = 5
	quotePath = false
	untrackedCache = true
	attributesFile = HOME/habit-attributes
	excludesFile = HOME/habit-excludes
[diff]
	noprefix = true
	mnemonicPrefix = true
	external = HOME/habit-diff
	algorithm = histogram
	renames = copies
	colorMoved = zebra
	context = 0
	interHunkContext = 9
	submodule = log
	wordRegex = .
	relative = true
[status]
	short = true
	branch = true
	showStash = true
	showUntrackedFiles = no
	relativePaths = false
	renames = false
[log]
	date = relative
	decorate = full
	showSignature = true
	abbrevCommit = true
[format]
	pretty = oneline
[push]
	default = nothing
	followTags = true
	autoSetupRemote = true
[pull]
	rebase = true
[fetch]
	prune = true
[merge]
	conflictStyle = zdiff3
	ff = only
	verifySignatures = false
[rebase]
	autoStash = true
[commit]
	verbose = true
	cleanup = scissors
	template = HOME/habit-template
[submodule]
	recurse = true
[column]
	ui = always
[branch]
	autoSetupMerge = always
	autoSetupRebase = always
	sort = -committerdate
[grep]
	lineNumber = true
	column = true
[index]
	version = 4
[feature]
	manyFiles = true
[checkout]
	defaultRemote = elsewhere
	guess = false
[alias]
	status = log
	commit = log
`

// signing is the habit of signing everything, with a key of the test's own.
const signing = `[gpg]
	format = ssh
[user]
	signingKey = HOME/habit-key
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[push]
	gpgSign = if-asked
`

// Habits gives home a git configuration full of a person's habits and names
// the file.
func Habits(home string) (string, error) {
	file := filepath.Join(home, "habits.gitconfig")
	config := habits
	key := filepath.Join(home, "habit-key")
	if keygen, err := exec.LookPath("ssh-keygen"); err == nil {
		//nolint:noctx // tests end with their process
		if out, err := exec.Command(keygen, "-q", "-t", "ed25519", "-N", "", "-f",
			key).CombinedOutput(); err != nil {
			return "", fmt.Errorf("make a key to sign with: %w: %s", err, out)
		}
		config += signing
	}
	scripts := map[string]string{
		"habit-fsmonitor": "printf 'token\\0/\\0'",
		"habit-diff":      "echo an external diff",
		// A hook that prints, as many do; one that fails would be obeyed.
		"habit-hooks/pre-commit":    "echo a hook speaks",
		"habit-hooks/post-checkout": "echo a hook speaks",
		"habit-hooks/pre-push":      "cat >/dev/null; echo a hook speaks",
	}
	for name, body := range scripts {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			return "", err
		}
	}
	for name, text := range map[string]string{
		"habit-template": "# what a person wants to see\n", "habit-attributes": "*.sh text\n*.md diff=markdown\n", "habit-excludes": ".DS_Store\n*.swp\n",
	} {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	return file, os.WriteFile(file, []byte(strings.ReplaceAll(config, "HOME/", filepath.ToSlash(home)+"/")),
		0o600)
}
