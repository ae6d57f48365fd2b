package check

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

func TestAskingForReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"scripts": {"test": "jest"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	temp := t.TempDir()
	r := New(Config{Dir: dir, Temp: temp})
	path := regexp.MustCompile(regexp.QuoteMeta(temp) + `/r[A-Z2-7]{26}`)
	for command, want := range map[string]string{
		"pytest":                        "pytest --junitxml=/r.xml",
		"PYTHONPATH=. pytest -q tests":  "PYTHONPATH=. pytest --junitxml=/r.xml -q tests",
		"python3 -m pytest tests":       "python3 -m pytest --junitxml=/r.xml tests",
		"pytest --junitxml=own.xml":     "",
		"pytest && flake8":              "",
		"vendor/bin/phpunit tests":      "vendor/bin/phpunit --log-junit=/r.xml tests",
		"make test":                     "",
		"npm test":                      "npm test -- --json --outputFile=/r.xml",
		"npx jest src":                  "npx jest --json --outputFile=/r.xml src",
		"jest --watch":                  "",
		"npx vitest run":                "npx vitest run --reporter=default --reporter=junit --outputFile.junit=/r.xml",
		"npx vitest run --reporter=dot": "",
		"bundle exec rspec spec":        "bundle exec rspec --format progress --format json --out /r.xml spec",
		"rspec -f doc":                  "",
		"node --test test":              "node --test --test-reporter=spec --test-reporter-destination=stdout --test-reporter=/r.xml.mjs --test-reporter-destination=/r.xml test",
		"node --test --watch":           "",
		"go test ./...":                 "go test -v=test2json ./...",
		"CGO_ENABLED=0 go test -v -p 1": "CGO_ENABLED=0 go test -v=test2json -p 1",
		"go test -json ./...":           "",
		"go vet ./...":                  "",
		"go test ./... && go vet ./...": "",
		"cargo test -p a":               `cargo test --config 'target."cfg(all())".runner=["sh","-c","exec \"$@\" --logfile /r.xml.$$.\"${1##*/}\"","sh"]' -p a`,
		"cargo test --no-run":           "",
	} {
		asked := r.ask(t.Context(), Step{Command: command})
		if got := path.ReplaceAllString(asked.command, "/r.xml"); got != want || (asked.read == nil) != (want == "") {
			t.Errorf("%q: got %q, want %q", command, got, want)
		}
	}
}
