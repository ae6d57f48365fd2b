package check

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// fileChoice is how a runner is given files instead of all that its command names.
type fileChoice struct {
	starts [][]string
	lang   string
	words  choiceWords
	// adds is set where a file behind others is run beside them.
	adds bool
	// covers reports whether a word that is no option stands for a file among others; nil where
	// words are no paths. isTest reports whether a file can be run; nil: isTestName.
	covers func(word, file string) bool
	isTest func(file string) bool
	build  func(head, args, files []string) ([]string, bool)
	// untilFailure ends the run at the first test that fails; "" where the runner cannot.
	untilFailure string
}

// choiceWay is what becomes of the words that choose tests.
type choiceWay int

const (
	// instead: they go, for a file that they need not choose.
	instead choiceWay = iota
	// added: they stay, and a file is run beside what they choose.
	added
	// narrowed: those that name places go, for files that they choose; others refuse.
	narrowed
)

// choiceWords says which words of a command select tests.
type choiceWords struct {
	// values are the options whose value is the next word, chosen those of them that choose
	// tests by name or place, or demand what one file cannot give.
	values, chosen []string
	// flags choose tests as well, and have no value.
	flags []string
	// refuse are the options with which no file can be given.
	refuse []string
	// plain is set where no other option has a value, stay where words that are no options do not
	// name tests.
	plain, stay bool
	// tests reports whether a word is a test file; nil if it always names one.
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
			covers: inPattern, build: goPackages, untilFailure: "-failfast"},
		{starts: pytestCommands, lang: "python", adds: true, covers: inPlace, words: choiceWords{chosen: []string{"-k", "-m", "--deselect", "--cov-fail-under"},
			values: []string{"-c", "--rootdir", "--ignore", "--ignore-glob", "--cov", "--cov-config", "--confcutdir", "--basetemp",
				"--junitxml", "-p", "-n", "-o", "-W", "-r", "--tb"},
			refuse: []string{"--lf", "--last-failed", "--ff", "--nf", "--sw", "--stepwise", "--collect-only", "--co", "--pyargs"}},
			build: behind(""), untilFailure: "-x"},
		{starts: discoverCommands(), lang: "python", words: choiceWords{stay: true, chosen: []string{"-k", "-p", "--pattern"},
			values: []string{"-s", "--start-directory", "-t", "--top-level-directory"}}, build: discoveredFile, untilFailure: "-f"},
		{starts: unittestCommands, lang: "python", words: choiceWords{plain: true, chosen: []string{"-k"}}, build: unittestFile, untilFailure: "-f"},
		{starts: jestCommands, lang: "js", adds: true, words: choiceWords{chosen: []string{"-t", "--testNamePattern", "--testPathPattern",
			"--testPathPatterns"}, values: []string{"-c", "--config", "--rootDir", "--maxWorkers", "-w", "--env", "--reporters"},
			flags: []string{"-o", "--onlyChanged", "--runTestsByPath"},
			refuse: []string{"--watch", "--watchAll", "--shard", "--findRelatedTests", "--changedSince", "--listTests",
				"--selectProjects", "--"}}, build: behind("--runTestsByPath"), untilFailure: "--bail"},
		{starts: vitestCommands, lang: "js", adds: true, words: choiceWords{chosen: []string{"-t", "--testNamePattern"},
			values: []string{"-c", "--config", "-r", "--root", "--dir", "--environment", "--pool", "--project"},
			refuse: []string{"--changed", "--watch", "-w", "--shard", "--related", "--"}}, build: behind(""), untilFailure: "--bail=1"},
		{starts: nodeCommands, lang: "js", adds: true, covers: inPlace, words: choiceWords{chosen: []string{"--test-name-pattern", "--test-skip-pattern"},
			values: []string{"-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--env-file",
				"--test-reporter", "--test-reporter-destination", "--test-concurrency", "--test-timeout"},
			flags: []string{"--test-only"}, refuse: []string{"--watch", "--test-shard"}}, build: behind("")},
		{starts: cargoCommands, lang: "rust", isTest: isTestTarget, words: choiceWords{chosen: []string{"--test", "--bin", "--example", "--bench"},
			values: []string{"-p", "--package", "--features", "-F", "--manifest-path", "--target", "--target-dir", "--profile", "-j", "--jobs",
				"--exclude", "--config", "--color"},
			flags:  []string{"--lib", "--bins", "--tests", "--examples", "--benches", "--all-targets", "--doc"},
			refuse: []string{"--no-run"}, plain: true}, build: cargoFile},
		{starts: rspecCommands, lang: "ruby", adds: true, covers: inPlace, isTest: isSpec, words: choiceWords{
			chosen: []string{"-e", "--example", "-t", "--tag", "-P", "--pattern"},
			values: []string{"-f", "--format", "-o", "--out", "-I", "-r", "--require", "--seed", "--order"},
			refuse: []string{"--only-failures", "--next-failure", "--bisect", "--dry-run"}}, build: behind(""), untilFailure: "--fail-fast"},
		{starts: [][]string{{"ruby"}, {"bundle", "exec", "ruby"}}, lang: "ruby", covers: inPlace, isTest: isRubyTest, words: choiceWords{plain: true, tests: isRubyTest,
			values: []string{"-I", "-r"}, refuse: []string{"-e", "-C", "-S", "-x", "--"}}, build: behind("")},
		{starts: minitestCommands, lang: "ruby", covers: inPlace, isTest: isRubyTest, words: choiceWords{plain: true, chosen: []string{"-n", "--name"},
			values: []string{"-s", "--seed", "-e", "--environment"}, refuse: []string{"--"}}, build: railsFile},
	}
})

