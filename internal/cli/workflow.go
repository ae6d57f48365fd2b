package cli

import (
	_ "embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/report"
	"gopkg.in/yaml.v3"
)

//go:embed workflow.yml.tmpl
var workflowTemplate string

// installTemplate are the steps that every job that runs booty has.
//
//go:embed workflow_install.yml.tmpl
var installTemplate string

// workflowPath is where GitHub looks for it.
const workflowPath = ".github/workflows/booty.yml"

// writeWorkflow writes the GitHub Actions workflow into a repository.
func (f *factory) writeWorkflow(root string, force, queue bool) error {
	path := filepath.Join(root, filepath.FromSlash(workflowPath))
	if _, err := os.Lstat(path); !force && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Usage, "booty init --workflow --force overwrites it", "%s already exists",
			workflowPath)
	}
	label, key := "booty", "OPENAI_API_KEY"
	if l, err := config.Load(config.LoadOptions{Root: root,
		Getenv: func(string) string { return "" }}); err == nil {
		if len(l.GitHub.Labels) > 0 {
			label = l.GitHub.Labels[0]
		}
		if l.Model.APIKeyEnv != "" {
			key = l.Model.APIKeyEnv
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fault.New(fault.Usage, "make the folder writable", "write %s: %w", workflowPath, err)
	}
	text := workflowText(label, key, f.build.Version, watched{
		names: workflowNames(root, workflowsOf(root, "pull_request", "push")),
		push:  len(workflowsOf(root, "push")) > 0})
	if !queue {
		text = withoutSchedule(text)
	}
	if err := writeFile(path, []byte(text)); err != nil {
		return err
	}
	f.say("booty: wrote %s", workflowPath)
	if names := workflowsOf(root, "pull_request"); len(names) > 0 {
		f.say("booty: %s run for each draft of the queue, too: docs/queue.md has the line with which a job skips "+
			"those that only activate a test", report.Some(names))
	}
	f.say("booty: next: commit it, set the secret %s, and allow Actions to create pull requests (docs/github.md)", key)
	return nil
}

// workflowsOf names the repository's other workflows that one of the events starts.
func workflowsOf(root string, events ...string) []string {
	files, _ := filepath.Glob(filepath.Join(root, ".github", "workflows", "*.y*ml")) // the pattern is right
	var names []string
	for _, file := range files {
		data, err := regular.Read(file, regular.MaxSize)
		if err == nil && filepath.Base(file) != filepath.Base(workflowPath) && startedBy(data, events) {
			names = append(names, filepath.Base(file))
		}
	}
	return names
}

// startedBy reports whether one of the events starts a workflow, in all forms of "on". A
// push of tags alone is none.
func startedBy(data []byte, events []string) bool {
	var w struct {
		On yaml.Node `yaml:"on"`
	}
	if yaml.Unmarshal(data, &w) != nil {
		return false
	}
	var one string
	var list []string
	var table map[string]map[string]any
	switch {
	case w.On.Decode(&one) == nil:
		return slices.Contains(events, one)
	case w.On.Decode(&list) == nil:
		return slices.ContainsFunc(list, func(e string) bool { return slices.Contains(events, e) })
	}
	_ = w.On.Decode(&table) // what does not fit, such as the list of a schedule, is left out
	return slices.ContainsFunc(events, func(e string) bool {
		with, is := table[e]
		_, tags := with["tags"]
		_, branches := with["branches"]
		return is && (branches || !tags)
	})
}

// watched are the workflows whose end starts this one; push says that some of them tell
// when the default branch is green.
type watched struct {
	names []string
	push  bool
}

// pushed are the lines by which a push starts the queue, where no other workflow says
// that what was pushed is green.
const pushed = `  push:
    branches-ignore: ["booty/**", "tdd/**"] # the job below asks for the default one
`

// withoutSchedule is a workflow that nothing starts by the clock: only the queue needs that.
func withoutSchedule(text string) string {
	text = regexp.MustCompile(`(?m)^  schedule:\n(?:    .*\n)+`).ReplaceAllString(text, "")
	return strings.Replace(text, "is green, hourly and by hand", "is green and by hand", 1)
}

// workflowRuns are the lines by which the end of other workflows starts this one.
func workflowRuns(names []string) string {
	if len(names) == 0 {
		return ""
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return "  workflow_run:\n    workflows: [" + strings.Join(quoted, ", ") + "]\n    types: [completed]\n"
}

// workflowNames are the names of workflows of the repository. What does not fit into YAML as
// plain words is left out.
func workflowNames(root string, files []string) []string {
	var names []string
	for _, file := range files {
		data, err := regular.Read(filepath.Join(root, ".github", "workflows", file), regular.MaxSize)
		if err != nil {
			continue
		}
		name := path.Join(".github/workflows", file)
		var w struct{ Name string }
		if yaml.Unmarshal(data, &w) == nil && w.Name != "" {
			name = w.Name
		}
		if regexp.MustCompile(`^[A-Za-z0-9._/][A-Za-z0-9 ._/():+&,-]{0,99}$`).MatchString(name) {
			names = append(names, name)
		}
	}
	return names
}

// workflowText fills the template in. What does not fit into it as plain words
// is left at the default: the file is code.
func workflowText(label, key, version string, on watched) string {
	if !regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 :/_.-]{0,48}$`).MatchString(label) {
		label = "booty"
	}
	if !regexp.MustCompile(`^[A-Z][A-Z0-9_]{0,80}$`).MatchString(key) || strings.HasPrefix(key, "GITHUB_") {
		key = "OPENAI_API_KEY"
	}
	push := pushed
	if on.push && len(on.names) > 0 {
		push = ""
	}
	return strings.NewReplacer("@LABEL@", label, "@KEY@", key, "@INSTALL@", installSteps(version),
		"@WORKFLOWS@", workflowRuns(on.names), "@PUSH@", push).
		Replace(workflowTemplate)
}

// installSteps are the steps that install a release of booty: that of the version, the newest
// where it is none.
func installSteps(version string) string {
	version = "v" + strings.TrimPrefix(version, "v")
	if !regexp.MustCompile(`^v\d+\.\d+\.\d+(-[a-z0-9.]+)?$`).MatchString(version) {
		version = ""
	}
	return strings.ReplaceAll(installTemplate, "@VERSION@", version)
}
