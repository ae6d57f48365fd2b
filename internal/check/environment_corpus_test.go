package check

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
)

// sample is one file of testdata/environment: what a real tool printed, and what
// is to be said of it. Its head says where it is from ("reported" where it was
// taken from what people report in public, not made by running the tool), the
// command, its exit code, and the words that the cause must hold, "-" where it
// is the code's own failure. The name of such a file begins with "ordinary".
type sample struct {
	head   map[string]string
	output string
}

func readSample(t *testing.T, file string) sample {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, output, ok := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), "----\n")
	if !ok {
		t.Fatalf("%s has no line ----", file)
	}
	s := sample{head: map[string]string{}, output: output}
	for line := range strings.Lines(head) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		s.head[key] = value
	}
	for _, key := range []string{"from", "run", "exit", "says"} {
		if s.head[key] == "" {
			t.Fatalf("%s does not say %s", file, key)
		}
	}
	return s
}

// TestOutputsOfRealTools reads what real tools printed in a broken environment,
// and what they print of ordinary failures that use the same words.
func TestOutputsOfRealTools(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/environment/*.txt")
	if err != nil || len(files) < 100 {
		t.Fatalf("found %d samples (%v), want 100 at least", len(files), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := readSample(t, file)
			want := strings.TrimPrefix(s.head["says"], "-")
			got, failures := faultIn(t, s)
			if want == "" && got.Cause != "" || !strings.Contains(got.Cause, want) || (got.Cause == "") != (got.Hint == "") {
				t.Errorf("got %+v, want %q; read were %+v", got, want, failures)
			}
		})
	}
}

// faultIn reads a sample as a run does.
func faultIn(t *testing.T, s sample) (Fault, []failure.Failure) {
	t.Helper()
	r := New(Config{Dir: t.TempDir(), LogDir: t.TempDir()})
	exit, err := strconv.Atoi(s.head["exit"])
	if err != nil {
		t.Fatal(err)
	}
	output := clean([]byte(s.output))
	sum, err := NewDistiller(r.c.Dir, r.c.Dir, nil)(t.Context(), Output{Reader: strings.NewReader(output), ExitCode: exit})
	if err != nil {
		t.Fatal(err)
	}
	res := Result{Step: Step{Kind: Test, Command: s.head["run"]}, ExitCode: exit, Tail: output, Summary: sum}
	if noTests(res) {
		res.End = NoTests
	}
	return r.environmentFault(res), sum.Failures
}