// left are the words of a command without those that choose tests: words that are no option's
// value name files, folders or packages. The places are those of them that went.
func (w choiceWords) left(dir string, args []string, way choiceWay) (out, places []string, ok bool) {
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		taken := 1
		if !joined && i+1 < len(args) &&
			(slices.Contains(w.values, name) || slices.Contains(w.chosen, name)) {
			taken = 2
		}
		free := !w.stay && !strings.HasPrefix(args[i], "-") && (w.plain || !w.mayBeValue(dir, args, i))
		chooses := slices.Contains(w.chosen, name) || slices.Contains(w.flags, name)
		switch {
		case slices.Contains(w.refuse, name), way != instead && chooses, free && w.tests != nil && !w.tests(args[i]):
			return nil, nil, false
		case name == "--" && w.plain: // what is behind goes to the tests
			return append(out, args[i:]...), places, true
		case way == added || !free && !chooses:
			out = append(out, args[i:i+taken]...)
		case free:
			places = append(places, args[i])
		}
		i += taken - 1
	}
	return out, places, true
}

// mayBeValue reports whether a word may belong to the option before it: it is no path, and nothing
// says that the option has no value.
func (w choiceWords) mayBeValue(dir string, args []string, i int) bool {
	if i == 0 || !strings.HasPrefix(args[i-1], "-") || strings.Contains(args[i-1], "=") ||
		slices.Contains(pytestFlags, args[i-1]) ||
		slices.Contains(w.flags, args[i-1]) {
		return false
	}
	file, _, _ := strings.Cut(args[i], "::")
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
	return err != nil
}

// goPackages: the packages of the files.
func goPackages(head, args, files []string) ([]string, bool) {
	out := slices.Concat(head, args)
	for _, f := range files {
		if p := "./" + strings.TrimPrefix(path.Dir(f), "."); !slices.Contains(out[len(head)+len(args):], p) {
			out = append(out, p)
		}
	}
	return out, true
}

// behind puts the files last, after an option where there is one.
func behind(option string) func(head, args, files []string) ([]string, bool) {
	return func(head, args, files []string) ([]string, bool) {
		out := slices.Concat(head, args)
		if option != "" {
			out = append(out, option)
		}
		return append(out, files...), true
	}
}

var modulePath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[A-Za-z_]\w*/)*[A-Za-z_]\w*\.py$`) })

// unittestFile: the files, where their paths are those of modules.
func unittestFile(head, args, files []string) ([]string, bool) {
	return slices.Concat(head, args, files),
		!slices.ContainsFunc(files, func(f string) bool { return !modulePath().MatchString(f) })
}

// discoverCommands have unittest find the tests.
func discoverCommands() (out [][]string) {
	for _, c := range unittestCommands {
		out = append(out, slices.Concat(c, []string{"discover"}))
	}
	return out
}

// discoveredFile: one file as the pattern, where tests are looked for above it.
func discoveredFile(head, args, files []string) ([]string, bool) {
	top, file := ".", files[0]
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
	if top = path.Clean(top); len(files) > 1 || top != "." && !strings.HasPrefix(file, top+"/") {
		return nil, false
	}
	return append(append(head, args...), "-p", path.Base(file)), true
}

// isTestTarget reports whether cargo makes a test target of a file.
func isTestTarget(file string) bool {
	return path.Base(path.Dir(file)) == "tests" && path.Ext(file) == ".rs"
}

// cargoFile: the test targets that the files are, in any package of the workspace.
func cargoFile(head, args, files []string) ([]string, bool) {
	if slices.ContainsFunc(files, func(f string) bool { return !isTestTarget(f) }) {
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
	if slices.ContainsFunc(files, func(f string) bool { return path.Dir(f) != "tests" }) &&
		!has(args, "-p", "--package", "--workspace", "--all", "--manifest-path") {
		out = append(out, "--workspace")
	}
	for _, f := range files {
		out = append(out, "--test", strings.TrimSuffix(path.Base(f), ".rs"))
	}
	if len(own) > 0 {
		out = append(append(out, "--"), own...)
	}
	return out, true
}

// isRubyTest reports whether a file that Ruby loads contains tests: one that loads all the others
// may also set up things.
func isRubyTest(word string) bool {
	base := path.Base(word)
	return strings.HasSuffix(base, "_test.rb") ||
		strings.HasPrefix(base, "test_") && strings.HasSuffix(base, ".rb")
}

// isSpec reports whether RSpec runs a file.
func isSpec(file string) bool { return strings.HasSuffix(file, "_spec.rb") }

// railsFile: the files instead of others, for Rake one in its variable.
func railsFile(head, args, files []string) ([]string, bool) {
	if !slices.Contains(head, "rake") {
		return slices.Concat(head, args, files), true
	}
	return append(slices.Concat(head, args), "TEST="+files[0]), len(files) == 1
}
