package check

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/regular"
)

const (
	// maxRerun is how many tests are worth naming one by one.
	maxRerun = 100
	// maxCommand is how long a command may get by that.
	maxCommand = 16 << 10
)

// rerunCommand makes the command that runs the tests of failures alone: from
// the template, else from the test command, where that is known to be safe. A
// failure that is not a test (it did not compile) leaves only the full command.
func rerunCommand(dir, template, test string, failures []failure.Failure) (string, bool) {
	tests := testNames(failures)
	if len(tests) == 0 || len(tests) > maxRerun {
		return "", false
	}
	for _, f := range failures {
		if f.Test == "" || unloaded(f) {
			return "", false
		}
	}
	var command string
	var ok bool
	if template != "" {
		command, ok = expand(template, testFiles(dir, failures), tests)
	} else {
		command, ok = derive(dir, test, failures)
	}
	return command, ok && len(command) <= maxCommand
}

// testNames are the names of failing tests as their runner knows them, each once.
func testNames(failures []failure.Failure) []string {
	var names []string
	for _, f := range failures {
		if f.Test != "" && !slices.Contains(names, f.Test) {
			names = append(names, f.Test)
		}
	}
	return names
}

// unloaded reports whether a failure kept tests from running at all.
func unloaded(f failure.Failure) bool {
	switch f.Kind {
	case "compile", "type", "vet", "load", "lint":
		return true
	}
	return false
}

// testFiles returns the files of failures that are in the work tree, each once.
func testFiles(dir string, failures []failure.Failure) []string {
	var files []string
	for _, f := range failures {
		if name, ok := localFile(dir, f.File); ok && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}

// localFile makes the name of a file in the work tree fit for an argument: it
// is one, it exists, and it does not look like an option.
func localFile(dir, name string) (string, bool) {
	name = filepath.ToSlash(name)
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", false
	}
	if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err != nil ||
		!info.Mode().IsRegular() {
		return "", false
	}
	if strings.HasPrefix(name, "-") {
		name = "./" + name
	}
	return name, true
}

// derivation knows one runner. starts are the words that the command begins
// with; build makes the new command of the words before, those and the rest. To
// add a runner, add a row.
type derivation struct {
	starts [][]string
	build  func(dir string, head, args []string, failures []failure.Failure) ([]string, bool)
}

var derivations = []derivation{
	{goCommands, goTest}, {pytestCommands, pytest}, {jestCommands, jest}, {vitestCommands, vitest},
	{cargoCommands, cargo}, {rspecCommands, rspec}, {unittestCommands, unittests},
	{nodeCommands, nodeTests},
}

// derive makes the command from the test command.
func derive(dir, test string, failures []failure.Failure) (string, bool) {
	return rewritten(dir, test,
		func(list []string) ([]string, bool) { return deriveWords(dir, list, failures) })
}

func deriveWords(dir string, list []string, failures []failure.Failure) ([]string, bool) {
	for _, d := range derivations {
		if n := begins(list, d.starts); n > 0 {
			return d.build(dir, slices.Clone(list[:n]), list[n:], failures)
		}
	}
	return nil, false
}

// has reports whether args hold one of the options, alone or with "=value".
func has(args []string, options ...string) bool {
	return slices.ContainsFunc(args, func(a string) bool {
		name, _, _ := strings.Cut(a, "=")
		return slices.Contains(options, name)
	})
}

