package runner

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/internal/testfile"
)

var update = flag.Bool("update", false, "write the golden files anew")

const discountTask = "Refuse discounts that are no percentage\n\n`ApplyDiscount` takes any number: with 150 the total is negative. It must return an error below 0 and above 100."

// TestWholeRequests: what a model reads in ten situations, word for word. Read a golden
// file that changes as the model would.
func TestWholeRequests(t *testing.T) {
	t.Parallel()
	old := []string{"example.org/shop/calendar.TestYear"}
	own := &failure.Verdict{
		Text:  "Tests failed (exit code 1): $ go test ./...\n\n1) example.org/shop/cart.TestDiscount at cart/cart_test.go:22\n   got no error for -1\n",
		Files: []string{"cart/cart.go", "cart/cart_test.go"},
		Failures: []event.Failure{{Check: "test", Test: "example.org/shop/cart.TestDiscount", File: "cart/cart_test.go", Line: 22,
			Message: "got no error for -1"}},
	}
	shown := []event.ContextFile{{Path: "cart/cart.go", Part: "excerpt", Lines: [][2]int{{1, 12}, {30, 34}}, Why: "defines ApplyDiscount"},
		{Path: "cart/cart_test.go", Part: "full", Why: "test of cart/cart.go"}}
	for name, b := range map[string]engine.Brief{
		"clean":        {Role: engine.Implement, Attempt: 1},
		"old-failures": {Role: engine.Implement, Attempt: 1, Old: old},
		"own-failures": {Role: engine.FixTests, Attempt: 2, Failure: own, Old: old, LastFiles: []string{"cart/cart.go", "cart/cart_test.go"},
			LastSummary: "fix(cart): refuse discounts above 100"},
		"compile-error": {Role: engine.FixTests, Attempt: 2, LastFiles: []string{"report/report.go"}, Failure: &failure.Verdict{
			Text: "Tests failed (exit code 1): $ go test ./...\n\nBuild failed: example.org/shop/report\n" +
				"report/report.go:11:9: c.Discount undefined (type *cart.Cart has no field or method Discount)\n",
			Files: []string{"report/report.go"},
			Failures: []event.Failure{{Check: "test", File: "report/report.go", Line: 11, Kind: "compile",
				Message: "c.Discount undefined (type *cart.Cart has no field or method Discount)"}},
		}},
		"refused-block": {Role: engine.Implement, Attempt: 1, View: shown, Kept: []string{"cart/cart_test.go"}, Problems: []event.Problem{{
			Path: "cart/cart.go", Kind: "match", Reason: "block 1 is not in the file. The nearest text, at line 31:\n\tc.discount = percent\n\treturn nil",
		}}},
		"second-look": {Role: engine.Implement, Attempt: 1, View: shown, Looks: 2, Wishes: []look.Request{
			{Kind: look.Show, What: "cart/cart.go", From: 36, To: 43}, {Kind: look.Find, What: "Line"},
			{Kind: look.Show, What: "cart/basket.go"}, {Kind: look.Ask, What: "Is 100 percent a discount?"},
		}},
		"known-question": {Role: engine.Implement, Attempt: 1, Looks: 2, Answers: []engine.Answered{
			{Question: "Is 100 percent a discount?", Answer: "Yes, that is a gift."}}},
		"refine": {Role: engine.FixTests, Attempt: 1, Failure: &failure.Verdict{
			Text:  "Tests failed (exit code 1): $ go test ./...\n\n1) example.org/shop/calendar.TestYear at calendar/calendar_test.go:7\n   the catalogue is of 2026\n",
			Files: []string{"calendar/calendar_test.go"},
			Failures: []event.Failure{{Check: "test", Test: "example.org/shop/calendar.TestYear", File: "calendar/calendar_test.go", Line: 7,
				Message: "the catalogue is of 2026"}},
		}},
		"quality": {Role: engine.FixQuality, Attempt: 1, LastFiles: []string{"cart/cart.go"}, Failure: &failure.Verdict{
			Text:     "Gate vet failed (exit code 1): $ go vet ./...\n\ncart/cart.go:32:2: unreachable code\n",
			Files:    []string{"cart/cart.go"},
			Failures: []event.Failure{{Check: "vet", File: "cart/cart.go", Line: 32, Message: "unreachable code"}},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := requestsOf(t)
			if name == "refine" {
				p.task = "Make the failing checks pass."
			}
			b.Max, b.Looks = 3, max(b.Looks, 3*(1-min(len(b.Wishes)+len(b.Answers), 1)))
			got, err := p.Compose(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, name, got)
		})
	}
	t.Run("conflict", func(t *testing.T) {
		t.Parallel()
		m := &merger{prompts: requestsOf(t), tree: &tree{shared: Shared{BaseName: "main"}, pending: []commit.ConflictText{{
			Conflict: commit.Conflict{Path: "cart/cart.go", Kind: "both modified"}, Ours: []byte("a"), Theirs: []byte("b"), Base: []byte("c"),
			Merged: []byte("<<<<<<< ours\n\tif percent > 100 {\n||||||| base\n\tc.discount = percent\n=======\n\tc.Discount = percent\n>>>>>>> main\n"),
		}}}}
		got, _, err := m.Conflicts(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, "conflict", got)
	})
}

// requestsOf makes the prompts of the test's repository.
func requestsOf(t *testing.T) *prompts {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/repository.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	var files []string
	for _, f := range ar.Files {
		at := filepath.Join(root, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, f.Name)
	}
	loaded, err := config.Load(config.LoadOptions{Getenv: func(string) string { return "" }, UserFile: filepath.Join(root, "none")})
	if err != nil {
		t.Fatal(err)
	}
	c := loaded.Config
	c.Context.Conventions = []string{"AGENTS.md"}
	return &prompts{
		root: root, repo: "shop", task: discountTask, nonce: "kqzv", cfg: c, isTest: testfile.Is, looking: true,
		redact: func(s string) string { return s }, editFormat: func(engine.Role) string { return "auto" },
		list:     func(context.Context) ([]string, error) { return files, nil },
		past:     func(context.Context, int) ([]history.PastCommit, error) { return nil, nil },
		tried:    func(context.Context) ([]journal.Tried, error) { return nil, nil },
		ignored:  func(context.Context, []string) ([]string, error) { return nil, nil },
		perToken: func(context.Context, engine.Role, bool) float64 { return 0 },
	}
}

func golden(t *testing.T, name string, p engine.Prompt) {
	t.Helper()
	got := p.User + "\n"
	if name == "clean" {
		got = "=== system\n" + p.System + "\n=== user\n" + got
	}
	at := filepath.Join("testdata", "requests", name+".golden")
	if *update {
		if err := os.WriteFile(at, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the request differs from %s (-want +got):\n%s", at, diff)
	}
}
