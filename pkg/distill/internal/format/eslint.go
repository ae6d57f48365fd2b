package format

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

var (
	reEslintItem = text.Lazy(`^\s+(\d+):(\d+)\s+(error|warning)\s+(.+?)(?:\s{2,}(\S+))?$`)
	reEslintSum  = text.Lazy(`^✖ \d+ problems? \(`)
)

// readEslint reads eslint's stylish form, which others share: a file, then
// indented findings.
func readEslint(d *stream.Doc, f *core.Found) {
	file := ""
	eslint := false
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used {
			continue
		}
		s := l.S
		if s == "" {
			continue
		}
		if s[0] != ' ' {
			if reEslintSum().MatchString(s) {
				l.Used = true
				f.Saw("eslint")
			} else if t := strings.TrimSpace(s); !strings.HasSuffix(t, ":") && len(t) < 300 &&
				headsFile(t, f.Root) {
				file = t
			} else {
				file = ""
			}
			continue
		}
		if file == "" {
			continue
		}
		m := reEslintItem().FindStringSubmatch(s)
		if m == nil {
			continue
		}
		l.Used = true
		eslint = true
		x := core.Failure{File: file, Line: text.Atoi(m[1]), Column: text.Atoi(m[2]), Message: m[3] + ": " +
			m[4], Kind: core.KindLint, Runner: "eslint"}
		if m[5] != "" {
			x.Message += "  (" + m[5] + ")"
		}
		if m[3] == "warning" {
			f.Warnings = append(f.Warnings, x)
		} else {
			f.Fail(x)
		}
	}
	if eslint {
		f.Saw("eslint")
	}
}

// headsFile tells a line that is the name of a file and nothing else.
func headsFile(s string, root *tree.Tree) bool {
	ext := path.Ext(s)
	if len(ext) < 2 || len(ext) > 9 {
		return false
	}
	return tree.SourceExt(strings.ToLower(ext)) || root.Exists(tree.CleanPath(s))
}
