package check

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/placeholder"
	"github.com/booty-cli/booty/internal/testfile"
)

// NewFile runs the tests of one file, which the test commands need not name; false where no
// command for it is known.
func (r *Runner) NewFile(ctx context.Context, s Suite, file string) (Verdict, bool, error) {
	step, ok := r.newFileStep(s, file)
	if !ok {
		return Verdict{}, false, nil
	}
	v, err := r.Verify(ctx, Suite{Tests: []Step{step}}, VerifyOptions{Full: true})
	return v, true, err
}

// NewFileCommand is the command that NewFile runs. The file need not be there yet.
func (r *Runner) NewFileCommand(s Suite, file string) (string, bool) {
	step, ok := r.newFileStep(s, file)
	return step.Command, ok
}

// newFileStep is the first test step that can take the file, with the command that does.
func (r *Runner) newFileStep(s Suite, file string) (Step, bool) {
	for _, step := range s.Tests {
		if command, ok := newFileCommand(r.c.Dir, s.Rerun, step.Command, file); ok {
			step.Command = command
			return step, true
		}
	}
	return Step{}, false
}

// newFileCommand makes the command that runs the tests of a file: from the template, where it asks
// for files only, else from the test command.
func newFileCommand(dir, template, test, file string) (string, bool) {
	if !filepath.IsLocal(filepath.FromSlash(file)) || strings.HasPrefix(file, "-") {
		return "", false
	}
	if template != "" && isTestName(file) {
		parts, err := parse(template)
		if err == nil && !placeholder.Uses(parts, "Tests") && !placeholder.Uses(parts, "Pattern") {
			return expand(template, []string{file}, nil)
		}
	}
	for _, behind := range []bool{false, true} { // the words of a package's script stay
		command, ok := rewritten(dir, test, func(list []string) ([]string, bool) {
			for _, c := range fileChoices() {
				k := begins(list, c.starts)
				if k == 0 || c.lang != testfile.Language(file) || behind && !c.adds {
					continue
				}
				args, ok := c.words.left(dir, list[k:], behind)
				if !ok {
					return nil, false
				}
				return c.build(slices.Clone(list[:k]), args, file)
			}
			return nil, false
		})
		if ok {
			return command, true
		}
	}
	return "", false
}

// fileChoice is how a runner is given one file instead of all that its command names.
type fileChoice struct {
	starts [][]string
	lang   string
	words  choiceWords
	// adds is set where a file behind others is run beside them.
	adds  bool
	build func(head, args []string, file string) ([]string, bool)
}

// choiceWords tells the words of a command apart that choose tests.
type choiceWords struct {
	// values are the options whose value is the next word, chosen those of them that choose
	// tests by name or place.
	values, chosen []string
	// flags choose tests as well, and have no value.
	flags []string
	// refuse are the options with which no file can be given.
	refuse []string
	// plain is set where no other option has a value, stay where words that are no options do not
	// name tests.
	plain, stay bool
	// tests reports whether a word is the file of some tests; nil where it always names some.
	tests func(word string) bool
}

