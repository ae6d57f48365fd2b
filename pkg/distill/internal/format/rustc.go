package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reRustHead = text.Lazy(`^(error|warning)(\[[\w:-]+\])?: (.+)$`)
	reArrow    = text.Lazy(`^\s*(?:-->|:::|╭─\[|┌─|,-\[|╭▸|└─) ?((?:[A-Za-z]:)?[^:\]]+?):(\d+):(\d+)`)
	reRuffHead = text.Lazy(`^(?:(?:[A-Z]{1,5}\d{3,4}|[a-z][a-z-]+)(?: \[\*\])? |\s*[×✖⚠x!] )\S`)
)

// readArrows reads diagnostics that print the place in a line of its own under
// the message, with the source in a frame: rustc, clippy, ruff, deno lint,
// biome's and oxlint's boxes.
func readArrows(d *stream.Doc, f *core.Found) {
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || !(strings.Contains(l.S, "--> ") || strings.Contains(l.S, "╭─[") ||
			strings.Contains(l.S, "┌─") || strings.Contains(l.S, ",-[") || strings.Contains(l.S, "└─ ")) {
			continue
		}
		m := reArrow().FindStringSubmatch(l.S)
		if m == nil {
			continue
		}
		i = arrowBlock(d, f, i, m) - 1
	}
	rustLoose(d, f)
}

// arrowBlock reads the block around line at, which holds the arrow.
func arrowBlock(d *stream.Doc, f *core.Found, at int, m []string) int {
	head := at - 1
	for head >= 0 && head > at-40 && !d.Lines[head].Used {
		s := d.Lines[head].S
		if s == "" || reRustHead().MatchString(s) || reRuffHead().MatchString(s) ||
			strings.HasPrefix(strings.TrimSpace(s), "error: ") ||
			strings.HasPrefix(strings.TrimSpace(s), "warning: ") {
			break
		}
		head--
	}
	if head < 0 || d.Lines[head].S == "" || d.Lines[head].Used {
		head++
	}
	if head >= at {
		// Nothing above: the message follows or there is none.
		if head = at; strings.Contains(d.Lines[at].S, "-->") {
			return at + 1
		}
	}
	first := strings.TrimSpace(d.Lines[head].S)
	x := core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]),
		Message: strings.TrimLeft(first, "×✖⚠ "), Kind: core.KindCompile,
		Runner: arrowRunner(d.Lines[head].S, m[1])}
	warning := strings.HasPrefix(first, "warning") || strings.HasPrefix(first, "⚠") ||
		strings.HasPrefix(first, "!")
	if x.Runner != "rustc" {
		x.Kind = core.KindLint
	}
	if strings.Contains(first, "clippy::") {
		x.Runner = "clippy"
	}
	j := head + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s == "" {
			// Elixir and miette may have a blank line in the frame.
			break
		}
		if j > at && (reRustHead().MatchString(s) && s[0] != ' ') {
			break
		}
		if k := reArrow().FindStringSubmatch(s); k != nil && j != at {
			if rel, ok := f.Root.Resolve(k[1], ""); ok {
				x.Related = append(x.Related, core.Frame{File: rel, Line: text.Atoi(k[2])})
			} else {
				continue
			}
		}
		if strings.Contains(s, "rust-clippy") || strings.Contains(s, "-D clippy::") {
			x.Runner, x.Kind = "clippy", core.KindLint
		}
		if j == at || strings.Contains(s, "/rustc/") || strings.TrimSpace(s) == "|" ||
			strings.Contains(s, "for further information visit") || strings.Contains(s, "to override `") {
			continue
		}
		x.Detail = append(x.Detail, s)
	}
	for k := head; k < j; k++ {
		d.Lines[k].Used = true
	}
	if warning {
		f.Warnings = append(f.Warnings, x)
		return j
	}
	f.Fail(x)
	return j
}

func arrowRunner(head, file string) string {
	switch {
	case strings.HasSuffix(file, ".rs"):
		return "rustc"
	case strings.HasSuffix(file, ".py"):
		return "ruff"
	case strings.HasSuffix(file, ".ex") || strings.HasSuffix(file, ".exs"):
		return "elixirc"
	case strings.Contains(head, "eslint(") || strings.Contains(head, "oxc("):
		return "oxlint"
	case strings.HasSuffix(file, ".ts") || strings.HasSuffix(file, ".js") || strings.HasSuffix(file, ".tsx"):
		return "javascript linter"
	}
	return "compiler"
}

// rustLoose reads errors of rustc and cargo without a place: a missing crate, a
// linker that fails.
func rustLoose(d *stream.Doc, f *core.Found) {
	rust := false
	for _, s := range f.Seen {
		rust = rust || s == "rustc" || s == "cargo test"
	}
	for i := range d.Lines {
		l := &d.Lines[i]
		if l.Used || !strings.HasPrefix(l.S, "error") {
			continue
		}
		m := reRustHead().FindStringSubmatch(l.S)
		if m == nil || m[1] != "error" || strings.HasPrefix(m[3], "could not compile") ||
			strings.HasPrefix(m[3], "aborting due to") || strings.HasPrefix(m[3], "test failed") ||
			strings.Contains(m[3], "target failed") || strings.Contains(m[3], "targets failed") ||
			strings.HasPrefix(m[3], "build failed") || strings.HasPrefix(m[3], "process didn't exit") ||
			strings.HasPrefix(m[3], "doctest failed") {
			continue
		}
		isCargo := m[2] != "" || strings.HasPrefix(m[3], "linking with") ||
			strings.HasPrefix(m[3], "failed to") || strings.HasPrefix(m[3], "no matching package") ||
			strings.HasPrefix(m[3], "no such command")
		if !isCargo {
			continue
		}
		x := core.Failure{Kind: core.KindCompile, Message: l.S, Runner: "cargo", Weak: rust}
		for j := i + 1; j < len(d.Lines) && j < i+20 && d.Lines[j].S != "" &&
			(d.Lines[j].S[0] == ' ' || strings.HasPrefix(d.Lines[j].S, "Caused by")); j++ {
			x.Detail = append(x.Detail, d.Lines[j].S)
			d.Lines[j].Used = true
		}
		l.Used = true
		f.Fail(x)
	}
}
