package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/event"
)

// TestKindOfFailureIsCarried: what the distiller found reaches the next attempt
// whole, since a rerun is made for tests and not for compile errors.
func TestKindOfFailureIsCarried(t *testing.T) {
	const output = "# example.com/a\n./a.go:3:5: undefined: x\nFAIL\texample.com/a [build failed]\nFAIL\n"
	s, err := NewDistiller(t.TempDir(), t.TempDir(), nil)(t.Context(), Output{Reader: strings.NewReader(output), ExitCode: 1})
	if err != nil || len(s.Failures) == 0 {
		t.Fatalf("got %v, %v", s, err)
	}
	if s.Failures[0].Kind != "compile" {
		t.Errorf("got kind %q, want compile", s.Failures[0].Kind)
	}
}

// TestNothingOfAFailureIsLost: what the distiller found is what the engine, the
// events and the records have, column, both values and frames too.
func TestNothingOfAFailureIsLost(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"sum.js": "\n\nexports.sum = (a, b) => { throw new Error('no') }\n", "sum.test.js": "x\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	output := strings.ReplaceAll(`FAIL ./sum.test.js
  ● adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: 4

      at Object.<anonymous> (DIR/sum.test.js:1:17)
      at sum (DIR/sum.js:3:30)

Tests:       1 failed, 1 total
`, "DIR", dir)
	s, err := NewDistiller(dir, dir, nil)(t.Context(), Output{Reader: strings.NewReader(output), ExitCode: 1})
	if err != nil || len(s.Failures) != 1 {
		t.Fatalf("got %+v, %v", s.Failures, err)
	}
	f := s.Failures[0]
	if f.Column == 0 || f.Expected != "3" || f.Actual != "4" || len(f.Frames) == 0 {
		t.Errorf("lost before it began: %+v", f)
	}
	line, err := json.Marshal(event.CheckFinished{Failures: s.Failures})
	if err != nil {
		t.Fatal(err)
	}
	var back event.CheckFinished
	if err := json.Unmarshal(line, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(back.Failures, s.Failures); diff != "" {
		t.Errorf("through an event and back (-got +want):\n%s", diff)
	}
}
