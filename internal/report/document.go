package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

func msec(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// document is a Markdown text of blocks that is kept within GitHub's limit by
// cutting the longest foreign text first, and saying so.
type document struct {
	head     []string
	template string
	run      string
	blocks   []block
	// limit of the text; 0 is GitHub's.
	limit int
}

// block gives the text between the lines that mark it as booty's own.
func (d *document) block() string {
	d.limit = maxBody - len(blockBegin) - len(blockEnd) - 2
	return blockBegin + "\n" + strings.TrimRight(d.render(), "\n") + "\n" + blockEnd + "\n"
}

type block struct {
	// place is the part of a repository's template that the block fits under:
	// what, why, tests or nothing.
	place   string
	heading string
	body    string
	// foreign is long text shown folded and fenced; whole is its length before cuts.
	foreign string
	whole   int
}

func (d *document) add(place, heading, body, foreign string) {
	foreign = strings.Trim(clean(foreign), "\n")
	if strings.TrimSpace(body) == "" && foreign == "" {
		return
	}
	d.blocks = append(d.blocks, block{place, heading, body, foreign, len(foreign)})
}

func (b block) render(run string, level int) string {
	var s strings.Builder
	if b.heading != "" {
		s.WriteString(strings.Repeat("#", level) + " " + b.heading + "\n\n")
	}
	s.WriteString(b.body)
	if b.foreign == "" {
		return s.String()
	}
	if b.body != "" {
		s.WriteString("\n")
	}
	text := Fence("text", b.foreign)
	if len(b.foreign) < b.whole {
		text += fmt.Sprintf("\nCut: %d of %d bytes shown; `booty status %s` has the rest.\n", len(b.foreign),
			b.whole, runName(run))
	}
	s.WriteString(details("Output", text))
	return s.String()
}

func runName(run string) string {
	if shellWord(run) {
		return run
	}
	return "latest"
}

func (d *document) render() string {
	limit := d.limit
	if limit == 0 {
		limit = maxBody
	}
	text := d.assemble()
	for len(text) > limit {
		if !d.cut(len(text) - limit) {
			if d.template == "" {
				return cutBytes(text, limit)
			}
			d.template = "" // a template that leaves no room is of no use
		}
		text = d.assemble()
	}
	return text
}

// cut shortens the longest foreign text so that over bytes are saved, if it can.
func (d *document) cut(over int) bool {
	const least, note = 500, 200
	longest := -1
	for i, b := range d.blocks {
		if len(b.foreign) > least && (longest < 0 || len(b.foreign) > len(d.blocks[longest].foreign)) {
			longest = i
		}
	}
	if longest < 0 {
		return false
	}
	b := &d.blocks[longest]
	b.foreign = cutBytes(b.foreign, max(least, len(b.foreign)-over-note))
	return true
}

// cutBytes cuts at a line end, or else between two characters.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	s = s[:limit]
	if i := strings.LastIndexByte(s, '\n'); i > limit/2 {
		s = s[:i]
	}
	return s
}

func (d *document) assemble() string {
	rest, body := d.blocks, ""
	if strings.TrimSpace(d.template) != "" {
		rest, body = fillTemplate(d.template, d.blocks, d.run)
	}
	var parts []string
	if len(d.head) > 0 {
		parts = append(parts, strings.Join(d.head, "\n")+"\n")
	}
	// With a template that has a place for our text, only what the change is
	// stands before it; the details follow behind.
	filled := body != "" && len(rest) < len(d.blocks)
	var behind []string
	for _, b := range rest {
		if text := b.render(d.run, 2); filled && b.place != "what" {
			behind = append(behind, text)
		} else {
			parts = append(parts, text)
		}
	}
	if body != "" {
		parts = append(parts, body)
	}
	parts = append(parts, behind...)
	return strings.Join(parts, "\n")
}
