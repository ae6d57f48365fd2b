package workspace

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// mayConvert reports whether git may store any of the NUL-separated tracked
// files other than as they lie on disk: by a setting, or by any attributes
// file. It errs on the side of yes, which costs time only.
func (r *Repo) mayConvert(names []byte) bool {
	if runtime.GOOS == "windows" {
		return true // installed with core.autocrlf as a rule
	}
	if v := valueOf(r.settings, "core.autocrlf"); v != "" && v != "false" ||
		valueOf(r.settings, "core.attributesfile") != "" {
		return true
	}
	for _, path := range append(r.attributeFiles(), filepath.Join(r.root, ".gitattributes")) {
		if _, err := os.Lstat(path); err == nil {
			return true
		}
	}
	seen := map[string]bool{}
	for len(names) > 0 {
		var name []byte
		name, names, _ = bytes.Cut(names, []byte{0})
		for i := bytes.LastIndexByte(name, '/'); i > 0; i = bytes.LastIndexByte(name[:i], '/') {
			dir := string(name[:i])
			if seen[dir] {
				break
			}
			seen[dir] = true
			if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(dir), ".gitattributes")); err == nil {
				return true
			}
		}
	}
	return false
}

// attributeFiles lists where attributes may stand outside of the work tree.
func (r *Repo) attributeFiles() []string {
	list := []string{
		filepath.Join(r.commonDir, "info", "attributes"),
		"/etc/gitattributes", "/usr/local/etc/gitattributes", "/opt/homebrew/etc/gitattributes",
	}
	for _, kv := range r.git.env {
		switch name, value, _ := strings.Cut(kv, "="); name {
		case "XDG_CONFIG_HOME":
			list = append(list, filepath.Join(value, "git", "attributes"))
		case "HOME":
			list = append(list, filepath.Join(value, ".config", "git", "attributes"))
		}
	}
	return list
}
