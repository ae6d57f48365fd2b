package check

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/testreport"
)

// askGo has the testing package mark its own lines: a test's words have no such mark.
func askGo(_ *Runner, list []string, n int, _ string) ([]string, asking) {
	g := &testreport.GoLines{Marked: true, Max: maxRan}
	args := slices.DeleteFunc(slices.Clone(list[n:]), func(a string) bool {
		return slices.Contains([]string{"-v", "--v", "-test.v", "-v=true", "-test.v=true"}, a)
	})
	return slices.Concat(list[:n], []string{"-v=test2json"}, args), asking{tap: g.Tap, read: func(Result) (report, error) {
		if g.Marks == 0 {
			return report{cut: g.Cut}, errNoReport
		}
		return report{g.Tests, g.Ended, g.Cut}, nil
	}}
}

// askCargo makes each test program write a list; cargo itself has no report. Documentation tests
// write none and are read from the output.
func askCargo(_ *Runner, list []string, n int, path string) ([]string, asking) {
	runner := fmt.Sprintf(`target."cfg(all())".runner=["sh","-c","exec \"$@\" --logfile %s.$$.\"${1##*/}\"","sh"]`, path)
	return slices.Concat(list[:n], []string{"--config", runner}, list[n:]), asking{read: func(res Result) (report, error) {
		rep, err := fromFiles(path, func(name, text string) (testreport.Run, error) {
			return testreport.Libtest(text, cargoProgram(name)), nil
		})
		if err != nil {
			return rep, err
		}
		own := rep.tests.Counts()
		passed, failed := cargoSums(res.Log)
		for n := len(rep.tests); n < maxRan && *own.Passed < passed; n++ {
			rep.tests = append(rep.tests, testreport.Test{Name: docTest, Outcome: testreport.Passed})
			*own.Passed++
		}
		for n := len(rep.tests); n < maxRan && *own.Failed < failed; n++ {
			rep.tests = append(rep.tests, testreport.Test{Name: docTest, Outcome: testreport.Failed})
			*own.Failed++
		}
		return rep, nil
	}}
}

// cargoProgram is what Cargo calls the program that kept a list: the hash behind it differs
// from build to build.
func cargoProgram(list string) string {
	program := strings.TrimPrefix(filepath.Ext(list), ".")
	if i := strings.LastIndexByte(program, '-'); i > 0 {
		return program[:i]
	}
	return program
}

// hasHarness reports whether all test programs of a Cargo project know the flags of Rust's test
// harness: none has a main function of its own.
func hasHarness(_ context.Context, dir string) bool {
	for _, depth := range []string{".", "*", "*/*"} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(depth), "Cargo.toml"))
		if err != nil || slices.ContainsFunc(files, bringsMain) {
			return false
		}
	}
	return true
}

// bringsMain reports whether a manifest has a target that cargo test runs without a harness.
func bringsMain(path string) bool {
	type target struct{ Harness *bool }
	var m struct {
		Lib                target
		Test, Bin, Example []target
	}
	text, err := regular.Read(path, maxReport)
	if err != nil || toml.Unmarshal(text, &m) != nil {
		return true
	}
	return slices.ContainsFunc(slices.Concat([]target{m.Lib}, m.Test, m.Bin, m.Example),
		func(t target) bool { return t.Harness != nil && !*t.Harness })
}

const docTest = "a test of the documentation"

// cargoSums adds up how many tests a log says to have passed and failed.
func cargoSums(log string) (passed, failed int) {
	f, err := regular.Open(log)
	if err != nil {
		return 0, 0
	}
	defer f.Close()
	return testreport.LibtestSums(f)
}

// fromFiles reads the reports of several programs, each at path with an end of its own.
func fromFiles(path string, read func(name, text string) (testreport.Run, error)) (report, error) {
	names, err := filepath.Glob(path + ".*")
	if err != nil || len(names) == 0 {
		return report{cut: []string{""}}, errNoReport
	}
	rep := report{ended: []string{""}}
	for _, name := range names {
		text, err := regular.Read(name, maxReport)
		_ = os.Remove(name)
		if err != nil {
			return report{cut: []string{""}}, err
		}
		tests, err := read(name, string(text))
		if err != nil {
			return report{cut: []string{""}}, err
		}
		rep.tests = append(rep.tests, tests...)
	}
	return rep, nil
}

// minitestCommands run Ruby's own tests. What they are is seen by the report.
var minitestCommands = [][]string{{"ruby"}, {"rake", "test"}, {"bundle", "exec", "rake", "test"}, {"rails", "test"},
	{"bin/rails", "test"}, {"bundle", "exec", "rails", "test"}, {"bundle", "exec", "ruby"}}

// minitestPlugin is loaded by Minitest, and writes a report at the end of its run.
const minitestPlugin = `require "minitest"
module Minitest
  class NAMEReporter < AbstractReporter
    def start; @seen = []; end
    def record(result); @seen << result; end
    def report
      rows = @seen.map do |r|
        how = r.skipped? ? "<skipped/>" : r.passed? ? "" : "<failure message=#{r.failure.message.encode("UTF-8", invalid: :replace, undef: :replace).encode(xml: :attr)}/>"
        file, line = r.respond_to?(:source_location) ? r.source_location : nil
        "<testcase classname=#{(r.respond_to?(:klass) ? r.klass : r.class.name).encode(xml: :attr)} name=#{r.name.encode(xml: :attr)} file=#{file.to_s.encode(xml: :attr)} line=\"#{line}\" time=\"#{r.time}\">#{how}</testcase>"
      end
      File.write("PATH.#{Process.pid}", "<testsuites>#{rows.join}</testsuites>")
    end
  end
  def self.plugin_NAME_init(options)
    reporter << NAMEReporter.new
  end
end
`

// askMinitest puts a plugin where Minitest looks for those.
func askMinitest(r *Runner, list []string, _ int, path string) ([]string, asking) {
	name := "R" + strings.ToLower(filepath.Base(path))
	folder := filepath.Join(path, "minitest")
	text := strings.NewReplacer("plugin_NAME", "plugin_"+strings.ToLower(name), "NAME", name, "PATH",
		path).Replace(minitestPlugin)
	if strings.ContainsAny(path, ` '"`) || os.MkdirAll(folder, 0o700) != nil ||
		os.WriteFile(filepath.Join(folder, strings.ToLower(name)+"_plugin.rb"), []byte(text), 0o600) != nil {
		return nil, asking{}
	}
	options := "-I" + path
	for _, kv := range r.environment() {
		if was, is := strings.CutPrefix(kv, "RUBYOPT="); is && was != "" {
			options = was + " " + options
		}
	}
	return list, asking{env: []string{"RUBYOPT=" + options}, read: func(Result) (report, error) {
		defer os.RemoveAll(path)
		return fromFiles(path,
			func(_, text string) (testreport.Run, error) { return testreport.JUnit(strings.NewReader(text)) })
	}}
}
