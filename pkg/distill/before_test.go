package distill

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadAgainstTheLastGoodRun reads pairs of outputs of programs that nobody knows, of a good run and a
// failed one: nothing that is needed is lost, and the text is much shorter.
func TestReadAgainstTheLastGoodRun(t *testing.T) {
	t.Parallel()
	dirs := loadCases(t, filepath.Join("internal", "core", "testdata", "strangers", "pairs"))
	_, alone := scoreCases(quiet{t}, dirs, asIs, asShipped(), exitKnown)
	_, got := scoreCases(quiet{t}, dirs, asIs, asShipped(), compared)
	if got.kept != got.keepTrue || got.places < alone.places {
		t.Errorf("kept %d of %d strings (%d without comparison), %d places (%d)", got.kept, got.keepTrue, alone.kept,
			got.places, alone.places)
	}
	if alone.kept == alone.keepTrue {
		t.Error("the comparison has nothing to add: the cases are too easy")
	}
	if got.bytes*4 > alone.bytes*3 {
		t.Errorf("%d bytes of text, %d without comparison", got.bytes, alone.bytes)
	}
}

func TestWhatIsNewAndWhatIsMissing(t *testing.T) {
	t.Parallel()
	const good = "[09:00:01] load 3 files\n[09:00:02] part A took 12 ms\nvalue 0\n[09:00:03] part B took 7 ms\nall is well\n[09:00:05] case 5: got 3, want 3\n"
	for name, c := range map[string]struct {
		output     string
		have, lack []string
	}{
		"numbers and times are not news": {
			"[10:11:12] load 4 files\n[10:11:13] part A took 99 ms\nvalue 0\n[10:11:14] part B does not fit\nall is well\n",
			[]string{"part B does not fit", "The last good run also printed:\n[09:00:03] part B took 7 ms"}, []string{"load", "all is well"}},
		"a zero that has become another number is": {
			"[09:00:01] load 3 files\n[09:00:02] part A took 12 ms\nvalue 4\n[09:00:03] part B took 7 ms\nall is well\n",
			[]string{"value 4"}, []string{"part B"}},
		"values that are compared are": {
			good + "[09:00:05] case 5: got 4, want 3\ncase 6 is wrong\n", []string{"case 5: got 4, want 3", "case 6 is wrong"}, []string{"part"}},
		"the end is missing": {
			"[09:00:01] load 3 files\n[09:00:02] part A took 12 ms\n",
			[]string{"It ended with:", "part A took 12 ms", "part B took 7 ms", "all is well"}, []string{"New since"}},
		"nothing differs": {good, []string{"It ended with:", "all is well"}, []string{"New since", "also printed"}},
	} {
		code := 1
		r, err := Read(t.Context(), strings.NewReader(c.output), Options{Dir: t.TempDir(), ExitCode: &code, Before: readGood(t, good)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range c.have {
			if !strings.Contains(r.Text, s) {
				t.Errorf("%s: no %q in\n%s", name, s, r.Text)
			}
		}
		for _, s := range c.lack {
			if strings.Contains(r.Text, s) {
				t.Errorf("%s: %q in\n%s", name, s, r.Text)
			}
		}
	}
}

// TestComparisonChangesNoFailureOfAKnownFormat reads every output against itself as far as it passed: which
// failures there are does not change, only what stands beside them.
func TestComparisonChangesNoFailureOfAKnownFormat(t *testing.T) {
	t.Parallel()
	for _, dir := range sample(t, 60, 11, "corpus", "fresh") {
		m := loadTruth(t, dir)
		if m.Kind != "test" {
			continue
		}
		out := loadOutput(t, dir)
		o := Options{Dir: filepath.Join(dir, "tree"), ExitCode: &m.ExitCode}
		plain, err := Read(t.Context(), bytes.NewReader(out), o)
		if err != nil {
			t.Fatal(err)
		}
		o.Before = readGood(t, string(out))
		got, err := Read(t.Context(), bytes.NewReader(out), o)
		if err != nil {
			t.Fatal(err)
		}
		named := func(r *Report) int { return r.named() }
		if named(plain) != named(got) {
			t.Errorf("%s: %d tests, %d alone", dir, named(got), named(plain))
		}
	}
}

// readGood reads what a run printed that passed.
func readGood(t testing.TB, out string) *Good {
	t.Helper()
	good, err := ReadGood(t.Context(), strings.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return good
}

func TestAnUnreadableGoodRunIsAnError(t *testing.T) {
	t.Parallel()
	f, err := os.Open(t.TempDir()) // a folder
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := ReadGood(t.Context(), f); err == nil ||
		!strings.Contains(err.Error(), "last good run") {
		t.Errorf("got %v", err)
	}
}
