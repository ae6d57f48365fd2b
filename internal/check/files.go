package check

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/placeholder"
	"github.com/booty-cli/booty/internal/testfile"
)

// Files runs only the tests of some test files and, where tests belong to packages, those of the
// packages of other files; false if one of the test commands cannot be narrowed to them.
func (r *Runner) Files(ctx context.Context, s Suite, files []string) (Verdict, bool, error) {
	steps, ok := r.filesSteps(s, files)
	if !ok {
		return Verdict{}, false, nil
	}
	v, err := r.Verify(ctx, Suite{Tests: steps}, VerifyOptions{Full: true})
	return v, true, err
}

func (r *Runner) filesSteps(s Suite, files []string) (steps []Step, ok bool) {
	for _, step := range s.Tests {
		if step.Command, ok = filesCommand(r.c.Dir, s.Rerun, step.Command, files); !ok {
			return nil, false
		}
		if steps = append(steps, step); s.Rerun != "" {
			break // the template is of all of them
		}
	}
	return steps, len(steps) > 0
}

// UntilFailure runs the tests of Files, or all tests if there are no files, and has the runner end at
// the first one that fails; false if it has no option for that.
func (r *Runner) UntilFailure(ctx context.Context, s Suite, files []string) (Verdict, bool, error) {
	steps := slices.Clone(s.Tests)
	if len(files) > 0 {
		if asksForFiles(s.Rerun) {
			return Verdict{}, false, nil
		}
		var ok bool
		if steps, ok = r.filesSteps(s, files); !ok {
			return Verdict{}, false, nil
		}
	}
	ends := false
	for i := range steps {
		if c, ok := untilFailureCommand(r.c.Dir, s.Tests[i].Command, steps[i].Command); ok {
			steps[i].Command, ends = c, true
		}
	}
	if !ends {
		return Verdict{}, false, nil
	}
	v, err := r.Verify(ctx, Suite{Tests: steps, Rerun: s.Rerun},
		VerifyOptions{Full: true, FlakeCheck: len(files) == 0})
	return v, true, err
}

// OnFile returns the command that runs the tests of one file, for Go those of its package; false if
// the command cannot be narrowed to it.
func (r *Runner) OnFile(test, file string) (string, bool) {
	return filesCommand(r.c.Dir, "", test, []string{file})
}

// filesCommand makes the command that runs the tests of those files alone that the test command
// runs among others: from the template, where it asks for files only, else from the test command.
func filesCommand(dir, template, test string, files []string) (string, bool) {
	if asksForFiles(template) {
		return expand(template, testsThere(dir, files, isTestName), nil)
	}
	command, ok := rewritten(dir, test, func(list []string) ([]string, bool) {
		for _, c := range fileChoices() {
			k := begins(list, c.starts)
			if k == 0 {
				continue
			}
			args, free, ok := c.words.left(dir, list[k:], narrowed)
			if !ok {
				return nil, false
			}
			there := c.among(dir, free, files)
			if len(there) == 0 {
				return nil, false
			}
			return c.build(slices.Clone(list[:k]), args, there)
		}
		return nil, false
	})
	return command, ok && command != test
}

// untilFailureCommand makes the command that ends at the first test that fails of a test command, or
// of one that filesCommand made of it.
func untilFailureCommand(dir, test, command string) (string, bool) {
	var option string
	all, ok := rewritten(dir, test, func(list []string) ([]string, bool) {
		for _, c := range fileChoices() {
			k := begins(list, c.starts)
			if k == 0 {
				continue
			}
			name, _, _ := strings.Cut(c.untilFailure, "=")
			option = c.untilFailure
			return append(list, option), option != "" && !has(list[k:], append(c.words.refuse, name)...)
		}
		return nil, false
	})
	if !ok || command == test {
		return all, ok
	}
	return command + " " + option, true
}

