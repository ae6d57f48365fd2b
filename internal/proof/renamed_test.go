package proof

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// proveRenamed proves a change of the product and of its test, which are texts. Without the other
// side's name for the function a test does not build.
func proveRenamed(t *testing.T, product, test [2]string, passing [2]string) event.ProofFinished {
	t.Helper()
	run := func(files map[string]string) Result {
		name := map[bool]string{true: "New", false: "OldName"}[strings.Contains(files["a.go"], "New")]
		now := map[bool]int{true: 1}[files["a_test.go"] == test[1]]
		switch {
		case !strings.Contains(files["a_test.go"], name+"(1)"):
			return Result{Failures: []failure.Failure{{Kind: "compile", File: "a_test.go", Message: "undefined"}}}
		case !strings.Contains(files["a.go"], "n + 1") && !strings.Contains(files["a.go"], "1 +"):
			return fail(passing[now], "got another")
		}
		return Result{Passed: true, Passing: []string{passing[now]}, As: failure.OwnReport, Counts: counted(1)}
	}
	tree := func(i, j int) *textTree {
		return &textTree{files: map[string]string{"a.go": product[i], "a_test.go": test[j]}, tests: run, alone: true}
	}
	p := Prover{
		Subject: Subject{Sources: []Source{{Path: "a.go", Old: []byte(product[0]), New: []byte(product[1])}},
			NewTests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte(test[0]), New: []byte(test[1])}},
			Old:      Swap{Tests: []edit.Change{{Op: edit.Modify, Path: "a_test.go", Old: []byte(test[1]), New: []byte(test[0])}}}},
		Sides: sides{tree(0, 0), tree(1, 1)}, Now: time.Now, Mutants: 10,
		Read: func(context.Context, failure.Frame, bool) (*Expectation, error) { return nil, nil },
	}
	got, err := p.Prove(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// A test that has another name now is not a new one.
func TestARenamedTestIsNotNew(t *testing.T) {
	const product = "package a\n\nfunc OldName(n int) int {\n\treturn n + 1\n}\n"
	const test = "package a\n\nfunc TestA(t *testing.T) {\n\tif OldName(1) != 2 {\n\t\tt.Fail()\n\t}\n}\n"
	got := proveRenamed(t, [2]string{product, strings.Replace(product, "return", "return 0*2 +", 1)},
		[2]string{test, strings.ReplaceAll(test, "TestA", "TestB")}, [2]string{"TestA", "TestB"})
	if got.Claims[0].Reason != "the changed tests pass without the change too: they prove nothing" {
		t.Errorf("got %+v", got.Claims[0])
	}
}
