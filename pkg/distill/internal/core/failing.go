package core

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// failure makes a failure of an entry, and marks what was used for it.
func (g *generic) failure(x *entry) (Failure, bool) {
	best := x.best()
	if (!g.counted || strings.Contains(x.name(), "/")) && g.onlyFindings(best.block) {
		return Failure{}, false // a tool that ran others: they say more
	}
	y := Failure{Test: x.name(), Kind: KindTest, Runner: g.f.runner(), Message: best.more}
	if !g.tests && (x.proof() < proofMark || tellingBlock(best.block) == 0) {
		return y, false
	}
	Explain(&y, best.block)
	if y.Message == "" && !g.counted && !g.tests {
		return y, false
	}
	lines := g.all.Lines
	end := best.at + len(best.block)
	if best.mark == rowMark { // its block is of its own line
		end = best.at
	}
	for k := best.at; k < len(lines) && k <= end; k++ {
		lines[k].Used, lines[k].Guessed = true, true
	}
	for i := range x.events { // what is not in the name may still be of use
		e := &x.events[i]
		l := &lines[e.at]
		rest := strings.TrimSpace(cutTook(l.S))
		if k := text.LeadingDigits(rest); k > 0 && k < len(rest) && rest[k] == ')' {
			rest = rest[k:]
		}
		rest = reTookBeside().ReplaceAllString(strings.Replace(rest, e.name, "", 1), "")
		told := tells(y.Message, e.more)
		if told {
			rest = strings.Replace(rest, e.more, "", 1)
		}
		for _, fr := range y.Frames { // "Class.test:12 message"
			rest = strings.TrimSuffix(strings.TrimSpace(rest), ":"+strconv.Itoa(fr.Line))
		}
		l.Used, l.Guessed = true, len(rest) > 24 || !told || strings.ContainsAny(rest, "0123456789")
	}
	g.f.finish(&y)
	g.placeElsewhere(&y, x, best)
	return y, true
}

// tells tells whether a message holds all words of another, in which signs stand between
// or a name is cut short: "» NullPointer no cart".
func tells(message, words string) bool {
	return !slices.ContainsFunc(strings.Fields(words), func(w string) bool {
		return !strings.Contains(message, w) && strings.ContainsFunc(w, unicode.IsLetter)
	})
}

var reTookBeside = text.Lazy(`-- |Time elapsed: [\d.,]+ s(?:ec)?|<<< \w+!|\[ *[\d.]+m?s\]`)

// placeElsewhere takes the place of a failure from what else is told of its
// name, where the block that explains it best has none.
func (g *generic) placeElsewhere(y *Failure, x *entry, best *event) {
	found := func() bool { return y.File != "" && g.f.Root.Exists(y.File) }
	for i := range x.events {
		e := &x.events[i]
		if found() {
			return
		}
		if e == best || len(e.block) == 0 || e.said == passed {
			continue
		}
		z := Failure{}
		Explain(&z, e.block)
		if g.f.finish(&z); z.File != "" && g.f.Root.Exists(z.File) {
			y.File, y.Line, y.Column, y.Frames = z.File, z.Line, z.Column, z.Frames
		}
	}
	if above := g.linesAbove(best.at); !found() && len(above) > 0 {
		z := Failure{Frames: innermostFirst(above)}
		if g.f.place(&z); z.File != "" && g.f.Root.Exists(z.File) {
			y.File, y.Line, y.Column, y.Frames = z.File, z.Line, z.Column, z.Frames
			y.Detail = append(y.Detail, above...)
		}
	}
	for i := range x.events {
		if at := x.events[i].place; !found() && at.File != "" {
			y.File, y.Line, y.Column = at.File, at.Line, at.Column
		}
	}
}

// alsoFailed gives the further failures of a test that has reported several, each
// in a line that begins with its place.
func (g *generic) alsoFailed(x *Failure, block []string) []Failure {
	var out []Failure
	for _, s := range block {
		p, ok := CutPlace(strings.TrimSpace(s), g.f.Root)
		if !ok || p.Line == 0 || p.Text == "" || Telling(p.Text) == 0 {
			continue
		}
		file, ok := g.f.Root.Resolve(p.File, "")
		if !ok || file != x.File || p.Line == x.Line || len(out) > 20 {
			continue
		}
		out = append(out, Failure{Test: x.Test, File: file, Line: p.Line, Column: p.Col, Message: p.Text,
			Kind: x.Kind, Runner: x.Runner})
	}
	return out
}
