package weaken

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// file is a test file of which several versions are read. Those that others are
// compared with again and again are kept.
type file struct {
	lang *lexer.Language
	path string
	kept map[string]*source.Text
}

// read gives a version that was kept, if it was.
func (f *file) read(lines []string) *source.Text {
	if t := f.kept[strings.Join(lines, "")]; t != nil {
		return t
	}
	return source.Read(f.lang, lines)
}

// keep reads a version and keeps it.
func (f *file) keep(lines []string) *source.Text {
	t := f.read(lines)
	if f.kept == nil {
		f.kept = map[string]*source.Text{}
	}
	f.kept[strings.Join(lines, "")] = t
	return t
}

// judgeAdditions bounds what may be added to a test file that stood before.
func (f *file) judgeAdditions(old, new []string) Objection {
	o, _ := newReading(f, old, new).judgeAll()
	return o
}

// judgeAll tells also how the additions are best told from the old lines.
func (r *reading) judgeAll() (Objection, []diff.Hunk) {
	ways, lost := diff.Additions(r.old.Lines, r.new.Lines)
	if ways == nil {
		return SetAside(changedLine([]string{lost}, diff.Edit{To: 1})), nil
	}
	var first Objection
	for i, hunks := range ways {
		o := r.judgeWay(hunks)
		if o.Why == "" {
			return o, hunks
		}
		if i == 0 || strings.Contains(first.Why, notWhole) {
			first = o
		}
	}
	return first, nil
}

// judgeWay judges one way in which the added lines can be told from the old. The
// text is the same in every way, so one that nothing speaks against is enough.
func (r *reading) judgeWay(hunks []diff.Hunk) Objection {
	r.mark(hunks)
	forms, byLayout := sync.OnceValue(func() *forms { return formsOf(r) }), false
	for i := range hunks {
		low, high := 0, len(r.new.Lines)
		if i > 0 {
			low = hunks[i-1].To
		}
		if i+1 < len(hunks) {
			high = hunks[i+1].From
		}
		var worst Objection
		for k, h := range diff.Slides(r.new.Lines, hunks[i], low, high) {
			o := r.judge(h)
			if r.lang.Unread && forms().isWhole(h) {
				o, byLayout = Objection{}, true
			} else if r.lang.Unread && o.Why == "" {
				o = forms().objects(h)
			}
			if o.Why == "" {
				if worst = o; h != hunks[i] {
					hunks[i] = h
					r.mark(hunks)
				}
				break
			}
			if k == 0 || strings.Contains(worst.Why, notWhole) {
				worst = o // the nesting is only wrong in most positions
			}
		}
		if worst.Why != "" {
			return worst
		}
	}
	if why := r.judgeWhole(hunks); why != "" && !(byLayout && forms().keepsOld(hunks)) {
		return SetAside(why)
	}
	if why := doublesEquality(r.lang, r.new); why != "" && doublesEquality(r.lang, r.old) == "" {
		return Refuse(why)
	}
	return Refuse(r.patchesImports(func(i int) bool { return r.added[i] }))
}

// mark notes which lines are added.
func (r *reading) mark(hunks []diff.Hunk) {
	clear(r.added)
	r.ownMacros = nil
	for _, h := range hunks {
		for i := h.From; i < h.To; i++ {
			r.added[i] = true
		}
	}
}

// reading is an old test file with additions, read.
type reading struct {
	lang     *lexer.Language
	path     string
	old, new *source.Text
	added    []bool             // which lines of new are not old
	fileUses func() source.Uses // of all old lines
	lineUses func() map[string][]use
	// ownMacros are those of [reading.macros], once they were asked for.
	ownMacros map[string][]string
}

func newReading(f *file, old, new []string) *reading {
	r := &reading{lang: f.lang, path: f.path, old: f.keep(old), new: f.read(new),
		added: make([]bool, len(new))}
	r.fileUses = sync.OnceValue(func() source.Uses {
		if f.lang.Name == "shell" {
			return source.UsesOf(strings.Split(source.WithoutDollars(strings.Join(r.old.Live, "")), "\n"))
		}
		return source.UsesOf(r.old.Code)
	})
	r.lineUses = sync.OnceValue(func() map[string][]use { return lineUses(r) })
	return r
}

// judge bounds one run of added lines: they neither join old ones nor keep tests
// from telling.
func (r *reading) judge(h diff.Hunk) Objection {
	for _, check := range []func(diff.Hunk) string{r.checkPlace, r.checkNesting, r.checkSeams,
		r.checkArguments} {
		if why := check(h); why != "" {
			return SetAside(why)
		}
	}
	for _, check := range []func(diff.Hunk) string{r.checkControl, r.checkPatterns, r.checkComments} {
		if why := check(h); why != "" {
			return Refuse(why)
		}
	}
	return r.checkNames(h)
}