// goName takes "example.com/module/package.TestName/subtest" apart.
var goName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(\S*?)\.)?((?:Test|Example|Fuzz)[A-Za-z0-9_]*)(?:/|$)`)
})

// goTest: go test -run '^(TestA|TestB)$' with the flags as they are; where all
// packages are known, those instead of "./...".
func goTest(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	if has(args, "-run", "--run", "-test.run", "-skip", "--skip", "-bench", "-fuzz", "-list", "-c", "-o",
		"-args", "--args", "-exec", "-C") {
		return nil, false
	}
	var names, packages []string
	known := true
	for _, f := range failures {
		m := goName().FindStringSubmatch(f.Test) // a subtest runs with its test
		if m == nil {
			return nil, false
		}
		if !slices.Contains(names, m[2]) {
			names = append(names, m[2])
		}
		p, ok := goPackage(dir, m[1], f.File)
		if known = known && ok; ok && !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	out := slices.Concat(head, []string{"-run", "^(" + strings.Join(names, "|") + ")$"})
	if !has(args, "-count") {
		out = append(out, "-count=1") // a result from the cache tells nothing of a flake
	}
	for _, a := range args {
		if a == "./..." && known {
			out = append(out, packages...)
			continue
		}
		out = append(out, a)
	}
	return out, true
}

// goPackage returns the directory of a test's package, from its import path or
// else from the test file.
func goPackage(dir, importPath, file string) (string, bool) {
	if importPath != "" {
		mod, err := regular.Read(filepath.Join(dir, "go.mod"), regular.MaxSize)
		if err != nil {
			return "", false
		}
		m := goModule().FindSubmatch(mod)
		if m == nil {
			return "", false
		}
		rel, ok := strings.CutPrefix(importPath+"/", strings.Trim(string(m[1]), `"`)+"/")
		rel = strings.TrimSuffix(rel, "/")
		if !ok || rel != "" && (!filepath.IsLocal(rel) || !isDir(dir, rel)) {
			return "", false
		}
		return "./" + rel, true
	}
	name, ok := localFile(dir, file)
	if !ok || !strings.HasSuffix(name, "_test.go") {
		return "", false
	}
	return "./" + strings.TrimPrefix(path.Dir(name), "./"), true
}

var goModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^module[ \t]+(\S+)`) })

// pytestFlags take no value, so that a word after one of them is a path.
var pytestFlags = []string{"-q", "-qq", "-v", "-vv", "-vvv", "-x", "-s", "-l", "-ra", "-rA", "--verbose",
	"--quiet", "--strict-markers", "--no-header"}

// pytest: the flags, then the node ids, in place of the paths that hold them.
func pytest(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	if has(args, "-k", "-m", "--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--sw", "--stepwise", "--deselect",
		"--collect-only", "--co", "--pyargs", "--ignore", "--ignore-glob", "--rootdir", "--cov-fail-under") {
		return nil, false
	}
	out := head
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			out = append(out, a)
			continue
		}
		after := "-q"
		if i > 0 {
			after = args[i-1]
		}
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(a)))
		isPath := err == nil && (strings.HasSuffix(a, ".py") || isDir(dir, a))
		switch free := !strings.HasPrefix(after, "-") || strings.Contains(after, "=") ||
			slices.Contains(pytestFlags, after); {
		case free && isPath: // replaced by the node ids
		case free || isPath: // a node id of its own, or it cannot be told what it is
			return nil, false
		default: // the value of an option
			out = append(out, a)
		}
	}
	var ids []string
	for _, f := range failures {
		id, ok := nodeID(dir, f)
		if !ok {
			return nil, false
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return append(out, ids...), true
}

func isDir(dir, name string) bool {
	info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name)))
	return err == nil && info.IsDir()
}

// nodeID makes file::class::function of a failure, whose test may be the whole
// id already, or lack the file.
func nodeID(dir string, f failure.Failure) (string, bool) {
	file, test := f.File, f.Test
	if before, after, ok := strings.Cut(f.Test, "::"); ok && strings.HasSuffix(before, ".py") {
		file, test = before, after
	}
	file, ok := localFile(dir, file)
	if !ok || !strings.HasSuffix(file, ".py") || test == "" {
		return "", false
	}
	name, params, has := strings.Cut(test, "[")
	name = strings.ReplaceAll(name, ".", "::")
	if has {
		name += "[" + params
	}
	return file + "::" + name, true
}

// jest: --runTestsByPath with the files, -t with the names.
func jest(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	if has(args, "-t", "--testNamePattern", "--testPathPattern", "--testPathPatterns",
		"--testPathIgnorePatterns", "-o", "--onlyChanged",
		"--changedSince", "--watch", "--watchAll", "--shard", "--findRelatedTests", "--runTestsByPath", "--listTests", "--") {
		return nil, false
	}
	return byFile(dir, slices.Concat(head, args), args, "--runTestsByPath", failures)
}

// vitest: the files, -t with the names.
func vitest(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	if has(args, "-t", "--testNamePattern", "--changed", "--watch", "-w", "--shard", "--related", "--exclude", "--") {
		return nil, false
	}
	return byFile(dir, slices.Concat(head, args), args, "", failures)
}

// byFile adds the files and a pattern of the names. Arguments that are no
// options may be filters of their own, or values; both are left alone.
func byFile(dir string, base, args []string, option string, failures []failure.Failure) ([]string, bool) {
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			return nil, false
		}
	}
	files, pattern := testFiles(dir, failures), patternOf(testNames(failures))
	if len(files) == 0 || pattern == "" {
		return nil, false
	}
	for _, f := range failures { // each must be known, or a test would be left out
		if name, ok := localFile(dir, f.File); !ok || !testFileJS().MatchString(name) {
			return nil, false
		}
	}
	base = append(base, "-t", pattern)
	if option != "" {
		base = append(base, option)
	}
	return append(base, files...), true
}

var testFileJS = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|/)__tests__/.*\.[cm]?[jt]sx?$|\.(?:test|spec)\.[cm]?[jt]sx?$`)
})

