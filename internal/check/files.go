package check

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/placeholder"
)

// Files runs the tests of some test files, and where tests belong to packages those of
// the packages of other files, and nothing else; false where one of the test commands
// cannot be narrowed so.
func (r *Runner) Files(ctx context.Context, s Suite, files []string) (Verdict, bool, error) {
	var steps []Step
	for _, test := range s.Tests {
		command, ok := filesCommand(r.c.Dir, s.Rerun, test.Command, files)
		if !ok {
			return Verdict{}, false, nil
		}
		step := test
		step.Command = command
		if steps = append(steps, step); s.Rerun != "" {
			break // the template is of all of them
		}
	}
	if len(steps) == 0 {
		return Verdict{}, false, nil
	}
	v, err := r.Verify(ctx, Suite{Tests: steps}, VerifyOptions{Full: true})
	return v, true, err
}

// OnFile gives the command that runs the tests of one file, for Go those of its package; false
// where the command cannot be narrowed so.
func (r *Runner) OnFile(test, file string) (string, bool) {
	return filesCommand(r.c.Dir, "", test, []string{file})
}

// filesCommand makes the command that runs the tests of files alone: from the template,
// where it asks for files only, else from the test command.
func filesCommand(dir, template, test string, files []string) (string, bool) {
	if template != "" {
		parts, err := parse(template)
		if err != nil || placeholder.Uses(parts, "Tests") || placeholder.Uses(parts, "Pattern") {
			template = ""
		}
	}
	if template != "" {
		var there []string
		for _, f := range files {
			if name, ok := localFile(dir, f); ok && isTestName(name) {
				there = append(there, name)
			}
		}
		return expand(template, there, nil)
	}
	return rewritten(dir, test, func(list []string) ([]string, bool) {
		for _, n := range narrowings {
			if k := begins(list, n.starts); k > 0 {
				return n.build(dir, slices.Clone(list[:k]), list[k:], files)
			}
		}
		return nil, false
	})
}

// narrowings know how a runner takes files. To add a runner, add a row.
var narrowings = []struct {
	starts [][]string
	build  func(dir string, head, args, files []string) ([]string, bool)
}{
	{goCommands, goPackages},
	{pytestCommands, pytestFiles},
	{jestCommands, fileArguments("--runTestsByPath")},
	{vitestCommands, fileArguments("")},
	{nodeCommands, fileArguments("")},
	{rspecCommands, fileArguments("")},
}

// isTestName reports whether a file is one of tests by the names that runners go by.
func isTestName(name string) bool {
	base := path.Base(name)
	return testFileJS().MatchString(name) || strings.HasSuffix(base, "_spec.rb") || strings.HasSuffix(base, "_test.go") ||
		strings.HasSuffix(base, ".py") && (strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py"))
}

// goPackages: the packages of the files instead of "./...".
func goPackages(dir string, head, args, files []string) ([]string, bool) {
	if !slices.Contains(args, "./...") || has(args, "-C", "-args", "--args", "-c", "-coverpkg") {
		return nil, false
	}
	var packages []string
	for _, f := range files {
		if !strings.HasSuffix(f, ".go") || !isDir(dir, path.Dir(f)) {
			continue
		}
		if p := "./" + strings.TrimPrefix(path.Dir(f), "."); !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	if len(packages) == 0 {
		return nil, false
	}
	out := head
	for _, a := range args {
		if a == "./..." {
			out = append(out, packages...)
			continue
		}
		out = append(out, a)
	}
	return out, true
}

// pytestFiles: the files instead of paths.
func pytestFiles(dir string, head, args, files []string) ([]string, bool) {
	out := head
	for _, a := range args {
		switch {
		case strings.HasPrefix(a, "-") && (strings.Contains(a, "=") || slices.Contains(pytestFlags, a)):
			out = append(out, a)
		case !strings.HasPrefix(a, "-") && isDir(dir, a): // replaced
		default: // it cannot be told what it is
			return nil, false
		}
	}
	return withFiles(dir, out, files)
}

// fileArguments puts the files behind, after an option where there is one.
func fileArguments(option string) func(string, []string, []string, []string) ([]string, bool) {
	return func(dir string, head, args, files []string) ([]string, bool) {
		for _, a := range args {
			if !strings.HasPrefix(a, "-") || a == "--" {
				return nil, false
			}
		}
		out := slices.Concat(head, args)
		if option != "" {
			out = append(out, option)
		}
		return withFiles(dir, out, files)
	}
}

// withFiles adds the test files that are there.
func withFiles(dir string, out, files []string) ([]string, bool) {
	n := len(out)
	for _, f := range files {
		if name, ok := localFile(dir, f); ok && isTestName(name) && !slices.Contains(out[n:], name) {
			out = append(out, name)
		}
	}
	return out, len(out) > n
}