// fileChoices are the runners that can be given one file. To add a runner, add a row.
var fileChoices = sync.OnceValue(func() []fileChoice {
	return []fileChoice{
		{starts: goCommands, lang: "go", words: choiceWords{plain: true, chosen: []string{"-run", "--run", "-test.run", "-skip", "--skip"},
			values: []string{"-count", "-timeout", "-tags", "-p", "-parallel", "-cpu", "-coverprofile", "-covermode", "-shuffle",
				"-ldflags", "-gcflags", "-asmflags", "-mod", "-modfile", "-overlay", "-vet", "-bench", "-benchtime", "-exec", "-toolexec",
				"-outputdir", "-cpuprofile", "-memprofile", "-pgo", "-buildmode", "-coverpkg"},
			refuse: []string{"-C", "--C", "-args", "--args", "-c", "-list", "-fuzz"}},
			build: func(head, args []string, file string) ([]string, bool) {
				return append(append(head, args...), "./"+strings.TrimPrefix(path.Dir(file), ".")), true
			}},
		{starts: pytestCommands, lang: "python", adds: true, words: choiceWords{chosen: []string{"-k", "-m", "--deselect"},
			values: []string{"-c", "--rootdir", "--ignore", "--ignore-glob", "--cov", "--cov-config", "--confcutdir", "--basetemp",
				"--junitxml", "-p", "-n", "-o", "-W", "-r", "--tb"},
			refuse: []string{"--lf", "--last-failed", "--ff", "--nf", "--sw", "--stepwise", "--collect-only", "--co", "--pyargs"}},
			build: behind("")},
		{starts: discoverCommands(), lang: "python", words: choiceWords{stay: true, chosen: []string{"-k", "-p", "--pattern"},
			values: []string{"-s", "--start-directory", "-t", "--top-level-directory"}}, build: discoveredFile},
		{starts: unittestCommands, lang: "python", words: choiceWords{plain: true, chosen: []string{"-k"}}, build: unittestFile},
		{starts: jestCommands, lang: "js", adds: true, words: choiceWords{chosen: []string{"-t", "--testNamePattern", "--testPathPattern",
			"--testPathPatterns"}, values: []string{"-c", "--config", "--rootDir", "--maxWorkers", "-w", "--env", "--reporters"},
			flags: []string{"-o", "--onlyChanged", "--runTestsByPath"},
			refuse: []string{"--watch", "--watchAll", "--shard", "--findRelatedTests", "--changedSince", "--listTests",
				"--selectProjects", "--"}}, build: behind("--runTestsByPath")},
		{starts: vitestCommands, lang: "js", adds: true, words: choiceWords{chosen: []string{"-t", "--testNamePattern"},
			values: []string{"-c", "--config", "-r", "--root", "--dir", "--environment", "--pool", "--project"},
			refuse: []string{"--changed", "--watch", "-w", "--shard", "--related", "--"}}, build: behind("")},
		{starts: nodeCommands, lang: "js", adds: true, words: choiceWords{chosen: []string{"--test-name-pattern", "--test-skip-pattern"},
			values: []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
				"--test-reporter", "--test-reporter-destination", "--test-concurrency", "--test-timeout"},
			flags: []string{"--test-only"}, refuse: []string{"--watch", "--test-shard"}}, build: behind("")},
		{starts: cargoCommands, lang: "rust", words: choiceWords{chosen: []string{"--test", "--bin", "--example", "--bench"},
			values: []string{"-p", "--package", "--features", "-F", "--manifest-path", "--target", "--target-dir", "--profile", "-j", "--jobs",
				"--exclude", "--config", "--color"},
			flags:  []string{"--lib", "--bins", "--tests", "--examples", "--benches", "--all-targets", "--doc"},
			refuse: []string{"--no-run"}, plain: true}, build: cargoFile},
		{starts: rspecCommands, lang: "ruby", adds: true, words: choiceWords{
			chosen: []string{"-e", "--example", "-t", "--tag", "-P", "--pattern"},
			values: []string{"-f", "--format", "-o", "--out", "-I", "-r", "--require", "--seed", "--order"},
			refuse: []string{"--only-failures", "--next-failure", "--bisect", "--dry-run"}}, build: behind("")},
		{starts: [][]string{{"ruby"}, {"bundle", "exec", "ruby"}}, lang: "ruby", words: choiceWords{plain: true, tests: isRubyTest,
			values: []string{"-I", "-r"}, refuse: []string{"-e", "-C", "-S", "-x", "--"}}, build: behind("")},
		{starts: minitestCommands, lang: "ruby", words: choiceWords{plain: true, chosen: []string{"-n", "--name"},
			values: []string{"-s", "--seed", "-e", "--environment"}, refuse: []string{"--"}}, build: railsFile},
	}
})