// nodeTests: a pattern for each name, the files behind. The runner of one release asks
// for a test's own name, that of another for those around it as well.
func nodeTests(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	if slices.ContainsFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") }) ||
		has(args, "--test-name-pattern", "--test-skip-pattern", "--test-only", "--watch") {
		return nil, false
	}
	out := head
	for _, f := range failures {
		if name, ok := localFile(dir, f.File); !ok || !testFileJS().MatchString(name) {
			return nil, false
		}
		own := f.Test
		if i := strings.LastIndex(own, " > "); i >= 0 {
			own = own[i+len(" > "):]
		}
		if p := "--test-name-pattern=" + regexp.QuoteMeta(own) + "$"; !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return slices.Concat(out, args, testFiles(dir, failures)), true
}

var rustName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z0-9_]+)*$`) })

// cargo: the names, exactly, behind "--". Doc tests have no name to give.
func cargo(_ string, head, args []string, failures []failure.Failure) ([]string, bool) {
	takesValue := []string{"-p", "--package", "--features", "-F", "--manifest-path", "--target", "--test",
		"--profile", "-j", "--jobs", "--exclude"}
	for i, a := range args {
		if a == "--" || a == "--doc" || a == "--no-run" || !strings.HasPrefix(a, "-") &&
			(i == 0 || !slices.Contains(takesValue, args[i-1])) {
			return nil, false
		}
	}
	out := append(append(head, args...), "--", "--exact")
	for _, name := range testNames(failures) {
		if !rustName().MatchString(name) {
			return nil, false
		}
		out = append(out, name)
	}
	return out, true
}

// rspec: file:line of each failure; the line may be any within the example.
func rspec(dir string, head, args []string, failures []failure.Failure) ([]string, bool) {
	for _, a := range args {
		if !strings.HasPrefix(a, "--") || has(args, "--example", "--tag", "--only-failures", "--next-failure",
			"--pattern", "--bisect", "--dry-run") {
			return nil, false
		}
	}
	out := slices.Concat(head, args)
	for _, f := range failures {
		file, ok := localFile(dir, f.File)
		if !ok || !strings.HasSuffix(file, "_spec.rb") || f.Line <= 0 {
			return nil, false
		}
		if at := file + ":" + strconv.Itoa(f.Line); !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out, true
}
