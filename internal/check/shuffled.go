package check

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// order is how a runner runs its tests in another order. starts are the words that its
// commands begin with.
type order struct {
	starts [][]string
	flags  []string
	unless []string
	// can reports whether the runner in a folder knows the flags; nil where all do.
	can func(ctx context.Context, dir string) bool
	// last says that the flags belong behind "--", to the programs of tests.
	last bool
}

var orders = []order{
	{
		starts: goCommands, flags: []string{"-shuffle=on"},
		unless: []string{"-shuffle", "--shuffle", "-C", "--C", "-json", "-c", "-n"},
	},
	{
		starts: vitestCommands,
		flags:  []string{"--sequence.shuffle"}, unless: []string{"--sequence.shuffle"},
	},
	{
		starts: rspecCommands,
		flags:  []string{"--order", "random"}, unless: []string{"--order", "--seed"},
	},
	{
		starts: phpunitCommands,
		flags:  []string{"--order-by=random"}, unless: []string{"--order-by"},
	},
	{starts: [][]string{{"ctest"}}, flags: []string{"--schedule-random"}, unless: []string{"--schedule-random"}},
	{starts: [][]string{{"prove"}}, flags: []string{"--shuffle"}, unless: []string{"-s", "--shuffle", "--state"}},
	// The files that were written last come first: in a new copy the other way round.
	{
		starts: pytestCommands,
		flags:  []string{"--nf"}, can: hasPytestCache,
		unless: []string{"--nf", "--new-first", "--ff", "--failed-first", "--lf", "--last-failed", "-p"},
	},
	{
		starts: jestCommands, flags: []string{"--randomize"},
		unless: []string{"--randomize", "--seed"}, can: randomizesJest,
	},
	{
		starts: nodeCommands, flags: []string{"--test-randomize"}, can: randomizesNode,
		unless: []string{"--test-randomize", "--test-random-seed", "--test-rerun-failures", "--watch"},
	},
	// Stable Rust knows no other order than that of the names; one test after the other
	// is at least not as they met before.
	{
		starts: cargoCommands, flags: []string{"--test-threads=1"}, last: true,
		unless: []string{"--test-threads", "--no-run"}, can: hasHarness,
	},
}

// hasPytestCache tells a project that leaves pytest the part that knows the order.
func hasPytestCache(_ context.Context, dir string) bool {
	for _, name := range []string{"pytest.ini", "pyproject.toml", "setup.cfg", "tox.ini", ".pytest.ini", "pytest.toml"} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil &&
			strings.Contains(string(text), "no:cacheprovider") {
			return false
		}
	}
	return true
}

// randomizesJest tells an installed jest of 29.5 or later, which shuffles tests.
func randomizesJest(_ context.Context, dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, "node_modules", "jest", "package.json"))
	var p struct{ Version string }
	if err != nil || json.Unmarshal(text, &p) != nil {
		return false
	}
	parts := strings.SplitN(p.Version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err := strconv.Atoi(parts[0])
	minor, minorErr := strconv.Atoi(parts[1])
	return err == nil && minorErr == nil && (major > 29 || major == 29 && minor >= 5)
}

// randomizesNode tells a Node that shuffles tests, by what it says of itself: the flag
// came to several releases.
func randomizesNode(ctx context.Context, dir string) bool {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", "--help")
	cmd.Dir = dir
	help, err := cmd.Output()
	return err == nil && bytes.Contains(help, []byte("--test-randomize"))
}

// hasHarness tells a project of Cargo's whose programs of tests all know the flags of
// Rust's own: none brings a main function of its own.
func hasHarness(_ context.Context, dir string) bool {
	for _, depth := range []string{".", "*", "*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(depth), "Cargo.toml"))
		if err != nil || slices.ContainsFunc(files, bringsMain) {
			return false
		}
	}
	return true
}

// bringsMain tells a manifest in which something that cargo test runs has no harness.
func bringsMain(path string) bool {
	type target struct{ Harness *bool }
	var m struct {
		Lib                target
		Test, Bin, Example []target
	}
	text, err := os.ReadFile(path)
	if err != nil || toml.Unmarshal(text, &m) != nil {
		return true
	}
	return slices.ContainsFunc(slices.Concat([]target{m.Lib}, m.Test, m.Bin, m.Example),
		func(t target) bool { return t.Harness != nil && !*t.Harness })
}

// shuffled gives a test command that runs its tests in another order, the command
// itself where its runner cannot or the command is not plain enough.
func shuffled(ctx context.Context, dir, command string) string {
	built, ok := rewritten(dir, command, func(list []string) ([]string, bool) { return inOtherOrder(ctx, dir, list) })
	if !ok {
		return command
	}
	return built
}

// inOtherOrder puts the flags right behind the words that name the runner, or last.
func inOtherOrder(ctx context.Context, dir string, list []string) ([]string, bool) {
	for _, o := range orders {
		n := begins(list, o.starts)
		if n == 0 || has(list, o.unless...) || o.can != nil && !o.can(ctx, dir) {
			continue
		}
		switch {
		case o.last && slices.Contains(list, "--"):
			return slices.Concat(list, o.flags), true
		case o.last:
			return slices.Concat(list, []string{"--"}, o.flags), true
		}
		return slices.Concat(list[:n], o.flags, list[n:]), true
	}
	return nil, false
}
