package guard

import (
	"fmt"
	"strings"
)

// judgeOldTest bounds what may be added to a test file that stood before.
func judgeOldTest(lang *language, p, before, after string) string {
	old, new := splitLines(before), splitLines(after)
	ways, lost := additions(old, new)
	if ways == nil {
		return fmt.Sprintf("The test file stood before; whole new lines may be added, but this line was changed or removed: %q.", shorten(lost))
	}
	if lang == nil {
		return ""
	}
	r := newReading(lang, p, old, new)
	reason := ""
	for i, hunks := range ways {
		why := r.judgeWay(hunks)
		if why == "" {
			return ""
		}
		if i == 0 || strings.Contains(reason, notWhole) {
			reason = why
		}
	}
	return reason
}

// judgeWay judges one way in which the added lines can be told from the old. The
// text is the same in every way, so one that nothing speaks against is enough.
func (r *reading) judgeWay(hunks []hunk) string {
	r.mark(hunks)
	for i := range hunks {
		low, high := 0, len(r.new.lines)
		if i > 0 {
			low = hunks[i-1].to
		}
		if i+1 < len(hunks) {
			high = hunks[i+1].from
		}
		reason := ""
		for k, h := range slides(r.new.lines, hunks[i], low, high) {
			why := r.judge(h)
			if why == "" {
				hunks[i], reason = h, ""
				r.mark(hunks)
				break
			}
			if k == 0 || strings.Contains(reason, notWhole) {
				reason = why // the nesting is only wrong in most positions
			}
		}
		if reason != "" {
			return reason
		}
	}
	if why := r.judgeWhole(hunks); why != "" {
		return why
	}
	if why := doublesEquality(r.lang, r.new); why != "" && doublesEquality(r.lang, r.old) == "" {
		return why
	}
	return r.patchesImports(func(i int) bool { return r.added[i] })
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

// shorten makes a line fit for a message.
func shorten(line string) string {
	line = strings.TrimSpace(line)
	if len(line) > 80 {
		line = strings.ToValidUTF8(line[:80], "") + "…"
	}
	return line
}
