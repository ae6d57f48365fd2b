package runner

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/failure"
)

// reruns are what runs single tests of a runner that a script or a target starts. What
// begins with a blank goes behind the script's own call.
var reruns = []struct{ runner, template string }{
	{"go test", "go test -count=1 ./... -run '^({{.Pattern}})$'"},
	{"pytest", "python3 -m pytest {{.Tests}}"},
	{"cargo test", "cargo test --workspace -- --exact {{.Tests}}"},
	{"jest", " -t '{{.Pattern}}'"},
	{"vitest", " -t '{{.Pattern}}'"},
	{"mocha", " -g '{{.Pattern}}'"},
	{"node:test", " --test-name-pattern '{{.Pattern}}'"},
	{"phpunit", " --filter '{{.Pattern}}'"},
	{"PHPUnit", " --filter '{{.Pattern}}'"},
	{"ctest", "cmake --build build && ctest --test-dir build --output-on-failure -R '{{.Pattern}}'"},
	{"minitest", "bundle exec rake test TESTOPTS='--name=/{{.Pattern}}/'"},
}

// rerun derives a command that runs single tests, if booty has none of its own for the test
// command, and tries it with one test: it counts if it runs that test, and not all.
func (t *trial) rerun(ctx context.Context, c detect.Chosen) (string, error) {
	o := c.Outcome
	if o.One == "" || o.Tests < 2 || !o.Passed {
		return "", nil
	}
	step := check.Step{Name: "test", Kind: check.Test, Command: c.Command,
		Timeout: min(t.o.Timeout, t.rest())}
	if step.Timeout < leastTime {
		return "", nil
	}
	candidates := []string{""}
	for _, r := range reruns {
		if r.runner == o.Runner {
			candidates = append(candidates, behind(c, r.template))
		}
	}
	for _, template := range candidates {
		v, err := t.checks.runner.Verify(ctx, check.Suite{Tests: []check.Step{step}, Rerun: template}, check.VerifyOptions{
			Alone: []failure.Failure{{Test: o.One, Check: step.Name, File: fileOf(o.One)}},
		})
		if err != nil {
			return "", err
		}
		if v.NotAlone || len(v.Results) == 0 {
			continue
		}
		res := v.Results[0]
		if n := res.Summary.Counts.Passed; res.Passed && n != nil && *n > 0 && *n < o.Passing {
			return template, nil
		}
	}
	return "", nil
}

// behind puts a template where the command runs: in its folder, behind a script's call.
func behind(c detect.Chosen, template string) string {
	if strings.HasPrefix(template, " ") {
		if words := strings.Fields(c.Command); words[0] == "npm" || words[0] == "composer" {
			template = " --" + template
		}
		return c.Command + template
	}
	return detect.InDir(c.Dir, template)
}

// fileOf returns the file that a test's name begins with, as those of pytest do.
func fileOf(name string) string {
	if file, _, ok := strings.Cut(name, "::"); ok && strings.HasSuffix(file, ".py") {
		return file
	}
	return ""
}
