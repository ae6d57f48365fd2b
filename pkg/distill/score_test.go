package distill

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/format"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// truth is what is known about an output of the corpus; see
// testdata/corpus/README.md for its fields.
type truth struct {
	Framework string `json:"framework"`
	Source    string `json:"source"`
	ExitCode  int    `json:"exit_code"`
	Kind      string `json:"kind"`
	Counts    struct {
		Passed, Failed, Skipped *int
	} `json:"counts"`
	FailingTests []string `json:"failing_tests"`
	Failures     []struct {
		Test     string   `json:"test"`
		File     string   `json:"file"`
		Line     int      `json:"line"`
		MustKeep []string `json:"must_keep"`
		Also     []struct {
			File string `json:"file"`
			Line int    `json:"line"`
		} `json:"also"`
	} `json:"failures"`
	CulpritFiles []string `json:"culprit_files"`
}

type scored struct {
	name                  string
	testsFound, testsTrue int // by equality
	namedRight, namedAll  int
	places, placesTrue    int
	kept, keepTrue        int
	culprit               [3]int // among the first 1, 3, 5
	culpritTrue           int
	counts, countsTrue    int
	falseAlarm            int
	untold                int // failed runs whose text reads like success
	bytes                 int // of the texts of failed runs
	notes                 []string
}

func loadCases(t testing.TB, root string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.Name() != "output.txt" && d.Name() != "output.txt.gz" {
			return err
		}
		if _, err = os.Stat(filepath.Join(filepath.Dir(p), "meta.json")); err != nil {
			return fmt.Errorf("an output needs its truth beside it: %w", err)
		}
		out = append(out, filepath.Dir(p))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("no cases below %s", root)
	}
	sort.Strings(out)
	return out
}

func loadTruth(t testing.TB, dir string) truth {
	t.Helper()
	var m truth
	b, err := os.ReadFile(filepath.Join(dir, "meta.json"))
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return m
}

