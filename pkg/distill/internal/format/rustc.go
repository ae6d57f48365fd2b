package format

import (
	"slices"
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
	head := arrowHead(d, at)
	// Nothing above: the message follows or there is none.
	if head >= at && strings.Contains(d.Lines[at].S, "-->") {
		return at + 1
	}
	head = min(head, at)
	first := strings.TrimSpace(d.Lines[head].S)
	x := core.Failure{File: m[1], Line: text.Atoi(m[2]), Column: text.Atoi(m[3]),
		Message: strings.TrimLeft(first, "×✖⚠ "), Kind: core.KindCompile,
		Runner: arrowRunner(d.Lines[head].S, m[1])}
	if x.Runner != "rustc" {
		x.Kind = core.KindLint
	}
	if strings.Contains(first, "clippy::") {
		x.Runner = "clippy"
	}
	end := arrowBody(d, f, &x, head, at)
	for k := head; k < end; k++ {
		d.Lines[k].Used = true
	}
	if _, warning := text.CutAny(first, "warning", "⚠", "!"); warning {
		f.Warnings = append(f.Warnings, x)
	} else {
		f.Fail(x)
	}
	return end
}

// arrowHead finds the line with the message above an arrow; at or more where
// there is none.
func arrowHead(d *stream.Doc, at int) int {
	head := at - 1
	for head >= 0 && head > at-40 && !d.Lines[head].Used {
		s := d.Lines[head].S
		_, loud := text.CutAny(strings.TrimSpace(s), "error: ", "warning: ")
		if s == "" || loud || reRustHead().MatchString(s) || reRuffHead().MatchString(s) {
			break
		}
		head--
	}
	if head < 0 || d.Lines[head].S == "" || d.Lines[head].Used {
		head++
	}
	return head
}

// arrowNoise stands in lines that tell nothing of the finding.
var arrowNoise = []string{"/rustc/", "for further information visit", "to override `"}

// arrowBody reads what follows the message and gives the line after it. Elixir
// and miette may have a blank line in the frame, which ends it.
func arrowBody(d *stream.Doc, f *core.Found, x *core.Failure, head, at int) int {
	j := head + 1
	for ; j < len(d.Lines) && d.Lines[j].S != ""; j++ {
		s := d.Lines[j].S
		if j > at && s[0] != ' ' && reRustHead().MatchString(s) {
			break
		}
		if k := reArrow().FindStringSubmatch(s); k != nil && j != at {
			rel, ok := f.Root.Resolve(k[1], "")
			if !ok {
				continue
			}
			x.Related = append(x.Related, core.Frame{File: rel, Line: text.Atoi(k[2])})
		}
		if strings.Contains(s, "rust-clippy") || strings.Contains(s, "-D clippy::") {
			x.Runner, x.Kind = "clippy", core.KindLint
		}
		if j != at && strings.TrimSpace(s) != "|" &&
			!slices.ContainsFunc(arrowNoise, func(w string) bool { return strings.Contains(s, w) }) {
			x.Detail = append(x.Detail, s)
		}
	}
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
