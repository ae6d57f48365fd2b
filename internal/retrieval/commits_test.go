package retrieval

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testfile"
)

// Real commits: the message is the task, the commit's parent the tree, and the
// source files that the commit changes are what should be in view.
//
//	go test ./internal/retrieval -run TestRealCommits -v -clones ~/src/cobra,~/src/click
var (
	clonesFlag  = flag.String("clones", "", "local clones, separated by commas, whose commits are the cases")
	commitsFlag = flag.Int("commits", 6, "how many commits of each clone")
	untilFlag   = flag.String("until", "", "take the newest commits before this date, of which nothing was looked at")
	redFlag     = flag.String("red", "", "other: one unrelated test fails besides; own: the commit's own tests fail")
	missedFlag  = flag.Bool("missed", false, "name what was not in view")
	tokenFlag   = flag.Float64("token", 0, "how many pieces (package tokens) a token has; 0: a token is three bytes")
)

// realCommit is a case.
type realCommit struct {
	hash, message string
	// changed holds, of each source file that the commit modifies, the lines of
	// the old file that go, or that new ones come next to.
	changed map[string][]int
	// tests holds, of each test file that it changes or adds, the lines of the new file.
	tests map[string][]int
}

// budgets are those of a first request, in tokens.
var budgets = []int{20000, 40000}

// taskOf is what a choice for a task goes by.
func taskOf(task string, tokens int) Need {
	if *tokenFlag > 0 {
		return Need{Task: task, Pieces: int(float64(tokens) * *tokenFlag)}
	}
	return Need{Task: task, Budget: 3 * tokens}
}

// commitFigures are summed over commits.
type commitFigures struct {
	commits, files, lines int
	// tests are the test files that the commits change, shown those of them of which
	// anything is in view.
	tests, testsShown int
	first             [2]map[int]int // ours, plain BM25: a changed file among the first n
	// shown are the bytes that each first request shows at 20,000 tokens, needed those of
	// the functions and types that the commit changes.
	shown, needed []int
	// view is what 20,000 and 40,000 tokens show, and the first of them after looking round;
	// shares are those of each commit's files, summed.
	view [3]struct {
		files, all, lines, bytes int
		shares                   float64
	}
}

var firsts = []int{1, 3, 5, 10, 20}

func TestRealCommits(t *testing.T) {
	if *clonesFlag == "" {
		t.Skip("no -clones given")
	}
	t.Logf("%-28s %7s %6s | %s | %-29s | %-22s | %-22s | %s", "", "commits", "files", "ours: first 1, 3, 5, 10, 20", "plain BM25",
		"in 20k: files, of each commit, all, lines, tokens", "in 40k", "20k and looking round")
	var total commitFigures
	for clone := range strings.SplitSeq(*clonesFlag, ",") {
		one := measureClone(t, clone)
		t.Log(one.row(filepath.Base(strings.TrimSuffix(filepath.Clean(clone), "/repo"))))
		total.add(one)
	}
	t.Log(total.row("all"))
}

func (f *commitFigures) add(g commitFigures) {
	f.commits, f.files, f.lines = f.commits+g.commits, f.files+g.files, f.lines+g.lines
	f.tests, f.testsShown = f.tests+g.tests, f.testsShown+g.testsShown
	f.shown, f.needed = append(f.shown, g.shown...), append(f.needed, g.needed...)
	for k := range g.first {
		for n, v := range g.first[k] {
			if f.first[k] == nil {
				f.first[k] = map[int]int{}
			}
			f.first[k][n] += v
		}
	}
	for b := range g.view {
		v, w := &f.view[b], g.view[b]
		v.files, v.all, v.lines, v.bytes = v.files+w.files, v.all+w.all, v.lines+w.lines, v.bytes+w.bytes
		v.shares += w.shares
	}
}