func loadOutput(t testing.TB, dir string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "output.txt"))
	if os.IsNotExist(err) {
		var f *os.File
		if f, err = os.Open(filepath.Join(dir, "output.txt.gz")); err == nil {
			defer f.Close()
			var z *gzip.Reader
			if z, err = gzip.NewReader(f); err == nil {
				b, err = io.ReadAll(z)
			}
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	return b
}

// sameName compares names: quotes, case and separators aside, they are equal.
func sameName(a, b string) bool { return core.NameKey(a) == core.NameKey(b) }

// partOf reports whether one name is the end of the other: it is not wrong, but not the
// whole name either.
func partOf(a, b string) bool {
	a, b = core.NameKey(a), core.NameKey(b)
	return a == b || a != "" && b != "" && (strings.HasSuffix(a, " "+b) || strings.HasSuffix(b, " "+a))
}

func isParent(parent, child string) bool {
	p, c := core.NameKey(parent), core.NameKey(child)
	return p != "" && strings.Contains(" "+c+" ", " "+p+" ")
}

func score(m truth, r *Report, budget int) scored {
	var s scored
	note := func(format string, a ...any) { s.notes = append(s.notes, fmt.Sprintf(format, a...)) }
	names := map[string]bool{}
	for _, f := range r.Failures {
		if f.Test != "" {
			names[f.Test] = true
		}
	}
	for _, want := range m.FailingTests {
		s.testsTrue++
		ok := false
		for n := range names {
			ok = ok || sameName(n, want)
		}
		if ok {
			s.testsFound++
		} else {
			note("missing test %q", want)
		}
	}
	for n := range names {
		ok, parent := false, false
		for _, want := range m.FailingTests {
			ok = ok || partOf(n, want)
			parent = parent || isParent(n, want)
		}
		if parent && !ok {
			continue
		}
		s.namedAll++
		if ok {
			s.namedRight++
		} else {
			note("wrong test %q", n)
		}
	}
	if m.Kind == "pass" {
		s.falseAlarm = len(r.Failures)
		if s.falseAlarm > 0 {
			note("%d failures of a passing run: %+v", s.falseAlarm, r.Failures[0])
		}
		return s.countsOf(m, r, note)
	}
	if m.ExitCode != 0 && readsWell(r.Text) {
		s.untold++
		note("a failed run reads like success: %q", headOf(r.Text))
	}
	s.bytes = len(r.Text)
	text := fold(r.Text)
	for _, f := range m.Failures {
		if f.File != "" {
			s.placesTrue++
			ok := false
			for _, g := range r.Failures {
				ok = ok || g.File == f.File && g.Line == f.Line
				for _, a := range f.Also {
					ok = ok || g.File == a.File && g.Line == a.Line
				}
			}
			if ok {
				s.places++
			} else {
				note("missing place %s:%d", f.File, f.Line)
			}
		}
		for _, k := range f.MustKeep {
			s.keepTrue++
			if strings.Contains(text, fold(k)) && len(r.Text) <= budget {
				s.kept++
			} else {
				note("not kept %q", k)
			}
		}
	}
	if len(m.CulpritFiles) > 0 {
		s.culpritTrue = 1
		at := len(r.Files)
		for i, f := range r.Files {
			for _, c := range m.CulpritFiles {
				if f == c {
					at = min(at, i)
				}
			}
		}
		for i, n := range []int{1, 3, 5} {
			if at < n && at < len(r.Files) {
				s.culprit[i] = 1
			}
		}
		if s.culprit[1] == 0 {
			note("culprit %v not in front of %v", m.CulpritFiles, r.Files)
		}
	}
	return s.countsOf(m, r, note)
}

func (s scored) countsOf(m truth, r *Report, note func(string, ...any)) scored {
	for _, c := range []struct {
		what      string
		want, got *int
	}{
		{"passed", m.Counts.Passed, r.Passed}, {"failed", m.Counts.Failed, r.Failed},
		{"skipped", m.Counts.Skipped, r.Skipped},
	} {
		if c.want == nil {
			continue
		}
		s.countsTrue++
		if c.got != nil && *c.got == *c.want {
			s.counts++
		} else if c.got == nil {
			s.notes = append(s.notes, fmt.Sprintf("%s: unknown, want %d", c.what, *c.want))
		} else {
			s.notes = append(s.notes, fmt.Sprintf("%s: %d, want %d", c.what, *c.got, *c.want))
		}
	}
	return s
}

// readsWell reports whether the first line of a text says that nothing failed.
func readsWell(text string) bool {
	head := headOf(text)
	return strings.Contains(head, " 0 failed") || strings.Contains(head, "no failure found") ||
		strings.Contains(head, " passed") && !strings.Contains(head, "fail") && !strings.Contains(head, "problem") &&
			!strings.Contains(head, "error")
}

func headOf(text string) string {
	head, _, _ := strings.Cut(text, "\n")
	return head
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func (s *scored) add(o scored) {
	s.testsFound += o.testsFound
	s.testsTrue += o.testsTrue
	s.namedRight += o.namedRight
	s.namedAll += o.namedAll
	s.places += o.places
	s.placesTrue += o.placesTrue
	s.kept += o.kept
	s.keepTrue += o.keepTrue
	for i := range s.culprit {
		s.culprit[i] += o.culprit[i]
	}
	s.culpritTrue += o.culpritTrue
	s.counts += o.counts
	s.countsTrue += o.countsTrue
	s.falseAlarm += o.falseAlarm
	s.untold += o.untold
	s.bytes += o.bytes
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// table is the scorer's result by framework.
func table(rows []scored, sum scored) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| framework | cases | tests found | names right | places | must keep |",
		"culprit in 1 / 3 / 5 | counts | false alarms | untold | text |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	frac := func(x, n int) string {
		if n == 0 {
			return "–"
		}
		return fmt.Sprintf("%d/%d", x, n)
	}
	row := func(name string, n int, s scored) {
		cul := "–"
		if s.culpritTrue > 0 {
			cul = fmt.Sprintf("%d / %d / %d of %d", s.culprit[0], s.culprit[1], s.culprit[2], s.culpritTrue)
		}
		fmt.Fprintf(&b, "| %s | %d | %s | %s | %s | %s | %s | %s | %d | %d | %d |\n", name, n,
			frac(s.testsFound, s.testsTrue), frac(s.namedRight, s.namedAll), frac(s.places, s.placesTrue), frac(s.kept, s.keepTrue), cul, frac(s.counts, s.countsTrue), s.falseAlarm, s.untold, s.bytes)
	}
	byName := map[string]*scored{}
	count := map[string]int{}
	var order []string
	for _, s := range rows {
		if byName[s.name] == nil {
			byName[s.name] = &scored{}
			order = append(order, s.name)
		}
		byName[s.name].add(s)
		count[s.name]++
	}
	sort.Strings(order)
	for _, n := range order {
		row(n, count[n], *byName[n])
	}
	row("**all**", len(rows), sum)
	return b.String()
}

// TestScore runs the scorer over all outputs under testdata and prints its
// table with -v. SCORE_DIR names another folder of the same form.
func TestScore(t *testing.T) {
	root := "testdata"
	if d := os.Getenv("SCORE_DIR"); d != "" {
		root = d
	}
	rows, sum := scoreAll(t, root, asIs, asShipped(), exitKnown)
	t.Log("\n" + table(rows, sum))
	_, piped := scoreAll(t, root, asIs, asShipped(), fromPipe)
	t.Log("\nfrom a pipe, where the exit code is not known:\n" + table(nil, piped))
	if os.Getenv("SCORE_DIR") != "" {
		_, pairs := scoreAll(t, root, asIs, asShipped(), compared)
		t.Log("\nread against the last good run, where there is one:\n" + table(nil, pairs))
		return
	}
	for _, c := range []struct {
		what        string
		value, want float64
	}{
		{"failing tests told by their whole name", ratio(sum.testsFound, sum.testsTrue), 0.92},
		{"precision of failing tests", ratio(sum.namedRight, sum.namedAll), 0.99},
		{"places", ratio(sum.places, sum.placesTrue), 0.99},
		{"must keep", ratio(sum.kept, sum.keepTrue), 0.99},
		{"culprit in the first three", ratio(sum.culprit[1], sum.culpritTrue), 0.95},
		{"counts", ratio(sum.counts, sum.countsTrue), 0.98},
	} {
		if c.value < c.want {
			t.Errorf("%s: %.4f, want at least %.2f", c.what, c.value, c.want)
		}
	}
	if sum.falseAlarm > 0 {
		t.Errorf("%d failures reported of passing runs", sum.falseAlarm)
	}
	piped.compareWith(t, sum, 0.005)
}

// compareWith holds a score of outputs without their exit codes against that with them: little is lost,
// nothing fails that passed, and no failed run reads like success.
func (s *scored) compareWith(t *testing.T, known scored, loss float64) {
	t.Helper()
	for what, n := range map[string][3]int{
		"tests":  {s.testsFound, known.testsFound, known.testsTrue},
		"places": {s.places, known.places, known.placesTrue},
		"kept":   {s.kept, known.kept, known.keepTrue},
	} {
		if ratio(n[1]-n[0], n[2]) > loss {
			t.Errorf("%s: %d of %d from a pipe, %d with the exit code", what, n[0], n[2], n[1])
		}
	}
	if s.falseAlarm > 0 || s.untold > 0 || known.untold > 0 {
		t.Errorf("from a pipe: %d failures of passing runs, %d failed runs (%d with the exit code) read like success",
			s.falseAlarm, s.untold, known.untold)
	}
}

// knowledge is what is known of a command besides its output.
type knowledge struct{ exit, before bool }

var (
	exitKnown = knowledge{exit: true}
	fromPipe  = knowledge{} // its exit code is not
	compared  = knowledge{exit: true, before: true}
)

func asShipped() settings { return settings{stream.DefaultLimits, format.Formats()} }

func asIs(b []byte) []byte { return b }

func scoreAll(t testing.TB, root string, change func([]byte) []byte, how settings, know knowledge) ([]scored, scored) {
	return scoreCases(t, loadCases(t, root), change, how, know)
}

func scoreCases(t testing.TB, dirs []string, change func([]byte) []byte, how settings, know knowledge) ([]scored, scored) {
	t.Helper()
	var rows []scored
	var sum scored
	for _, dir := range dirs {
		m := loadTruth(t, dir)
		o := Options{Dir: filepath.Join(dir, "tree")}
		if know.exit {
			o.ExitCode = &m.ExitCode
		}
		if b, err := os.ReadFile(filepath.Join(dir, "before.txt")); know.before && err == nil {
			o.Before = readGood(t, string(b))
		}
		r, err := how.read(context.Background(), bytes.NewReader(change(loadOutput(t, dir))), o)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		s := score(m, r, DefaultBudget)
		s.name = m.Framework
		if len(s.notes) > 0 {
			t.Logf("%s\n    %s", dir, strings.Join(s.notes, "\n    "))
		}
		rows = append(rows, s)
		sum.add(s)
	}
	return rows, sum
}

// sample takes n of the cases below the folders, the same ones for the same seed.
func sample(t testing.TB, n int, seed uint64, below ...string) []string {
	t.Helper()
	var all []string
	for _, b := range below {
		all = append(all, loadCases(t, filepath.Join("testdata", b))...)
	}
	random := rand.New(rand.NewPCG(seed, 7))
	random.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all[:min(n, len(all))]
}

// readWith reads the output of a case as it is with an exit code, once for all tests
// that look at the same.
func readWith(t testing.TB, dir string, exit int) *Report {
	t.Helper()
	key := dir + "\x00" + strconv.Itoa(exit)
	if r, ok := readings.Load(key); ok {
		return r.(*Report)
	}
	o := Options{Dir: filepath.Join(dir, "tree"), ExitCode: &exit}
	r, err := Read(context.Background(), bytes.NewReader(loadOutput(t, dir)), o)
	if err != nil {
		t.Fatalf("%s: %v", dir, err)
	}
	readings.Store(key, r)
	return r
}

var readings sync.Map