// judgeWhole asks whether every old line is still read as it was: as code where
// it was code, in the same blocks, under the same conditions.
func (r *reading) judgeWhole(hunks []diff.Hunk) string {
	place := make([]int, 0, len(r.old.Lines)) // old line to new line
	n := 0
	ends := map[*source.Block]*source.Block{} // a new row, and the old one whose end it has
	for _, h := range hunks {
		if row, next := r.nextRow(h); row != nil {
			ends[next] = row
		}
		for n < h.From {
			place = append(place, n)
			n++
		}
		n = h.To
	}
	for ; n < len(r.new.Lines) && len(place) < len(r.old.Lines); n++ {
		place = append(place, n)
	}
	if len(place) != len(r.old.Lines) {
		return "The added lines could not be told from the old ones."
	}
	for i, n := range place {
		if string(r.old.Kinds(i)) != string(r.new.Kinds(n)) {
			return fmt.Sprintf("The added lines make something else of the old line %q "+
				"(a comment, a string or code).", diff.Shorten(diff.FirstWords(r.old.Lines[i:])))
		}
		if r.lang.Indent && r.new.Blank(n) {
			continue
		}
		at := r.new.Outline.At[n]
		for ends[at] != nil {
			at = ends[at]
		}
		if !sameBlock(r.old.Outline.At[i], at, place) ||
			!sameBlock(r.old.Outline.Cond[i], r.new.Outline.Cond[n], place) {
			return fmt.Sprintf("The added lines put the old line %q into another block.",
				diff.Shorten(diff.FirstWords(r.old.Lines[i:])))
		}
	}
	return ""
}

func sameBlock(old, new *source.Block, place []int) bool {
	if old == nil || new == nil {
		return old == nil && new == nil
	}
	return place[old.Line] == new.Line && old.Mark == new.Mark
}

// inside tells what added block, if any, holds line i of a hunk.
func (r *reading) inside(h diff.Hunk, i int) (inFunction, inLoop, inCondition, inHolder bool) {
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if b.Line < h.From || b.Line >= h.To {
			continue
		}
		switch b.Sort() {
		case source.Function:
			inFunction = inFunction || r.isFunction(b)
		case source.Loop:
			inLoop = true
		case source.Condition:
			inCondition = inCondition ||
				!source.Constant().MatchString(strings.TrimSpace(r.new.Code[b.Line]))
		case source.Container:
			inHolder = inHolder || source.HolderHeader().MatchString(b.Header)
			inFunction = inFunction || r.lang.Name == "swift" && b.Mark == "{" && (swiftLabel().MatchString(b.Header) ||
				closureHead().MatchString(strings.TrimRight(r.new.Code[b.Line], " \t\r\n")))
		}
	}
	return
}

// swiftLabel names an argument of Swift; a block behind it is a function.
var swiftLabel = pattern.Lazy(`^\w+:$`)

// functionWord is in the head of a function, in languages in which a head that ends
// with arguments may be that of another block.
var functionWord = map[string]func() *pattern.Pattern{
	"kotlin": pattern.Lazy(`\b(fun|def|constructor|init|get|set|object|void)\b`), // and Groovy
	"c": pattern.Lazy(`(^|[^\w\])\s]|\breturn)\s*\[[^\[\]]*\]\s*(\(|\{|<|$)|^[^(]*\boperator\b|` +
		`\)\s*(\w+\s*)*->\s*[\w:<>*&\s,]+\{?\s*$`),
	"php": pattern.Lazy(`\b(function|fn)\b`),
}

// isFunction tells a block that a return leaves alone. Kotlin's returns leave also the
// blocks that are handed over, and a macro of C's with a block is any statement.
func (r *reading) isFunction(b *source.Block) bool {
	word := functionWord[r.lang.Name]
	if word == nil || word().MatchString(b.Header) {
		return true
	}
	return r.lang.Name == "c" && (source.Method().MatchString(b.Header+" {") ||
		!slices.ContainsFunc(source.Chain(b), func(around *source.Block) bool {
			return around.Sort() == source.Function
		}))
}

// runsOnLoad tells a line that runs when the file is loaded, not only when it is
// started as a program.
func (r *reading) runsOnLoad(i int) bool {
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if strings.Contains(b.Header, "__name__") {
			return false
		}
	}
	return !r.inAnyFunction(i)
}

func (r *reading) inAnyFunction(i int) bool {
	for b := r.new.Outline.At[i]; b != nil; b = b.Parent {
		if b.Sort() == source.Function {
			return true
		}
	}
	return false
}