func (f *commitFigures) row(name string) string {
	share := func(n, of int) string {
		return strings.TrimPrefix(fmt.Sprintf("%.2f", float64(n)/float64(max(of, 1))), "0")
	}
	cell := func(k int) string {
		var b strings.Builder
		for _, n := range firsts {
			fmt.Fprintf(&b, " %4s", share(f.first[k][n], f.commits))
		}
		return b.String()
	}
	s := fmt.Sprintf("%-28s %7d %6d | %-27s | %-29s", name, f.commits, f.files, cell(0), cell(1))
	for _, v := range f.view {
		s += fmt.Sprintf(" | %4s %4s %4s %4s %6d", share(v.files, f.files),
			strings.TrimPrefix(fmt.Sprintf("%.2f", v.shares/float64(max(f.commits, 1))), "0"), share(v.all, f.commits), share(v.lines, f.lines), v.bytes/3/max(f.commits, 1))
	}
	return s + " | " + f.cost()
}

// cost says how much is shown, the median commit's tokens, and per token that is needed.
func (f *commitFigures) cost() string {
	shown, needed := 0, 0
	for k := range f.shown {
		shown, needed = shown+f.shown[k], needed+f.needed[k]
	}
	sorted := slices.Sorted(slices.Values(f.shown))
	if len(sorted) == 0 {
		return ""
	}
	return fmt.Sprintf("median %d, %.1f shown per needed, %d of %d tests", sorted[len(sorted)/2]/3,
		float64(shown)/float64(max(needed, 1)), f.testsShown, f.tests)
}

func measureClone(t *testing.T, clone string) commitFigures {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	gitIn(t, ".", "clone", "-q", "--shared", "--no-checkout", clone, dir)
	var f commitFigures
	for _, c := range realCommits(t, dir) {
		checkOut(t, dir, c.hash+"^")
		f.add(measureCommit(t, dir, c))
	}
	return f
}

func measureCommit(t *testing.T, dir string, c realCommit) commitFigures {
	t.Helper()
	f := commitFigures{commits: 1, files: len(c.changed)}
	for _, lines := range c.changed {
		f.lines += len(lines)
	}
	red := redNeed(t, dir, c)
	ix := commitIndex(t, dir, c)
	for b, tokens := range budgets {
		need := taskOf(c.message, tokens)
		need.Failure, need.Tests, need.Suspects = red.Failure, red.Tests, red.Suspects
		got, err := ix.Choose(t.Context(), need)
		if err != nil {
			t.Fatal(err)
		}
		shown, v := map[string]File{}, &f.view[b]
		for _, g := range got {
			shown[g.Path] = g
			v.bytes += len(g.Content)
		}
		var missed []string
		for path, lines := range c.changed {
			n := linesInView(lines, shown[path])
			v.lines += n
			if n == len(lines) {
				v.files++
			} else {
				missed = append(missed, fmt.Sprintf("%s (%s, %d of %d lines)", path, shown[path].Part, n, len(lines)))
			}
		}
		v.shares = float64(v.files) / float64(len(c.changed))
		for path := range c.tests {
			if _, ok := ix.number(path); ok && b == 0 {
				f.tests++
				if shown[path].Part != "" {
					f.testsShown++
				}
			}
		}
		if b == 0 {
			f.shown, f.needed = []int{v.bytes}, []int{neededBytes(t, dir, c)}
			f.look(readerOf(t, ix, c, got).read(t), c)
		}
		if len(missed) == 0 {
			v.all++
		} else if *missedFlag && b == 0 {
			slices.Sort(missed)
			t.Logf("missed: %s %.60s: %s", c.hash[:9], firstLineOf(c.message), strings.Join(missed, ", "))
		}
		if b == 0 {
			f.first[0] = firstAmong(sources(ix, names(got)), c.changed)
		}
	}
	f.first[1] = firstAmong(sources(ix, plainBM25(ix, c.message)), c.changed)
	return f
}

// neededBytes is the size of the functions, types and stretches that a commit changes.
func neededBytes(t *testing.T, dir string, c realCommit) int {
	t.Helper()
	n := 0
	for path, lines := range c.changed {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range blocksOf(languageOf(path), newExcerpt(string(data)).lines) {
			if slices.ContainsFunc(lines, func(l int) bool { return b.from < l && l <= b.to }) {
				n += b.bytes
			}
		}
	}
	return n
}

