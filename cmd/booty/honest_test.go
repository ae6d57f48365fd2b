//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/testfile"
)

// Which commits are run, and of which local clones; see TestHonestCommits of the
// guard, which has the same flags.
var (
	clones = flag.String("clones", "",
		"local clones whose commits booty run is given, parted as in PATH")
	commits = flag.Int("commits", 5, "how many commits of each clone")
	skip    = flag.Int("skip", 0, "how many fitting commits to pass over first")
	suites  = flag.String("suites", "", "a file of lines: a clone, a tab, its test command; see TestHonestSuites")
	within  = flag.Duration("within", 30*time.Minute, "how long TestHonestSuites may take")
)

// TestHonestRuns gives booty the last commits of local clones as replies, each on
// its parent, and prints what of them was not kept, to be read:
//
//	go test ./cmd/booty -run TestHonestRuns -v -timeout 60m -args -clones ~/src/click:~/src/gson
//
// Fitting are commits of up to six files of text that are no merges and touch no
// workflow. The checks are trivial: the way from the reply to the commit is tried.
func TestHonestRuns(t *testing.T) {
	if *clones == "" {
		t.Skip("-clones names no clones")
	}
	var sum honestTally
	for _, clone := range filepath.SplitList(*clones) {
		one := runHistory(t, clone)
		t.Logf("%s: %v", clone, one)
		sum.whole, sum.held, sum.lost = sum.whole+one.whole, sum.held+one.held, sum.lost+one.lost
	}
	t.Logf("all: %v", sum)
	if sum.lost > 0 {
		t.Errorf("%d commits were not kept, and nothing was said of what was left out", sum.lost)
	}
}

// honestTally counts commits: kept whole, with a part told to be refused or set
// aside, and with a part that is missing without a word.
type honestTally struct{ whole, held, lost int }

func (s honestTally) String() string {
	return fmt.Sprintf("%d commits, %d kept whole, %d with parts held up, %d with parts lost",
		s.whole+s.held+s.lost, s.whole, s.held, s.lost)
}

func runHistory(t *testing.T, clone string) (sum honestTally) {
	l := newLab(t, map[string]string{"a": ""}, func(string) string { return "" })
	l.git("remote", "add", "origin", clone)
	gitDir := strings.TrimSpace(output(t, clone, "rev-parse", "--absolute-git-dir"))
	alternates := filepath.Join(gitDir, "objects")
	write(map[string]string{".git/objects/info/alternates": alternates + "\n"})(l)
	most := fmt.Sprintf("--max-count=%d", 8*(*skip+*commits))
	list := output(t, clone, "rev-list", "--min-parents=1", "--max-parents=1", most, "HEAD")
	passed, ran := 0, 0
	for _, commit := range strings.Fields(list) {
		if !fits(t, clone, commit) {
			continue
		}
		if passed++; passed <= *skip {
			continue
		}
		switch held, kept := l.replay(commit); {
		case len(held) > 0:
			sum.held++
			for _, why := range held {
				t.Logf("HELD %s %s %s", filepath.Base(filepath.Dir(clone)), commit[:10], why)
			}
		case kept:
			sum.whole++
		default:
			sum.lost++
			t.Logf("LOST %s %s", clone, commit[:10])
		}
		if ran++; ran == *commits {
			break
		}
	}
	return sum
}

// replay runs booty on a commit's parent with the commit's change as the reply. It
// gives what was held up, and whether the work is the commit, byte for byte.
func (l *lab) replay(commit string) (held []string, kept bool) {
	l.git("update-ref", "refs/heads/main", commit+"^")
	l.git("symbolic-ref", "HEAD", "refs/heads/main")
	l.git("read-tree", "--reset", commit+"^")
	_, _ = l.gitTry("checkout-index", "-f", "-a") // a clone may lack large files
	l.git("clean", "-fdxq")
	write(map[string]string{".booty.yml": "test_command: 'true'\ntest_count: off\nevidence: 'off'\nmax_retries: 1\n"})(l)
	l.git("add", "-A")
	l.git("add", "-f", ".booty.yml")
	l.git("commit", "-q", "--no-verify", "-m", "settings")
	reply := "Summary: " + l.git("log", "-1", "--format=%s", commit) + "\n\n" +
		l.git("-c", "core.quotePath=false", "diff", "-M", "--no-ext-diff", "--text", commit+"^", commit) + "\n"
	l.model.answers(func(string) string { return reply })
	r := l.booty("run", "--task", "Replay "+commit[:10], "--json")
	branch := ""
	for line := range strings.Lines(r.stdout) {
		var e struct {
			Event    string          `json:"event"`
			Problems []event.Problem `json:"problems"`
			Branch   string          `json:"branch"`
			Message  string          `json:"message"`
			Outcome  string          `json:"outcome"`
		}
		if json.Unmarshal([]byte(line), &e) != nil {
			continue
		}
		switch e.Event {
		case "edits.refused":
			for _, p := range e.Problems {
				held = append(held, fmt.Sprintf("REFUSED %+v", p))
			}
		case "notice":
			if strings.Contains(e.Message, "is ignored by git") {
				held = append(held, "TOLD "+e.Message)
			}
		case "run.finished":
			if branch = e.Branch; e.Outcome != "green" {
				held = append(held, "ENDED "+e.Outcome+": "+e.Message)
			}
		}
	}
	if branch == "" {
		return append(held, "ENDED without a branch: "+r.String()), false
	}
	touched := strings.Split(l.git("diff", "--name-only", "--no-renames", "-z", commit+"^", commit),
		"\x00")
	paths := slices.DeleteFunc(touched, func(p string) bool { return p == "" })
	// New lines are written with the line ends of the file, whatever the reply has.
	differs, err := l.gitTry(append([]string{"diff", "--ignore-cr-at-eol", commit, branch, "--"},
		paths...)...)
	_, _ = l.gitTry("branch", "-q", "-D", branch)
	return held, err == nil && differs == ""
}

