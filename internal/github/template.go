package github

import (
	"path"
	"strings"
)

// MaxTemplate bounds a pull request template, in bytes.
const MaxTemplate = 32 << 10

// TemplateDirs are where GitHub looks for a pull request template, in order.
var TemplateDirs = [...]string{".github", ".", "docs"}

// IsNamedTemplate reports whether a path is one of the templates in a PULL_REQUEST_TEMPLATE
// folder, from which a person chooses.
func IsNamedTemplate(dir, file string) bool {
	folder := path.Dir(file)
	ext := strings.ToLower(path.Ext(file))
	return path.Dir(folder) == dir && strings.EqualFold(path.Base(folder), "pull_request_template") &&
		(ext == ".md" || ext == ".txt")
}

// IsTemplate reports whether a path is the repository's one pull request template, in any
// case.
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
