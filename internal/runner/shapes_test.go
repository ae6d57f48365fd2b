package runner

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/internal/retrieval"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/tokens"
)

// Runs as they go, over real commits: the message is the task, the commit the change that a
// model made, and what fails is a test of it.
//
//	go test ./internal/runner -run TestShapesOfRuns -v -clones ~/src/cobra,~/src/click
var (
	shapeClones  = flag.String("clones", "", "local clones, separated by commas, whose commits are the cases")
	shapeCommits = flag.Int("commits", 6, "how many commits of each clone")
	shapeFolder  = flag.String("requests", "", "a folder to write the requests to")
)

// shapeCommit is a commit that changes one to six files of code, and tests.
type shapeCommit struct {
	hash, message   string
	sources, tests  []string
	dir             string
	oldCase, ownOne event.Failure // a case that stood before, one that the commit touches
}

// size is what a run's requests cost: all tokens, and those that no request before began with.
type size struct{ all, fresh int }

var shapeNames = []string{"first try", "failed attempt", "one look", "wrong new test", "changed old test"}

func TestShapesOfRuns(t *testing.T) {
	if *shapeClones == "" {
		t.Skip("no -clones given")
	}
	second := map[string][]size{} // of the request after the first
	first := []int{}
	for clone := range strings.SplitSeq(*shapeClones, ",") {
		for _, c := range shapeCases(t, clone) {
			for _, name := range shapeNames {
				requests := c.play(t, name)
				if requests == nil {
					continue
				}
				if name == "first try" {
					first = append(first, tokens.Pieces(requests[0].System+requests[0].User))
					continue
				}
				last := len(requests) - 1
				second[name] = append(second[name], sizeAfter(requests[last-1], requests[last]))
			}
		}
	}
	t.Logf("%-18s %3d runs: median %d, mean %d tokens", "first request", len(first), median(first), mean(first))
	for _, name := range shapeNames[1:] {
		var all, fresh []int
		for _, s := range second[name] {
			all, fresh = append(all, s.all), append(fresh, s.fresh)
		}
		t.Logf("%-18s %3d runs: the last request has median %d, mean %d tokens; new are median %d, mean %d, at most %d",
			name, len(all), median(all), mean(all), median(fresh), mean(fresh), slices.Max(append(fresh, 0)))
	}
}

func median(of []int) int {
	if len(of) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(of))[len(of)/2]
}

func mean(of []int) (n int) {
	for _, x := range of {
		n += x
	}
	return n / max(len(of), 1)
}

// sizeAfter is the size of a request after another one.
func sizeAfter(before, p engine.Prompt) size {
	a, b := before.System+before.User, p.System+p.User
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return size{tokens.Pieces(b), tokens.Pieces(b[n:])}
}