// TestHonestSuites gives booty commits of local clones that change product and tests
// together, each on its parent, with the project's own tests as the checks, and counts
// what becomes of them: kept; for a person, and whether the old tests really fail with
// the new code; or neither.
//
//	go test ./cmd/booty -run TestHonestSuites -v -timeout 60m -args -suites suites.txt -commits 10
//
// In a command, {tests} are the test files that the commit changes, {dirs} their
// folders. What git ignores in a clone (node_modules) is linked into the checkout.
func TestHonestSuites(t *testing.T) {
	if *suites == "" {
		t.Skip("-suites names no file")
	}
	text, err := os.ReadFile(*suites)
	if err != nil {
		t.Fatal(err)
	}
	until, sum := time.Now().Add(*within), map[string]int{}
	type project struct {
		l              *lab
		clone, command string
		commits        []string
	}
	var all []project
	for line := range strings.Lines(string(text)) {
		clone, command, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		p := project{labOf(t, clone), clone, command, nil}
		list := output(t, clone, "rev-list", "--min-parents=1", "--max-parents=1", "HEAD")
		for _, commit := range strings.Fields(list) {
			if len(p.commits) == *skip+*commits {
				break
			}
			if fits(t, clone, commit) && p.l.mixed(commit) {
				p.commits = append(p.commits, commit)
			}
		}
		p.commits = p.commits[min(*skip, len(p.commits)):]
		all = append(all, p)
	}
	for i := range *commits {
		for _, p := range all {
			if i >= len(p.commits) || time.Now().After(until) {
				continue
			}
			began := time.Now()
			what, more := p.l.judged(p.commits[i], p.command)
			sum[what]++
			t.Logf("%s\t%s\t%s\t%.0fs\t%s", what, filepath.Base(p.clone), p.commits[i][:10], time.Since(began).Seconds(), more)
		}
	}
	t.Logf("all: %v", sum)
}