// redNeed makes tests fail: one that has nothing to do with the commit, or those that
// the commit changes, whose files are put into the tree.
func redNeed(t *testing.T, dir string, c realCommit) Need {
	t.Helper()
	var n Need
	fail := func(path string, in func(block) bool) {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return
		}
		for _, b := range blocksOf(languageOf(path), newExcerpt(string(data)).lines) {
			if b.name == "" || !strings.Contains(strings.ToLower(b.name), "test") && !b.titled || !in(b) {
				continue
			}
			n.Tests = append(n.Tests, FailingTest{Name: b.name, File: path, Line: b.from + 1})
			n.Failure += fmt.Sprintf("%s failed at %s:%d:\nunexpected result\n", b.name, path, b.from+1)
			if !slices.Contains(n.Suspects, path) {
				n.Suspects = append(n.Suspects, path)
			}
		}
	}
	switch *redFlag {
	case "other":
		var tests []string
		for _, p := range strings.Split(gitIn(t, dir, "ls-files"), "\n") {
			if languageOf(p).code() && testfile.Of(p) == testfile.Case && c.tests[p] == nil {
				tests = append(tests, p)
			}
		}
		for k := range tests {
			p := tests[(len(c.hash)*7+int(c.hash[0])+k)%len(tests)]
			fail(p, func(block) bool { return len(n.Tests) == 0 })
			if len(n.Tests) > 0 {
				break
			}
		}
	case "own":
		for p, lines := range c.tests {
			cmd := exec.Command("git", "checkout", c.hash, "--", p)
			cmd.Dir = dir
			if cmd.Run() == nil {
				fail(p, func(b block) bool {
					return slices.ContainsFunc(lines, func(l int) bool { return b.from < l && l <= b.to })
				})
			}
		}
	}
	return n
}

// commitIndex is the index of a commit's parent, with what its past tells.
func commitIndex(t *testing.T, dir string, c realCommit) *Index {
	t.Helper()
	files := strings.Split(gitIn(t, dir, "ls-files", "-z"), "\x00")
	return New(dir, files[:len(files)-1], Options{
		Exclude: []string{"**/vendor/**", "**/*.lock"},
		History: func(context.Context) []PastChange { return history(t, dir, c.hash+"^") },
	})
}

func firstLineOf(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }

// sources keeps files of code that are no tests: those that a case asks for.
func sources(ix *Index, paths []string) []string {
	return slices.DeleteFunc(paths, func(p string) bool { return !isSource(ix.o.IsTest, p) })
}

func isSource(isTest func(string) bool, p string) bool { return languageOf(p).code() && !isTest(p) }

// plainBM25 ranks by the words of paths and contents alone.
func plainBM25(ix *Index, task string) []string {
	q := map[term]float64{}
	ix.query(task, 1, q)
	score := ix.bm25(q)
	var order []int32
	for i, v := range score {
		if v > 0 && !ix.docs[i].left && !ix.docs[i].unread {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return int(a - b)
	})
	var out []string
	for _, i := range order {
		out = append(out, ix.docs[i].path)
	}
	return out
}

func firstAmong(got []string, changed map[string][]int) map[int]int {
	out := map[int]int{}
	for k, p := range got {
		if _, ok := changed[p]; ok {
			for _, n := range firsts {
				if k < n {
					out[n] = 1
				}
			}
			break
		}
	}
	return out
}

// linesInView counts the changed lines that the shown parts of a file hold together.
func linesInView(changed []int, parts ...File) int {
	seen := map[int]bool{}
	for _, f := range parts {
		visible := map[int]bool{}
		if f.Part != "full" && f.Part != "" {
			visible = shownLines(f.Content)
		}
		for _, line := range changed {
			seen[line] = seen[line] || f.Part == "full" || visible[line]
		}
	}
	n := 0
	for _, line := range changed {
		if seen[line] {
			n++
		}
	}
	return n
}

var gapMark = regexp.MustCompile(`^\[… ?(?:(\d+) lines…|lines? (\d+)(?:-(\d+))? …)\]$`)

// shownLines reads an excerpt's marks: which lines of the file it shows.
func shownLines(excerpt string) map[int]bool {
	out := map[int]bool{}
	at := 0
	for k, line := range strings.Split(strings.TrimSuffix(excerpt, "\n"), "\n") {
		if k == 0 {
			continue // how long the file is
		}
		if m := gapMark.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			if m[2] != "" {
				from, _ := strconv.Atoi(m[2])
				to, _ := strconv.Atoi(m[3])
				n = max(to-from, 0) + 1
			}
			at += n
			continue
		}
		at++
		out[at] = true
	}
	return out
}

