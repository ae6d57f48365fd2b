package journal

import (
	"reflect"
	"testing"

	"github.com/booty-cli/booty/internal/event"
)

func TestWhatEarlierRunsTried(t *testing.T) {
	j, ctx := open(t, Options{}), t.Context()
	check := func(run, kind string, attempt int, passed bool, failing ...string) {
		c := Check{Run: run, Name: kind, Kind: kind, Attempt: attempt, Passed: passed}
		for _, test := range failing {
			c.Failures = append(c.Failures, event.Failure{Test: test, File: test + "_test.go"})
		}
		must(t, j.AddCheck(ctx, c))
	}
	changed := func(run string, attempt int, paths ...string) {
		var files []event.File
		for _, p := range paths {
			files = append(files, event.File{Path: p})
		}
		must(t, j.FinishAttempt(ctx, Attempt{Run: run, N: attempt, Files: files}))
	}
	start(t, j, Run{ID: "0000000001", Repo: "/src/app", Kind: "run", MaxRetries: 1})
	check("0000000001", "test", 0, false, "old")
	changed("0000000001", 1, "a.go", "b.go")
	check("0000000001", "test", 1, false, "old", "new")
	changed("0000000001", 2, "a.go")
	check("0000000001", "test", 2, false, "old") // which failed before
	changed("0000000001", 3, "a.go")
	check("0000000001", "lint", 3, false, "lint")
	check("0000000001", "test", 3, true)
	start(t, j, Run{ID: "0000000002", Repo: "/src/other", Kind: "run", MaxRetries: 1})
	changed("0000000002", 1, "a.go")
	check("0000000002", "test", 1, false, "elsewhere")

	got, err := j.Tried(ctx, "/src/app")
	must(t, err)
	if want := []Tried{{Files: []string{"a.go", "b.go"}, Failed: []string{"new_test.go"}}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