// labOf is a lab that borrows a clone's objects, and has what git ignores there.
func labOf(t *testing.T, clone string) *lab {
	l := newLab(t, map[string]string{"a": ""}, func(string) string { return "" })
	objects := strings.TrimSpace(output(t, clone, "rev-parse", "--path-format=absolute", "--git-path", "objects"))
	alternates, _ := os.ReadFile(filepath.Join(objects, "info", "alternates"))
	ignored := "__pycache__/\n*.pyc\n.pytest_cache/\n.nyc_output/\n.tap/\ncoverage/\nbuild/\n"
	for _, dir := range []string{"node_modules"} {
		if _, err := os.Stat(filepath.Join(clone, dir)); err == nil {
			ignored += dir + "\n"
			if err := os.Symlink(filepath.Join(clone, dir), filepath.Join(l.repo, dir)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write(map[string]string{
		".git/objects/info/alternates": objects + "\n" + string(alternates), ".git/info/exclude": ignored,
	})(l)
	l.extra = append(l.extra, "GOCACHE="+builtBefore(), "GOTOOLCHAIN=local", "GOFLAGS=-mod=mod",
		"GOMODCACHE="+strings.TrimSpace(output(t, ".", "-c", "alias.e=!go env GOMODCACHE", "e")))
	return l
}

// mixed reports whether a commit changes a test that stood, and product code.
func (l *lab) mixed(commit string) bool {
	test, product := false, false
	for line := range strings.Lines(l.git("diff", "--name-status", "--no-renames", commit+"^", commit)) {
		op, p, _ := strings.Cut(strings.TrimSpace(line), "\t")
		test = test || op != "A" && testfile.Is(p)
		product = product || !testfile.Is(p) && testfile.Language(p) != ""
	}
	return test && product
}

// at checks out a commit's files, in place of all that git knows.
func (l *lab) at(commit string) {
	l.git("update-ref", "refs/heads/main", commit)
	l.git("symbolic-ref", "HEAD", "refs/heads/main")
	l.git("read-tree", "--reset", "-u", commit)
	l.git("clean", "-fdq")
}

// judged gives what becomes of a commit as work on its parent.
func (l *lab) judged(commit, command string) (what, more string) {
	var tests, dirs, touched []string
	for line := range strings.Lines(l.git("diff", "--name-status", "--no-renames", commit+"^", commit)) {
		op, p, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if touched = append(touched, p); testfile.Of(p) == testfile.Case && op == "M" {
			tests = append(tests, p)
		}
		if dir := "./" + path.Dir(p); testfile.Language(p) == "go" && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	if strings.Contains(command, "{tests}") && len(tests) == 0 {
		return "no test file", ""
	}
	command = strings.NewReplacer("{tests}", strings.Join(tests, " "), "{dirs}", strings.Join(dirs, " ")).Replace(command)
	l.at(commit + "^")
	quoted, _ := json.Marshal(command)
	write(map[string]string{".booty.yml": "test_command: " + string(quoted) +
		"\ntimeout: 5m\nevidence: 'off'\nmax_retries: 1\nprotected_paths: []\n"})(l)
	l.git("add", "-f", ".booty.yml")
	l.git("commit", "-q", "--no-verify", "-m", "settings")
	start := strings.TrimSpace(l.git("rev-parse", "HEAD"))
	reply := "Summary: " + l.git("log", "-1", "--format=%s", commit) + "\n\n" +
		l.git("-c", "core.quotePath=false", "diff", "-M", "--no-ext-diff", "--text", commit+"^", commit) + "\n"
	l.model.answers(func(string) string { return reply })
	r := l.booty("run", "--task", "Replay "+commit[:10], "--json")
	var own, baseline, outcome, message string
	var failed []string
	for line := range strings.Lines(r.stdout) {
		var e struct {
			Event, Role, Outcome, Message, Kind string
			Attempt                             int
			Passed, Green                       bool
			Failed                              json.RawMessage
		}
		_ = json.Unmarshal([]byte(line), &e) // fields of other events may have other types
		switch {
		case e.Event == "baseline.finished":
			baseline = fmt.Sprintf("baseline green %t", strings.Contains(line, `"green":true`))
		case e.Event == "check.finished" && strings.Contains(line, `"attempt":1,`) && e.Role == "" && own == "":
			own = fmt.Sprintf("own %t", strings.Contains(line, `"passed":true`))
		case e.Event == "tests.stood":
			_ = json.Unmarshal(e.Failed, &failed)
		case e.Event == "run.finished":
			outcome, message = e.Outcome, e.Message
		}
	}
	l.at(start)
	_, _ = l.gitTry("branch", "-q", "-D", "booty/replay-"+commit[:10])
	more = fmt.Sprintf("%s, %s, %d failed: %.160s", baseline, own, len(failed), strings.Join(strings.Fields(message), " "))
	switch {
	case outcome == event.Green:
		return "kept", more
	case outcome != event.NeedsReview:
		return "not kept: " + outcome, more
	}
	l.at(commit)
	for _, p := range touched {
		if !testfile.Is(p) {
			continue
		}
		if _, err := l.gitTry("checkout", "-q", commit+"^", "--", p); err != nil {
			_ = os.Remove(filepath.Join(l.repo, p))
		}
	}
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = l.repo, append(l.env(), "CI=1")
	if cmd.Run() == nil {
		return "for a person, and the old tests pass", more
	}
	return "for a person: the old tests fail", more
}

// fits tells a commit that can be given as a reply of text.
func fits(t *testing.T, clone, commit string) bool {
	t.Helper()
	parent := exec.CommandContext(t.Context(), "git", "-C", clone, "rev-parse", "-q", "--verify", commit+
		"^")
	if parent.Run() != nil {
		return false
	}
	raw, err := exec.CommandContext(t.Context(), "git", "-C", clone, "diff", "--raw", "--numstat", "-M",
		commit+"^", commit).Output()
	if err != nil {
		return false // the clone lacks a file
	}
	files := 0
	for line := range strings.Lines(string(raw)) {
		switch mode, isRaw := strings.CutPrefix(line, ":"); {
		case isRaw:
			if files++; !strings.HasPrefix(mode, "100644 100644") &&
				!strings.HasPrefix(mode, "000000 100644") &&
				!strings.HasPrefix(mode, "100644 000000") && !strings.HasPrefix(mode, "100755 100755") {
				return false // a link, a submodule, another mode
			}
		case strings.HasPrefix(line, "-\t"), strings.Contains(line, ".github/workflows/"):
			return false
		}
	}
	if files == 0 || files > 6 {
		return false
	}
	text, err := exec.CommandContext(t.Context(), "git", "-C", clone, "diff", "-M", "--text", commit+"^", commit).Output()
	return err == nil && utf8.Valid(text) // a reply is
}

func output(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %s in %s: %v", strings.Join(args, " "), dir, err)
	}
	return string(out)
}
