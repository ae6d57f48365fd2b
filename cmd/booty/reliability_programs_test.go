//go:build slow && unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// outside is a place that no command in the sandbox can write to.
func (l *lab) outside() string { return filepath.Join(l.home, "ran") }

// settingsOfPrograms asks git itself which of its settings may name a program, or lead
// to one.
func settingsOfPrograms(t *testing.T) []string {
	t.Helper()
	out, err := exec.Command("git", "help", "--config").Output()
	if err != nil {
		t.Skipf("git does not list its settings: %v", err)
	}
	program := regexp.MustCompile(`(?i)(program|command|cmd|driver|helper|clean|smudge|process|textconv|editor|pager|askpass|` +
		`sshvariant|tool|hook|fsmonitor|uploadpack|receivepack|vcs|\.external)$`)
	var list []string
	for _, key := range strings.Fields(string(out)) {
		if program.MatchString(key) && !strings.HasPrefix(key, "alias") {
			list = append(list, regexp.MustCompile(`<[^>]*>|\*`).ReplaceAllString(key, "mine"))
		}
	}
	if len(list) < 30 {
		t.Fatalf("git knows only %d such settings: %v", len(list), list)
	}
	return list
}

// TestNoProgramOfAReplyRunsOutside: settings name a program that the reply alone brings,
// in every way that git has; the program runs in the sandbox or not at all.
func TestNoProgramOfAReplyRunsOutside(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	module := func(name string) string {
		return "Summary: feat: greet\n\ngreet.sh\n```sh\necho hello\n```\n\n" + name + ".py\n```python\n" +
			"import os, sys\ntry:\n    open(os.environ['RAN'], 'w').write('ran')\nexcept OSError:\n    pass\n" +
			"sys.stdout.write(sys.stdin.read())\n```\n"
	}
	script := "Summary: feat: greet\n\ngreet.sh\n```sh\necho hello\n```\n\nhelpers/run.sh\n```sh\n#!/bin/sh\necho ran >\"$RAN\"; cat\n```\n"
	cases := map[string]struct {
		settings   func(t *testing.T) map[string]string
		attributes string
		reply      string
	}{
		"a module that a filter finds in the working folder": {func(*testing.T) map[string]string {
			return map[string]string{"filter.mine.clean": "python3 -m nbstrip", "filter.mine.smudge": "python3 -m nbstrip"}
		}, "* filter=mine\n", module("nbstrip")},
		"a script that a filter names": {func(*testing.T) map[string]string {
			return map[string]string{"filter.mine.clean": "sh helpers/run.sh", "filter.mine.smudge": "sh helpers/run.sh"}
		}, "* filter=mine\n", script},
		"a merge driver": {func(*testing.T) map[string]string {
			return map[string]string{"merge.mine.driver": "sh helpers/run.sh %A"}
		}, "* merge=mine\n", script},
		"a signer": {func(*testing.T) map[string]string {
			return map[string]string{"commit.gpgsign": "true", "gpg.program": "helpers/run.sh"}
		}, "", script},
		"hooks in the tree": {func(*testing.T) map[string]string { return map[string]string{"core.hooksPath": "helpers"} }, "",
			strings.ReplaceAll(script, "helpers/run.sh", "helpers/pre-commit")},
		"an included file": {func(*testing.T) map[string]string { return map[string]string{"include.path": "../helpers.cfg"} }, "",
			"Summary: feat: greet\n\ngreet.sh\n```sh\necho hello\n```\n\nhelpers.cfg\n```\n[core]\n\tfsmonitor = \"echo ran >$RAN; false\"\n```\n"},
		"a file that is included on a branch": {func(*testing.T) map[string]string {
			return map[string]string{"includeIf.onbranch:**.path": "../helpers.cfg"}
		}, "", "Summary: feat: greet\n\ngreet.sh\n```sh\necho hello\n```\n\nhelpers.cfg\n```\n[core]\n\tfsmonitor = \"echo ran >$RAN; false\"\n```\n"},
		"all that git lists": {func(t *testing.T) map[string]string {
			all := map[string]string{}
			for _, key := range settingsOfPrograms(t) {
				all[key] = "sh helpers/run.sh"
			}
			return all
		}, "* filter=mine merge=mine diff=mine\n", script},
	}
	ways := map[string][]string{
		"run":    {"run", "--task", "greet with hello"},
		"refine": {"refine", "--commit"},
	}
	for name, c := range cases {
		for way, args := range ways {
			t.Run(name+"/"+way, func(t *testing.T) {
				t.Parallel()
				l := newLab(t, failing(nil), func(string) string { return c.reply })
				for key, value := range c.settings(t) {
					_, _ = l.gitTry("config", key, value) // a few want a number or a word
				}
				testkit.Write(t, l.repo, map[string]string{".git/info/attributes": c.attributes})
				l.extra = append(l.extra, "RAN="+l.outside())
				r := l.booty(args...)
				if _, err := os.Stat(l.outside()); err == nil {
					t.Errorf("it ran outside\n%s", r)
				}
				if r.code == 1 {
					t.Errorf("%s", r)
				}
			})
		}
	}
}