// NewFile runs the tests of one file, which the test commands need not include; false if no command
// for it is known.
func (r *Runner) NewFile(ctx context.Context, s Suite, file string) (Verdict, bool, error) {
	step, ok := r.newFileStep(s, file)
	if !ok {
		return Verdict{}, false, nil
	}
	v, err := r.Verify(ctx, Suite{Tests: []Step{step}}, VerifyOptions{Full: true})
	return v, true, err
}

// NewFileCommand is the command that NewFile runs. The file need not exist yet.
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

// newFileCommand makes the command that runs the tests of a file: from the template, if it takes
// files only, else from the test command.
func newFileCommand(dir, template, test, file string) (string, bool) {
	if !filepath.IsLocal(filepath.FromSlash(file)) || strings.HasPrefix(file, "-") {
		return "", false
	}
	if isTestName(file) && asksForFiles(template) {
		return expand(template, []string{file}, nil)
	}
	for _, way := range []choiceWay{instead, added} { // the words of a package's script stay
		command, ok := rewritten(dir, test, func(list []string) ([]string, bool) {
			for _, c := range fileChoices() {
				k := begins(list, c.starts)
				if k == 0 || c.lang != testfile.Language(file) || way == added && !c.adds {
					continue
				}
				args, _, ok := c.words.left(dir, list[k:], way)
				if !ok {
					return nil, false
				}
				return c.build(slices.Clone(list[:k]), args, []string{file})
			}
			return nil, false
		})
		if ok {
			return command, true
		}
	}
	return "", false
}

// asksForFiles reports whether a template of a rerun needs nothing but the names of files.
func asksForFiles(template string) bool {
	if template == "" {
		return false
	}
	parts, err := parse(template)
	return err == nil && !placeholder.Uses(parts, "Tests") && !placeholder.Uses(parts, "Pattern")
}

// testsThere are the files that are there and hold tests, once each.
func testsThere(dir string, files []string, isTest func(string) bool) (there []string) {
	for _, f := range files {
		if name, ok := localFile(dir, f); ok && isTest(name) && !slices.Contains(there, name) {
			there = append(there, name)
		}
	}
	return there
}

// isTestName reports whether a file is one of tests by the names that runners go by.
func isTestName(name string) bool {
	base := path.Base(name)
	return testFileJS().MatchString(name) || strings.HasSuffix(base, "_spec.rb") ||
		strings.HasSuffix(base, "_test.go") ||
		strings.HasSuffix(base, ".py") &&
			(strings.HasPrefix(base, "test_") || strings.HasSuffix(base, "_test.py"))
}

// among are the files that a runner runs where its command names the words: all of its tests where
// it names none. For Go they are those of which a package can be run.
func (c fileChoice) among(dir string, words, files []string) []string {
	isTest := c.isTest
	if isTest == nil {
		isTest = isTestName
	}
	var there []string
	if c.lang == "go" {
		for _, f := range files {
			if strings.HasSuffix(f, ".go") && isDir(dir, path.Dir(f)) {
				there = append(there, f)
			}
		}
		if len(words) == 0 {
			words = []string{"."}
		}
	} else {
		there = testsThere(dir, files, isTest)
	}
	return slices.DeleteFunc(there, func(f string) bool {
		return testfile.Language(f) != c.lang || len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
			return c.covers != nil && c.covers(w, f)
		})
	})
}

// inPattern reports whether a package pattern of Go's matches the package of a file.
func inPattern(word, file string) bool {
	folder := path.Dir(file)
	if parent, all := strings.CutSuffix(word, "..."); all {
		parent = path.Clean(parent)
		return parent == "." || folder == parent || strings.HasPrefix(folder, parent+"/")
	}
	return folder == path.Clean(word)
}

// inPlace reports whether a file is that of a path, or in its folder.
func inPlace(word, file string) bool {
	place := path.Clean(word)
	return place == "." || file == place || strings.HasPrefix(file, place+"/")
}