// realCommits finds the newest commits with one parent that modify 1 to 6
// files of code that are no tests.
func realCommits(t *testing.T, dir string) []realCommit {
	t.Helper()
	var out []realCommit
	args := []string{"log", "-n", "600", "--no-merges", "--format=%H"}
	if *untilFlag != "" {
		args = append(args, "--until="+*untilFlag)
	}
	for hash := range strings.SplitSeq(gitIn(t, dir, args...), "\n") {
		if len(out) == *commitsFlag {
			break
		}
		c := realCommit{hash: hash, message: gitIn(t, dir, "log", "-1", "--format=%B", hash)}
		cmd := exec.Command("git", "show", "--format=", "-U0", "--no-renames", "--no-ext-diff", "--no-color", hash)
		cmd.Dir = dir
		if diff, err := cmd.Output(); err == nil && c.read(string(diff)) { // a stored clone may lack large files
			out = append(out, c)
		}
	}
	return out
}

var (
	dullMessage = regexp.MustCompile(`(?i)^(chore|build|ci|docs?|style|release|bump|merge|revert|update (deps|dependenc)|prepare|version)\b|\bbump\b|dependabot|changelog`)
	newHunk     = regexp.MustCompile(`^@@ [^+]*\+(\d+)(?:,(\d+))? @@`)
	hunkHead    = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+`)
)

// read takes a commit's diff; false if it is no case.
func (c *realCommit) read(diff string) bool {
	if dullMessage.MatchString(c.message) || len(c.message) < 12 {
		return false
	}
	c.changed, c.tests = map[string][]int{}, map[string][]int{}
	path, old, test := "", "", ""
	for line := range strings.SplitSeq(diff, "\n") {
		switch {
		case strings.HasPrefix(line, "--- "):
			old = strings.TrimPrefix(strings.TrimPrefix(line, "--- "), "a/")
		case strings.HasPrefix(line, "+++ "):
			path = strings.TrimPrefix(strings.TrimPrefix(line, "+++ "), "b/")
			test = ""
			if languageOf(path).code() && testfile.Of(path) == testfile.Case && !leftOut(path) {
				test = path
			}
			if old == "/dev/null" || path == "/dev/null" || !isSource(testfile.Is, path) || leftOut(path) {
				path = ""
			}
		case test != "" && strings.HasPrefix(line, "@@ "):
			if m := newHunk.FindStringSubmatch(line); m != nil {
				from, _ := strconv.Atoi(m[1])
				n := 1
				if m[2] != "" {
					n, _ = strconv.Atoi(m[2])
				}
				for k := range n {
					c.tests[test] = append(c.tests[test], from+k)
				}
			}
		case path != "" && strings.HasPrefix(line, "@@ "):
			m := hunkHead.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			from, _ := strconv.Atoi(m[1])
			n := 1
			if m[2] != "" {
				n, _ = strconv.Atoi(m[2])
			}
			for k := range max(n, 1) {
				c.changed[path] = append(c.changed[path], max(from+k, 1))
			}
		}
	}
	return len(c.changed) >= 1 && len(c.changed) <= 6
}

// history reads the newest changes before a commit.
func history(t *testing.T, dir, commit string) []PastChange {
	t.Helper()
	var out []PastChange
	text := gitIn(t, dir, "log", "-n", "2000", "--no-merges", "--no-renames", "--name-only", "--format=%x00%s%n%x01", commit)
	for entry := range strings.SplitSeq(text, "\x00") {
		message, files, _ := strings.Cut(entry, "\x01")
		out = append(out, PastChange{Message: message, Files: strings.Fields(files)})
	}
	return out
}

// checkOut makes the tree that of a commit. A stored clone may lack its largest
// files: they stay away.
func checkOut(t *testing.T, dir, commit string) {
	t.Helper()
	gitIn(t, dir, "read-tree", "--reset", commit)
	cmd := exec.Command("git", "checkout-index", "--quiet", "--force", "--all")
	cmd.Dir = dir
	_ = cmd.Run()
	gitIn(t, dir, "clean", "-q", "-f", "-d", "-x")
}

func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "core.autocrlf=false", "-c", "advice.detachedHead=false"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s in %s: %v", strings.Join(args, " "), dir, err)
	}
	return strings.TrimSuffix(string(out), "\n")
}
