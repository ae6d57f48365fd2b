package github

import (
	"io/fs"
	"path"
	"strings"
)

// maxTemplate bounds a pull request template, in bytes.
const maxTemplate = 32 << 10

// Template finds the repository's own pull request template in a checkout, as
// GitHub does: in the root, docs or .github, whatever its name's case. "" means
// that there is none; of several in a folder none is meant.
func Template(checkout fs.FS) string {
	for _, dir := range []string{".github", ".", "docs"} {
		entries, err := fs.ReadDir(checkout, dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			name := strings.ToLower(e.Name())
			if name != "pull_request_template.md" && name != "pull_request_template.txt" && name != "pull_request_template" {
				continue
			}
			if !e.Type().IsRegular() {
				continue
			}
			data, err := fs.ReadFile(checkout, path.Join(dir, e.Name()))
			if err == nil && len(data) <= maxTemplate {
				return strings.ToValidUTF8(string(data), "\uFFFD")
			}
		}
	}
	return ""
}
