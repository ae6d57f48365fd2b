package runner

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/look"
)

// TestRequestsOfARunGrowAtTheirEnd follows a run: first request, look, refused block, two
// failed attempts. Each repeats what the one before it has shown, byte for byte.
func TestRequestsOfARunGrowAtTheirEnd(t *testing.T) {
	t.Parallel()
	p := requestsOf(t)
	at := filepath.Join(p.root, "cart", "cart.go")
	edit := func(old, now string) {
		t.Helper()
		data, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(data), old) {
			t.Fatalf("%q is not in the file", old)
		}
		if err := os.WriteFile(at, []byte(strings.Replace(string(data), old, now, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	failed := func(message string) *failure.Verdict {
		return &failure.Verdict{
			Text:     "Tests failed (exit code 1): $ go test ./...\n\n1) example.org/shop/cart.TestTotal at cart/cart_test.go:12\n   " + message + "\n",
			Files:    []string{"cart/cart_test.go"},
			Failures: []event.Failure{{Check: "test", Test: "example.org/shop/cart.TestTotal", File: "cart/cart_test.go", Line: 12, Message: message}},
		}
	}
	var last engine.Prompt
	ask := func(b engine.Brief) engine.Prompt {
		t.Helper()
		b.Max, b.Looks = 3, 3
		got, err := p.Compose(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		if last.User != "" {
			front := last.User[:last.Stable[len(last.Stable)-1]]
			if got.System != last.System || !strings.HasPrefix(got.User, front) {
				t.Errorf("the request does not begin with the %d bytes that were shown before:\n%s", len(front), got.User)
			}
			t.Logf("attempt %d: %d of %d bytes are new", b.Attempt, len(got.User)-len(front), len(got.User))
		}
		last = got
		return got
	}
	first := ask(engine.Brief{Role: engine.Implement, Attempt: 1})
	wishes := []look.Request{{Kind: look.Find, What: "Line"}}
	looked := ask(engine.Brief{Role: engine.Implement, Attempt: 1, View: first.Files, Wishes: wishes})
	ask(engine.Brief{Role: engine.Implement, Attempt: 1, View: looked.Files, Wishes: wishes,
		Problems: []event.Problem{{Path: "cart/cart.go", Reason: "block 1 is not in the file"}}})

	edit("c.discount = percent", "c.discount = percent % 100")
	second := ask(engine.Brief{Role: engine.FixTests, Attempt: 2, Failure: failed("got 250"), LastFiles: []string{"cart/cart.go"}})
	golden(t, "second-attempt", second)
	now := second.User[strings.Index(second.User, "These parts of files have changed"):]
	if !strings.Contains(now, "percent % 100") || strings.Contains(now, "type Item struct") {
		t.Errorf("what has changed is not what is shown last:\n%s", now)
	}

	edit("c.discount = percent % 100", "c.discount = min(percent, 100)")
	third := ask(engine.Brief{Role: engine.FixTests, Attempt: 3, Failure: failed("got 0"), LastFiles: []string{"cart/cart.go"}})
	if strings.Contains(third.User, "percent % 100") || strings.Contains(third.User, "got 250") {
		t.Error("the third request shows an older attempt")
	}
	if len(third.User) > len(second.User)+50 {
		t.Errorf("the requests grow with the attempts: %d bytes, then %d", len(second.User), len(third.User))
	}
}
