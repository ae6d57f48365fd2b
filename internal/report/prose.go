package report

import (
	"strings"
)

// maxProse bounds a model's sentences, in characters.
const maxProse = 3000

// Prose gives a model's Markdown as Markdown: emphasis, lists, links and code stay as
// they are. Outside of code it mentions nobody, refers to nothing, shows no picture and
// holds no HTML and no heading; a code block that is left open is closed.
func Prose(s string) string {
	s = strings.TrimSpace(clean(cutRunes(s, maxProse)))
	if s == "" {
		return ""
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimLeft(line, " ")
		run := fenceRun(trimmed)
		switch {
		case fence != "":
			if len(run) >= len(fence) && run[0] == fence[0] && strings.TrimSpace(trimmed) == run {
				fence = ""
			}
		case run != "" && len(line)-len(trimmed) < 4:
			fence = run
		default:
			line = proseLine(line)
		}
		b.WriteString(line + "\n")
	}
	if fence != "" {
		b.WriteString(fence + "\n")
	}
	return b.String()
}

// fenceRun gives the signs with which a code block begins or ends.
func fenceRun(line string) string {
	for _, sign := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, sign)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// proseLine makes a line harmless but for its code spans.
func proseLine(line string) string {
	var b strings.Builder
	rest := line
	for {
		i := strings.IndexByte(rest, '`')
		if i < 0 {
			break
		}
		n := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
		ticks := rest[i : i+n]
		end := closingTicks(rest[i+n:], ticks)
		if end < 0 { // a lone tick
			b.WriteString(tame(rest[:i]) + strings.Repeat("\\`", n))
			rest = rest[i+n:]
			continue
		}
		b.WriteString(tame(rest[:i]) + rest[i:i+n+end+n])
		rest = rest[i+n+end+n:]
	}
	b.WriteString(tame(rest))
	out := b.String()
	if t := strings.TrimLeft(out, " "); strings.HasPrefix(t, "#") || strings.Trim(t, "= ") == "" && t != "" ||
		strings.HasPrefix(t, "[") && strings.Contains(t, "]:") {
		out = out[:len(out)-len(t)] + "\\" + t
	}
	return out
}

// closingTicks finds a run of exactly these ticks.
func closingTicks(s, ticks string) int {
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return -1
		}
		at += i
		n := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if n == len(ticks) {
			return at
		}
		at += n
	}
	return -1
}

var tameSigns = strings.NewReplacer("<", "&lt;", "![", "!\\[")

func tame(s string) string { return tameSigns.Replace(inert(s)) }
