package format

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reNodeItem = text.Lazy(`^( *)([✖✔▶﹣⚠]) (.+?)(?: \([\d.]+m?s\))?(?: # (.*))?$`)
	// What util.inspect prints of an error besides its message and values.
	reNodeProperty = text.Lazy(`^\s*(?:generatedMessage:|code: 'ERR_|operator:|diff: 'simple'|[{}]$)`)
	reNodeAt       = text.Lazy(`^test at (.+?):(\d+):(\d+)$`)
)

// readNodeTest reads the spec reporter of node:test.
func readNodeTest(d *stream.Doc, f *core.Found) {
	var full []string // names with their suites, from the tree above
	var stack []tapName
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case s == "✖ failing tests:" || s == "Failed tests:":
			l.Used = true
			nodeFailures(d, f, i+1, full)
			full, stack = nil, nil
		case strings.Contains(s, "✖ ") || strings.Contains(s, "▶ ") || strings.Contains(s, "✔ "):
			m := reNodeItem().FindStringSubmatch(s)
			if m == nil {
				continue
			}
			for len(stack) > 0 && stack[len(stack)-1].indent >= len(m[1]) {
				stack = stack[:len(stack)-1]
			}
			if m[2] == "▶" {
				stack = append(stack, tapName{len(m[1]), m[3]})
			} else if m[2] == "✖" {
				var p []string
				for _, x := range stack {
					p = append(p, x.name)
				}
				full = append(full, strings.Join(append(p, m[3]), " > "))
			}
		}
	}
}

// nodeFailures reads the list at the end: "test at file:1:2", the name and the
// error.
func nodeFailures(d *stream.Doc, f *core.Found, i int, full []string) {
	for ; i < len(d.Lines); i++ {
		if d.Lines[i].S == "" {
			continue
		}
		var atFile []string
		if m := reNodeAt().FindStringSubmatch(d.Lines[i].S); m != nil {
			atFile = m
			d.Lines[i].Used = true
			i++
		}
		if i >= len(d.Lines) {
			return
		}
		m := reNodeItem().FindStringSubmatch(d.Lines[i].S)
		if m == nil || m[1] != "" || m[2] != "✖" {
			return
		}
		d.Lines[i].Used = true
		j := i + 1
		var lines []string
		for ; j < len(d.Lines); j++ {
			s := d.Lines[j].S
			if s != "" && s[0] != ' ' || reNodeAt().MatchString(s) {
				break
			}
			d.Lines[j].Used = true
			lines = append(lines, s)
		}
		x := core.Failure{Test: m[3], Kind: core.KindTest, Runner: "node:test"}
		for k, name := range full {
			if name == m[3] || strings.HasSuffix(name, " > "+m[3]) {
				x.Test = name
				full = append(full[:k:k], full[k+1:]...)
				break
			}
		}
		if rel, ok := f.Root.Resolve(x.Test, ""); ok && strings.Contains(x.Test, "/") {
			x.Test = rel
		}
		core.Explain(&x, slices.DeleteFunc(lines, reNodeProperty().MatchString))
		f.Format = "node:test"
		f.PlaceOf(&x)
		if x.File == "" && atFile != nil {
			x.File, x.Line, x.Column = atFile[1], text.Atoi(atFile[2]), text.Atoi(atFile[3])
		}
		x.Weak = strings.Contains(x.Message, " subtests failed'") ||
			strings.Contains(x.Message, " subtest failed'")
		if reTimedOut().MatchString(x.Message) {
			x.Kind = core.KindTimeout
		}
		f.Fail(x)
		i = j - 1
	}
}
