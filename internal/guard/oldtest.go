package guard

import (
	"strings"
)

// judgeAdditions bounds what may be added to a test file that stood before.
func judgeAdditions(lang *language, p string, old, new []string) objection {
	o, _ := newReading(lang, p, old, new).judgeAll()
	return o
}

// judgeAll tells also how the additions are best told from the old lines.
func (r *reading) judgeAll() (objection, []hunk) {
	ways, lost := additions(r.old.lines, r.new.lines)
	if ways == nil {
		return setAside(changedLine([]string{lost}, lineEdit{to: 1})), nil
	}
	var first objection
	for i, hunks := range ways {
		o := r.judgeWay(hunks)
		if o.why == "" {
			return o, hunks
		}
		if i == 0 || strings.Contains(first.why, notWhole) {
			first = o
		}
	}
	return first, nil
}

// judgeWay judges one way in which the added lines can be told from the old. The
// text is the same in every way, so one that nothing speaks against is enough.
func (r *reading) judgeWay(hunks []hunk) objection {
	r.mark(hunks)
	for i := range hunks {
		low, high := 0, len(r.new.lines)
		if i > 0 {
			low = hunks[i-1].to
		}
		if i+1 < len(hunks) {
			high = hunks[i+1].from
		}
		var worst objection
		for k, h := range slides(r.new.lines, hunks[i], low, high) {
			o := r.judge(h)
			if o.why == "" {
				hunks[i], worst = h, o
				r.mark(hunks)
				break
			}
			if k == 0 || strings.Contains(worst.why, notWhole) {
				worst = o // the nesting is only wrong in most positions
			}
		}
		if worst.why != "" {
			return worst
		}
	}
	if why := r.judgeWhole(hunks); why != "" {
		return setAside(why)
	}
	if why := doublesEquality(r.lang, r.new); why != "" && doublesEquality(r.lang, r.old) == "" {
		return refuse(why)
	}
	return refuse(r.patchesImports(func(i int) bool { return r.added[i] }))
}

// mark notes which lines are added.
func (r *reading) mark(hunks []hunk) {
	clear(r.added)
	for _, h := range hunks {
		for i := h.from; i < h.to; i++ {
			r.added[i] = true
		}
	}
}

// wordsIn gives the first line that says something.
func wordsIn(lines []string) string {
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			return line
		}
	}
	return "a blank line"
}

// shorten makes a line fit for a message.
func shorten(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > 80 {
		line = strings.ToValidUTF8(line[:80], "") + "…"
	}
	return line
}
