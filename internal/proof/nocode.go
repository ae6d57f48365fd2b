package proof

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/proof/mutant"
)

// Dependencies is the kind of a change to versions of dependencies: no code of the project, but its
// tests may fail with it.
const Dependencies = "versions of dependencies"

// Settings is the kind of a change to hidden files of tools. They may affect the tests, so these
// must run.
const Settings = "settings of tools"

// ThirdParty is the kind of a change to third-party code alone: as with dependencies, the tests may
// fail with it. Together with changed tests it has to be proven like any other change.
const ThirdParty = "third-party code"

// settings are files that neither run the product nor its tests.
var settings = []struct {
	kind  string
	globs []string
}{
	{"workflows", []string{".github/**", ".gitlab/**", ".circleci/**", ".buildkite/**", ".forgejo/**", ".gitea/**",
		".{gitlab-ci,travis,appveyor,cirrus,drone,woodpecker}.{yml,yaml}", "{azure-pipelines,appveyor,bitbucket-pipelines}.yml",
		"{,.}renovate.{json,json5}", "**/Jenkinsfile"}},
	{"owners", []string{"**/{CODEOWNERS,OWNERS,MAINTAINERS,AUTHORS,.mailmap}"}},
	{"settings of editors and git", []string{"**/.editorconfig", "**/{.vscode,.idea,.devcontainer,.zed}/**",
		"**/{.gitignore,.gitattributes,.git-blame-ignore-revs}", ".booty.yml"}},
}

var settingsOf = sync.OnceValue(func() []*globs.Set {
	var sets []*globs.Set
	for _, s := range settings {
		sets = append(sets, globs.New(s.globs...))
	}
	return sets
})

// NoCode returns the kind of a change that cannot change what the product does, as far as the file
// shows; "" if it may.
func (f Source) NoCode() string {
	edited := f.Old != nil && f.New != nil && !bytes.Equal(f.Old, f.New)
	switch {
	case manifest.IsLock(f.Path):
		return Dependencies
	case edited && manifest.Is(f.Path) && bytes.Equal(WithOldSettings(f.Path, f.Old, f.New), f.New):
		return Dependencies
	case f.generated():
		return "generated files"
	case edited && f.onlyComments():
		return "comments"
	case edited && f.onlyToolComments():
		return ToolComments
	case edited && f.onlyTests():
		return "tests"
	}
	for i, s := range settingsOf() {
		if s.Match(f.Path) {
			return settings[i].kind
		}
	}
	if hidden(f.Path) && !mutant.Readable(f.Path) {
		return Settings
	}
	return ""
}

// hidden reports whether a file or a folder that it is in has a name that begins with a dot.
func hidden(p string) bool { return strings.HasPrefix(p, ".") || strings.Contains(p, "/.") }

// generated reports whether a tool has written each version that there is.
func (f Source) generated() bool {
	return (f.Old == nil || foreign.Generated(f.Old)) && (f.New == nil || foreign.Generated(f.New)) &&
		(f.Old != nil || f.New != nil)
}

// onlyTests reports whether two versions of a file of the product differ in nothing but the
// tests inside.
func (f Source) onlyTests() bool {
	return slices.Equal(lines(WithNewTests(f.Path, f.Old, f.New)), lines(f.New))
}

// lines are those of a text that are not blank.
func lines(text []byte) (out []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			out = append(out, line)
		}
	}
	return out
}
