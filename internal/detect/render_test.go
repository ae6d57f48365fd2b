package detect

import (
	"regexp"
	"strings"
	"testing"
)

// TestRenderPutsEverythingIn: what was found stands where its example was, and
// what looks like a place of the template is text like any other.
func TestRenderPutsEverythingIn(t *testing.T) {
	r := Result{
		Projects: []Project{
			{Language: "go", Dir: ".", Why: "go.mod\nx: y", Tool: "go test", Test: "go test ./..."},
			{Language: "node", Dir: "web", Why: "package.json", Tool: "npm"},
		},
		Notes:        []string{"<<gates>> is no place"},
		SetupCommand: "echo <<test>>",
		TestCommands: []string{"go test ./... # all"},
		Gates:        []Gate{{Name: "vet", Command: "go vet ./..."}, {Name: "fmt", Command: "test -z \"$(gofmt -l .)\"", FixCommand: "gofmt -w ."}},
	}
	got := string(Render(r))
	for _, want := range []string{
		"\n# found: go in . (go.mod x: y), tests by go test\n# note: <<gates>> is no place\nschema_version: 1\n",
		"\nsetup_command: echo <<test>>\n",
		"\ntest_command: 'go test ./... # all'\n",
		"\ngates:\n  - name: vet\n    command: go vet ./...\n  - name: fmt\n    command: test -z \"$(gofmt -l .)\"\n    fix_command: gofmt -w .\n\n# A change",
		"-t '{{.Pattern}}'", "booty/issue-{{.Number}}", "tdd/{{.ID}}",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if strings.Contains(got, "node") {
		t.Error("a project without tests is said to be found")
	}
}

// TestRenderLeavesNoPlaceOpen: a place that is in the template only would be shown to the user.
func TestRenderLeavesNoPlaceOpen(t *testing.T) {
	got := string(Render(Result{}))
	if open := regexp.MustCompile(`<<\w+>>`).FindString(got); open != "" {
		t.Errorf("%s is left open", open)
	}
	for _, want := range []string{"take the # away to change it.\nschema_version: 1\n", "\n#setup_command: make deps   # an example\n", "\ntest_command: ''   # say here how the tests run\n", "\n#gates: [{name: lint, command: make lint, fix_command: make fmt}]   # an example\n\n# A change"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}