// left are the words of a command without those that choose tests: words that are no option's
// value name files, folders or packages. keep is set where none may go.
func (w choiceWords) left(dir string, args []string, keep bool) (out []string, ok bool) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		taken := 1
		if !joined && i+1 < len(args) && (slices.Contains(w.values, name) || slices.Contains(w.chosen, name)) {
			taken = 2
		}
		free := !w.stay && !strings.HasPrefix(args[i], "-") && (w.plain || !w.mayBeValue(dir, args, i))
		chooses := slices.Contains(w.chosen, name) || slices.Contains(w.flags, name)
		switch {
		case slices.Contains(w.refuse, name), keep && chooses, free && w.tests != nil && !w.tests(args[i]):
			return nil, false
		case name == "--" && w.plain: // what is behind goes to the tests
			return append(out, args[i:]...), true
		case keep || !free && !chooses:
			out = append(out, args[i:i+taken]...)
		}
		i += taken - 1
	}
	return out, true
}

// mayBeValue reports whether a word may belong to the option before it: it is no path, and nothing
// says that the option has no value.
func (w choiceWords) mayBeValue(dir string, args []string, i int) bool {
	if i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.Contains(args[i-1], "=") || slices.Contains(pytestFlags, args[i-1]) ||
		slices.Contains(w.flags, args[i-1]) {
		return false
	}
	file, _, _ := strings.Cut(args[i], "::")
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
	return err != nil
}

// behind puts the file last, after an option where there is one.
func behind(option string) func(head, args []string, file string) ([]string, bool) {
	return func(head, args []string, file string) ([]string, bool) {
		out := slices.Concat(head, args)
		if option != "" {
			out = append(out, option)
		}
		return append(out, file), true
	}
}

var modulePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[A-Za-z_]\w*/)*[A-Za-z_]\w*\.py$`) })

// unittestFile: the file, where its path is that of a module.
func unittestFile(head, args []string, file string) ([]string, bool) {
	return append(append(head, args...), file), modulePath().MatchString(file)
}

// discoverCommands have unittest find the tests.
func discoverCommands() (out [][]string) {
	for _, c := range unittestCommands {
		out = append(out, slices.Concat(c, []string{"discover"}))
	}
	return out
}

// discoveredFile: the file as the pattern, where tests are looked for above it.
func discoveredFile(head, args []string, file string) ([]string, bool) {
	top := "."
	for i, a := range args {
		switch name, value, joined := strings.Cut(a, "="); {
		case (name == "-s" || name == "--start-directory") && joined:
			top = value
		case (name == "-s" || name == "--start-directory") && i+1 < len(args):
			top = args[i+1]
		case i == 0 && !strings.HasPrefix(a, "-"):
			top = a
		}
	}
	if top = path.Clean(top); top != "." && !strings.HasPrefix(file, top+"/") {
		return nil, false
	}
	return append(append(head, args...), "-p", path.Base(file)), true
}

// cargoFile: the test target that the file is, in any package of the workspace.
func cargoFile(head, args []string, file string) ([]string, bool) {
	if path.Base(path.Dir(file)) != "tests" {
		return nil, false
	}
	out, own := head, []string{}
	if i := slices.Index(args, "--"); i >= 0 {
		for _, a := range args[i+1:] { // names of other tests go
			if strings.HasPrefix(a, "--test-threads=") || a == "--nocapture" {
				own = append(own, a)
			}
		}
		args = args[:i]
	}
	out = append(out, args...)
	if file != "tests/"+path.Base(file) && !has(args, "-p", "--package", "--workspace", "--all", "--manifest-path") {
		out = append(out, "--workspace")
	}
	out = append(out, "--test", strings.TrimSuffix(path.Base(file), ".rs"))
	if len(own) > 0 {
		out = append(append(out, "--"), own...)
	}
	return out, true
}

// isRubyTest reports whether a file that Ruby loads holds tests itself: one that loads all the
// others may set up more.
func isRubyTest(word string) bool {
	base := path.Base(word)
	return strings.HasSuffix(base, "_test.rb") || strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".rb")
}

// railsFile: the file instead of others, for Rake in its variable.
func railsFile(head, args []string, file string) ([]string, bool) {
	if slices.Contains(head, "rake") {
		file = "TEST=" + file
	}
	return append(append(head, args...), file), true
}