// play makes the requests of a run of a shape; nil where the commit has no such run.
func (c *shapeCommit) play(t *testing.T, name string) []engine.Prompt {
	t.Helper()
	c.at(t, c.hash+"^", ".")
	p := c.prompts(t)
	ask := func(b engine.Brief) engine.Prompt {
		b.Max, b.Looks = 3, 3
		got, err := p.Compose(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	out := []engine.Prompt{ask(engine.Brief{Role: engine.Implement, Attempt: 1})}
	fixing := func(f event.Failure) {
		if f.Test != "" {
			out = append(out, ask(engine.Brief{Role: engine.FixTests, Attempt: 2, Failure: failedVerdict(f),
				LastSummary: "fix: it", LastFiles: slices.Concat(c.sources, c.written(f))}))
		}
	}
	switch name {
	case "failed attempt":
		c.at(t, c.hash, c.sources...)
		fixing(c.oldCase)
	case "wrong new test":
		if !slices.ContainsFunc(out[0].Files, func(f event.ContextFile) bool { return f.Path == c.tests[0] }) {
			out = append(out, ask(engine.Brief{Role: engine.Implement, Attempt: 1, View: out[0].Files,
				Wishes: []look.Request{{Kind: look.Show, What: c.tests[0]}}}))
		}
		c.at(t, c.hash, slices.Concat(c.sources, c.tests)...)
		fixing(c.ownOne)
	case "one look":
		wishes := []look.Request{{Kind: look.Show, What: c.tests[0], From: 1, To: 60}}
		for _, s := range c.sources[:min(len(c.sources), 2)] {
			wishes = append(wishes, look.Request{Kind: look.Show, What: s, From: 1, To: 120})
		}
		out = append(out, ask(engine.Brief{Role: engine.Implement, Attempt: 1, View: out[0].Files, Wishes: wishes}))
	case "changed old test":
		if c.oldCase.Test == "" {
			return nil
		}
		c.at(t, c.hash, c.sources...)
		b := engine.Brief{Role: engine.FixTests, Attempt: 1, Stood: []event.Failure{c.oldCase}, Failure: failedVerdict(c.oldCase),
			To: engine.State{Commit: c.hash}}
		out = append(out, ask(b))
	}
	c.write(t, name, out)
	if name != "first try" && len(out) == 1 {
		return nil
	}
	return out
}

// written are the tests that the change of a run has.
func (c *shapeCommit) written(f event.Failure) []string {
	if f.Test == c.ownOne.Test {
		return c.tests
	}
	return nil
}

func (c *shapeCommit) write(t *testing.T, name string, requests []engine.Prompt) {
	t.Helper()
	if *shapeFolder == "" {
		return
	}
	for n, r := range requests {
		at := filepath.Join(*shapeFolder, fmt.Sprintf("%s-%.7s-%s-%d.txt", filepath.Base(c.dir), c.hash, strings.ReplaceAll(name, " ", "_"), n+1))
		if err := os.WriteFile(at, []byte(r.System+"\n\n"+r.User), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func failedVerdict(f event.Failure) *failure.Verdict {
	return &failure.Verdict{
		Text:  fmt.Sprintf("Tests failed (exit code 1): $ make test\n\n1) %s at %s:%d\n   %s\n", f.Test, f.File, f.Line, f.Message),
		Files: []string{f.File}, Failures: []event.Failure{f},
	}
}

func (c *shapeCommit) prompts(t *testing.T) *prompts {
	t.Helper()
	loaded, err := config.Load(config.LoadOptions{Getenv: func(string) string { return "" }, UserFile: filepath.Join(c.dir, "none")})
	if err != nil {
		t.Fatal(err)
	}
	return &prompts{
		root: c.dir, repo: filepath.Base(c.dir), task: c.message, nonce: "kqzvwxyzabcd", cfg: loaded.Config, isTest: testfile.Is, looking: true,
		redact: func(s string) string { return s }, editFormat: func(engine.Role) string { return "auto" },
		list: func(context.Context) ([]string, error) { return strings.Fields(c.git(t, "ls-files")), nil },
		past: func(context.Context, int) (out []history.PastCommit, err error) {
			for entry := range strings.SplitSeq(c.git(t, "log", "-n", "2000", "--no-merges", "--no-renames", "--name-only",
				"--format=%x00%s%n%x01", c.hash+"^"), "\x00") {
				message, files, _ := strings.Cut(entry, "\x01")
				out = append(out, history.PastCommit{Message: message, Paths: strings.Fields(files)})
			}
			return out, nil
		},
		tried:    func(context.Context) ([]journal.Tried, error) { return nil, nil },
		ignored:  func(context.Context, []string) ([]string, error) { return nil, nil },
		perToken: func(context.Context, engine.Role, bool) float64 { return 1 },
		change: func(context.Context, engine.State, engine.State) (string, error) {
			return c.git(t, slices.Concat([]string{"diff", c.hash + "^", c.hash, "--"}, c.sources)...), nil
		},
		oldTests: func(_ context.Context, failures []event.Failure) (string, error) {
			data, err := os.ReadFile(filepath.Join(c.dir, failures[0].File))
			return retrieval.Units(failures[0].File, string(data), []int{failures[0].Line}, 4000).Content, err
		},
	}
}

// at puts files into the tree as a commit has them.
func (c *shapeCommit) at(t *testing.T, commit string, paths ...string) {
	t.Helper()
	if slices.Equal(paths, []string{"."}) {
		c.git(t, "read-tree", "--reset", commit)
		cmd := exec.Command("git", "checkout-index", "--quiet", "--force", "--all")
		cmd.Dir = c.dir
		_ = cmd.Run() // a stored clone may lack large files
		c.git(t, "clean", "-q", "-f", "-d", "-x")
		return
	}
	c.git(t, append([]string{"checkout", "-q", commit, "--"}, paths...)...)
}

func (c *shapeCommit) git(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false"}, args...)...)
	cmd.Dir = c.dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

var (
	shapeDull = regexp.MustCompile(`(?i)^(chore|build|ci|docs?|style|release|bump|merge|revert|prepare|version)\b|\bbump\b|dependabot|changelog`)
	shapeCase = regexp.MustCompile("^\\s*(?:func (Test\\w+)|(?:async )?def (test\\w+)|(?:it|test)\\(\\s*['\"`](.+?)['\"`])")
	shapeHunk = regexp.MustCompile(`(?m)^@@ [^+]*\+(\d+)`)
)

func shapeCases(t *testing.T, clone string) (out []*shapeCommit) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(clone))
	at := &shapeCommit{dir: filepath.Dir(dir)}
	at.git(t, "clone", "-q", "--shared", "--no-checkout", clone, dir)
	at.dir = dir
	for _, hash := range strings.Fields(at.git(t, "log", "-n", "600", "--no-merges", "--format=%H")) {
		if len(out) == *shapeCommits {
			break
		}
		c := &shapeCommit{hash: hash, dir: dir, message: at.git(t, "log", "-1", "--format=%B", hash)}
		for line := range strings.Lines(at.git(t, "show", "--format=", "--name-status", "--no-renames", hash)) {
			status, path, _ := strings.Cut(strings.TrimSpace(line), "\t")
			switch {
			case status == "D" || lexer.Of(path) == nil:
			case testfile.Of(path) == testfile.Case && status == "M":
				c.tests = append(c.tests, path)
			case !testfile.Is(path) && status == "M":
				c.sources = append(c.sources, path)
			}
		}
		if shapeDull.MatchString(c.message) || len(c.tests) == 0 || len(c.sources) == 0 || len(c.sources) > 6 {
			continue
		}
		c.findCases(t)
		out = append(out, c)
	}
	return out
}

// findCases picks a case of the first test file that stood before, the farthest from what the
// commit changes, and one that the commit touches.
func (c *shapeCommit) findCases(t *testing.T) {
	t.Helper()
	test := c.tests[0]
	touched := 0
	if m := shapeHunk.FindAllStringSubmatch(c.git(t, "show", "--format=", "-U0", c.hash, "--", test), -1); m != nil {
		_, _ = fmt.Sscan(m[len(m)-1][1], &touched)
	}
	cases := func(commit string) (out []event.Failure) {
		for n, line := range strings.Split(c.git(t, "show", commit+":"+test), "\n") {
			if m := shapeCase.FindStringSubmatch(line); m != nil {
				out = append(out, event.Failure{Check: "test", Test: m[1] + m[2] + m[3], File: test, Line: n + 2, Message: "got 1, want 2"})
			}
		}
		return out
	}
	for _, f := range cases(c.hash) {
		if f.Line <= touched+3 {
			c.ownOne = f
		}
	}
	for _, f := range cases(c.hash + "^") {
		if f.Test != c.ownOne.Test && (c.oldCase.Test == "" || f.Line > c.oldCase.Line) {
			c.oldCase = f
		}
	}
}
