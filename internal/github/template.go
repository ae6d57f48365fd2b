package github

import (
	"path"
	"strings"
)

// MaxTemplate bounds a pull request template, in bytes.
const MaxTemplate = 32 << 10

// TemplateDirs are where GitHub looks for a pull request template, in order.
var TemplateDirs = [...]string{".github", ".", "docs"}

// IsTemplate reports whether a path is that of the repository's pull request template in a
// folder, whatever its name's case. Of several in a folder of their own none is meant.
func IsTemplate(dir, file string) bool {
	if path.Dir(file) != dir {
		return false
	}
	switch strings.ToLower(path.Base(file)) {
	case "pull_request_template.md", "pull_request_template.txt", "pull_request_template":
		return true
	}
	return false
}
