package distill

import (
	"context"
	"strings"
	"testing"
)

func TestUnknownOutputFallsBackToTellingLines(t *testing.T) {
	code := 3
	r, err := Read(context.Background(), strings.NewReader("hello\nwidget: could not open frobnicator\nbye\n"), Options{Dir: t.TempDir(), ExitCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	if r.Recognised {
		t.Errorf("recognised %q", r.Runner)
	}
	for _, want := range []string{"exit code 3", "could not open frobnicator"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("text lacks %q:\n%s", want, r.Text)
		}
	}
}
