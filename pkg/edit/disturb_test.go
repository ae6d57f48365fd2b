package edit_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A correct reply that something went wrong with on its way, or that its author
// wrote a little besides the form, gives the intended bytes or a refusal, and
// never other bytes.

// disturbance changes a case; false says that it has no hold on it.
type disturbance func(r *rand.Rand, c *replyCase) bool

var disturbances = map[string]disturbance{
	"end token on a fence":  onLast(isFenceEnd, func(r *rand.Rand, l string) string { return l + endTokens[r.IntN(len(endTokens))] }),
	"end token on a marker": onLine(isMarkerEnd, func(r *rand.Rand, l string) string { return l + endTokens[r.IntN(len(endTokens))] }),
	"end token at the end": func(r *rand.Rand, c *replyCase) bool {
		c.reply += endTokens[r.IntN(len(endTokens))] + "\n"
		return true
	},
	"end token before a fence":    onLast(isFenceEnd, func(r *rand.Rand, l string) string { return endTokens[r.IntN(len(endTokens))] + "\n" + l }),
	"talk behind a fence":         onLast(isFenceEnd, func(_ *rand.Rand, l string) string { return l + " This makes the tests pass." }),
	"a second divider":            onLine(isDivide, func(_ *rand.Rand, l string) string { return l + "\n" + l }),
	"a divider before the end":    onLine(isMarkerEnd, func(_ *rand.Rand, l string) string { return "=======\n" + l }),
	"start_line in the search":    onLine(isSearchStart, func(r *rand.Rand, l string) string { return fmt.Sprintf("%s\n:start_line:%d\n-------", l, 1+r.IntN(9)) }),
	"start_line in the replace":   onLine(isDivide, func(r *rand.Rand, l string) string { return fmt.Sprintf("%s\n:start_line:%d\n-------", l, 1+r.IntN(9)) }),
	"numbers in both halves":      inBlocks(true, true, numbered),
	"numbers in the search":       inBlocks(true, false, numbered),
	"numbers in the replacement":  inBlocks(false, true, numbered),
	"curly quotes":                inBlocks(true, true, each(strings.NewReplacer(`"`, "”", "'", "’").Replace)),
	"curly quotes in the search":  inBlocks(true, false, each(strings.NewReplacer(`"`, "“", "'", "‘").Replace)),
	"no-break blanks":             inBlocks(true, true, each(strings.NewReplacer(" ", "\u00a0").Replace)),
	"entities":                    inBlocks(true, true, each(strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;", `"`, "&quot;").Replace)),
	"entities in the replacement": inBlocks(false, true, each(strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;").Replace)),
	"dashes":                      inBlocks(true, true, each(dashed)),
	"numbers in a whole file":     inWhole(numbered),
	"curly quotes in a file":      inWhole(each(strings.NewReplacer(`"`, "”").Replace)),
	"entities in a file":          inWhole(each(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace)),
	"CDATA": inWhole(func(_ *rand.Rand, _ *replyCase, ls []string) []string {
		return slices.Concat([]string{"<![CDATA["}, ls, []string{"]]>"})
	}),
	"a placeholder":       inWhole(placeholder),
	"a fragment":          inWhole(slice),
	"a fence in the file": fenceInside,
	"another case":        onPath(func(_ *rand.Rand, p string) string { return swapCase(p) }),
	"a folder more":       onPath(func(_ *rand.Rand, p string) string { return "project/" + p }),
	"a folder less":       onPath(func(_ *rand.Rand, p string) string { _, rest, _ := strings.Cut(p, "/"); return rest }),
	"another folder": onPath(func(_ *rand.Rand, p string) string {
		_, rest, ok := strings.Cut(p, "/")
		return pathIf(ok, "other/"+rest)
	}),
	"an invisible character":     onPath(func(r *rand.Rand, p string) string { i := r.IntN(len(p)); return p[:i] + "\u200b" + p[i:] }),
	"an absolute path":           onPath(func(_ *rand.Rand, p string) string { return "/home/ann/project/" + p }),
	"a draft before":             draft("<think>", "</think>"),
	"a draft in brackets":        draft("[THINK]", "[/THINK]"),
	"a draft in a channel":       draft("<|channel|>analysis<|message|>", "<|end|>"),
	"no Begin":                   onLine(func(l string) bool { return l == "*** Begin Patch" }, func(*rand.Rand, string) string { return "Here:" }),
	"no End":                     onLine(func(l string) bool { return l == "*** End Patch" }, func(*rand.Rand, string) string { return "" }),
	"blank lines before the End": onLine(func(l string) bool { return l == "*** End Patch" }, func(_ *rand.Rand, l string) string { return "\n\n" + l }),
	"End of File":                onLine(func(l string) bool { return l == "*** End Patch" }, func(_ *rand.Rand, l string) string { return "*** End of File\n" + l }),
	"other line numbers":         uniqueOnly(onLine(isHunkHead, func(r *rand.Rand, _ string) string { return fmt.Sprintf("@@ -%d,3 +%d,3 @@", r.IntN(60), r.IntN(60)) })),
	"a sentence for the path":    onPathLine(func(p string) string { return "And here is the updated `" + p + "`:\n" }),
	"a sentence about the path":  onPathLine(func(p string) string { return "Then `x` has to be changed in `" + p + "`, since `y` wants it:\n" }),
	"a heading for the path":     onPathLine(func(p string) string { return "### 2. Fix " + p + "\n" }),
	"rails around the path":      onPathLine(func(p string) string { return "--- FILE: " + p + " ---" }),
	"an element for the path":    onPathLine(func(p string) string { return "<summary>" + p + "</summary>\n" }),
}

var endTokens = []string{"<|im_end|>", "</s>", "<｜end▁of▁sentence｜>", "<|eot_id|>", "<end_of_turn>", "<|return|>", " <|endoftext|>"}

// dashed typesets the hyphens of a line that is more than a rule.
func dashed(l string) string {
	if strings.Trim(l, "-") == "" {
		return l
	}
	return strings.ReplaceAll(l, "-", "–")
}

func isFenceEnd(l string) bool    { return l == "```" || l == "````" || l == "~~~" }
func isMarkerEnd(l string) bool   { return l == ">>>>>>> REPLACE" }
func isSearchStart(l string) bool { return l == "<<<<<<< SEARCH" }
func isDivide(l string) bool      { return l == "=======" }

var hunkHead = regexp.MustCompile(`^@@ -\d+,\d+ \+\d+,\d+ @@$`)

func isHunkHead(l string) bool { return hunkHead.MatchString(l) }

// uniqueOnly leaves out replies in which a line number chooses between places.
func uniqueOnly(d disturbance) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		return !strings.HasPrefix(c.title, "place_") && !strings.HasPrefix(c.title, "diff_") && d(r, c)
	}
}

// onLine changes one of the lines of a kind.
func onLine(is func(string) bool, change func(*rand.Rand, string) string) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		ls := strings.Split(c.reply, "\n")
		var at []int
		for i, l := range ls {
			if is(l) {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			return false
		}
		i := at[r.IntN(len(at))]
		ls[i] = change(r, ls[i])
		c.reply = strings.Join(ls, "\n")
		return true
	}
}

// onLast changes the last of them, if it closes something.
func onLast(is func(string) bool, change func(*rand.Rand, string) string) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		ls := strings.Split(c.reply, "\n")
		n := 0
		for _, l := range ls {
			if strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~") {
				n++
			}
		}
		i := len(ls) - 1
		for i > 0 && !strings.HasPrefix(ls[i], "```") && !strings.HasPrefix(ls[i], "~~~") {
			i--
		}
		if i == 0 || n%2 != 0 || !is(ls[i]) || strings.Contains(strings.Join(ls[i:], "\n"), "</") {
			return false
		}
		ls[i] = change(r, ls[i])
		c.reply = strings.Join(ls, "\n")
		return true
	}
}

type lines func(*rand.Rand, *replyCase, []string) []string

func each(change func(string) string) lines {
	return func(_ *rand.Rand, _ *replyCase, ls []string) []string {
		out := make([]string, len(ls))
		for i, l := range ls {
			out[i] = change(l)
		}
		return out
	}
}

func numbered(r *rand.Rand, c *replyCase, ls []string) []string {
	if c.form == "" {
		c.form = []string{"%d | %s", "%d: %s", "%6d\t%s", "%5d→%s", "%d|%s"}[r.IntN(5)]
	}
	n := max(c.at, 1)
	out := make([]string, len(ls))
	for i, l := range ls {
		out[i] = fmt.Sprintf(c.form, n+i, l)
	}
	return out
}

// inBlocks changes the halves of every search and replace block.
func inBlocks(search, replace bool, change lines) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		for p := range c.after {
			if c.before[p] == "" {
				return false // a new file may well hold such a thing
			}
		}
		ls := strings.Split(c.reply, "\n")
		var out, half []string
		where := 0
		found := false
		for _, l := range ls {
			end := where == 1 && isDivide(l) || where == 2 && isMarkerEnd(l)
			switch {
			case end:
				if where == 1 {
					if c.at = standsAt(*c, half); c.at == 0 {
						return false
					}
				}
				if len(half) > 0 && (where == 1 && search || where == 2 && replace) {
					found = true
					half = change(r, c, half)
				}
				out = append(append(out, half...), l)
				half, where = nil, (where+1)%3
			case where > 0:
				half = append(half, l)
			default:
				out = append(out, l)
				if isSearchStart(l) {
					where = 1
				}
			}
		}
		if where != 0 || !found {
			return false
		}
		c.reply = strings.Join(out, "\n")
		return true
	}
}

// standsAt is the line at which the first line of a search text stands.
func standsAt(c replyCase, half []string) int {
	for _, p := range slices.Sorted(maps.Keys(c.before)) {
		for i, l := range strings.Split(c.before[p], "\n") {
			if len(half) > 0 && strings.TrimSpace(half[0]) != "" && strings.TrimSpace(l) == strings.TrimSpace(half[0]) {
				return i + 1
			}
		}
	}
	return 0
}

// inWhole changes the content of a file that is given completely and was there.
func inWhole(change lines) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		for _, p := range slices.Sorted(maps.Keys(c.after)) {
			content := c.after[p]
			if c.before[p] == "" || strings.Count(c.reply, "\n"+content) != 1 || strings.Count(content, "\n") < 3 {
				continue
			}
			out := change(r, c, strings.Split(strings.TrimSuffix(content, "\n"), "\n"))
			if out == nil {
				continue
			}
			c.reply = strings.Replace(c.reply, "\n"+content, "\n"+strings.Join(out, "\n")+"\n", 1)
			return true
		}
		return false
	}
}

var placeholders = []string{"// ... rest unchanged", "# ... existing code ...", "/* remaining code unchanged */", "// (other functions stay the same)", "# keep the rest as it is", "<!-- unchanged -->", "// ...", "# Rest unverändert"}

// placeholder writes one for at least three lines.
func placeholder(r *rand.Rand, c *replyCase, ls []string) []string {
	if len(ls) < 8 {
		return nil
	}
	i := r.IntN(len(ls) - 5)
	j := i + 3 + r.IntN(len(ls)-i-3)
	if text := strings.TrimSpace(strings.Join(ls[i:j], "")); text == "" || solidLines(ls[i:j]) < 3 || !stands(*c, ls[i:j]) {
		return nil
	}
	return slices.Concat(ls[:i], []string{placeholders[r.IntN(len(placeholders))]}, ls[j:])
}

// stands reports whether lines stand in one of the files as they were.
func stands(c replyCase, ls []string) bool {
	for _, text := range c.before {
		if strings.Contains(text, strings.Join(ls, "\n")) {
			return true
		}
	}
	return false
}

// mostlyOld tells lines of which most stand in the files as they were.
func mostlyOld(c replyCase, ls []string) bool {
	n := 0
	for _, l := range ls {
		if strings.TrimSpace(l) != "" && stands(c, []string{l}) {
			n++
		}
	}
	return 2*n > solidLines(ls)
}

func solidLines(ls []string) int {
	n := 0
	for _, l := range ls {
		if strings.TrimSpace(l) != "" {
			n++
		}
	}
	return n
}

// slice leaves less than half of the lines, without the first and the last.
func slice(r *rand.Rand, c *replyCase, ls []string) []string {
	if solidLines(ls) < 10 {
		return nil
	}
	i := 1 + r.IntN(len(ls)/2)
	j := min(i+1+r.IntN(len(ls)/3), len(ls)-2)
	if j <= i || solidLines(ls[i:j]) == 0 || solidLines(ls[:i]) == 0 || solidLines(ls[j:]) < 2 || !mostlyOld(*c, ls[i:j]) {
		return nil
	}
	return ls[i:j]
}

// fenceInside puts lines with a bare fence around them into the content of a
// file, which is then meant to hold them.
func fenceInside(r *rand.Rand, c *replyCase) bool {
	for _, p := range slices.Sorted(maps.Keys(c.after)) {
		content := c.after[p]
		if strings.Count(c.reply, "\n"+content+"```") != 1 || strings.Contains(content, "```") {
			continue
		}
		ls := strings.SplitAfter(strings.TrimSuffix(content, "\n"), "\n")
		i := 1 + r.IntN(max(1, len(ls)-1))
		if i >= len(ls) {
			continue
		}
		text := strings.Join(ls[:i], "") + "\"\"\"\n```\nexample(1)\n```\n\"\"\"\n" + strings.Join(ls[i:], "") + "\n"
		c.reply = strings.Replace(c.reply, "\n"+content, "\n"+text, 1)
		c.after[p] = text
		return true
	}
	return false
}

// onPath changes the path of an edit of a file that was there, wherever it stands.
func onPath(change func(*rand.Rand, string) string) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		for _, p := range slices.Sorted(maps.Keys(c.after)) {
			if c.before[p] == "" || c.before[p] == c.after[p] || !strings.Contains(c.reply, p) || !versions(c.before[p], c.after[p]) {
				continue
			}
			other := change(r, p)
			if other == "" || other == p {
				continue
			}
			c.reply = strings.ReplaceAll(c.reply, p, other)
			return true
		}
		return false
	}
}

// onPathLine writes the line that names a file in another way.
func onPathLine(change func(string) string) disturbance {
	return func(r *rand.Rand, c *replyCase) bool {
		ls := strings.Split(c.reply, "\n")
		for i, l := range ls {
			if _, ok := c.after[l]; ok && i+2 < len(ls) && strings.HasPrefix(ls[i+1], "```") && !strings.Contains(ls[i+2], l) {
				ls[i] = change(l)
				c.reply = strings.Join(ls, "\n")
				return true
			}
		}
		return false
	}
}

// draft puts a first version of the reply between marks before it.
func draft(from, to string) disturbance {
	return func(_ *rand.Rand, c *replyCase) bool {
		for p := range c.after {
			c.reply = from + "\nFirst idea:\n\n" + p + "\n```\nnothing\n```\n\nNo.\n" + to + "\n" + c.reply
			return true
		}
		return false
	}
}

// versions tells texts that share most of their lines.
func versions(old, now string) bool {
	shared, all := 0, 0
	for _, l := range strings.Split(now, "\n") {
		if l = strings.TrimSpace(l); len(l) > 3 {
			all++
			if strings.Contains(old, l) {
				shared++
			}
		}
	}
	return shared >= 5 && 3*shared > 2*all
}

func swapCase(p string) string {
	i := strings.LastIndexByte(p, '/') + 1
	if up := strings.ToUpper(p[i : i+1]); up != p[i:i+1] {
		return p[:i] + up + p[i+1:]
	}
	return p[:i] + strings.ToLower(p[i:])
}

func pathIf(ok bool, p string) string {
	if ok {
		return p
	}
	return ""
}

// correct are the replies that are applied as they should be, in their order.
func correct(tb testing.TB) []replyCase {
	tb.Helper()
	all := loadReplies(tb)
	for _, half := range halves {
		maps.Copy(all, loadCases(tb, "testdata/models/"+half))
	}
	var out []replyCase
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := all[name]
		if c.refused == "" && len(c.problems) == 0 && !c.truncated && len(c.after) > 0 {
			if v, _ := judge(tb, c); v == appliedRight && !strings.Contains(name, "patch_file") && name != "num_csv_honest" {
				c.title = name
				out = append(out, c)
			}
		}
	}
	if len(out) < 200 {
		tb.Fatalf("found %d correct replies, want at least 200", len(out))
	}
	return out
}

// disturb makes a disturbance of a case.
func disturb(c replyCase, seed uint64, name string) (replyCase, bool) {
	c.after = maps.Clone(c.after)
	done := disturbances[name](rand.New(rand.NewPCG(seed, 1)), &c)
	return c, done
}

func TestDisturbed(t *testing.T) {
	t.Parallel()
	cases := correct(t)
	count := make(map[string]map[verdict]int)
	for _, c := range cases {
		for name := range disturbances {
			for seed := range uint64(2) {
				d, done := disturb(c, seed, name)
				if !done {
					continue
				}
				v, detail := judge(t, d)
				if count[name] == nil {
					count[name] = make(map[verdict]int)
				}
				count[name][v]++
				if v == wrongSilently {
					t.Errorf("%s with %s (seed %d): %s\n--- the reply:\n%s", c.title, name, seed, detail, d.reply)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(disturbances)) {
		t.Logf("%-30s right %4d, refused %4d, wrong in silence %d", name, count[name][appliedRight], count[name][refusedClear], count[name][wrongSilently])
		if len(count[name]) == 0 {
			t.Errorf("%s has a hold on no reply", name)
		}
	}
}

func FuzzDisturbed(f *testing.F) {
	cases := correct(f)
	names := slices.Sorted(maps.Keys(disturbances))
	for i := range uint64(len(names)) {
		f.Add(uint(i*7), uint(i), i)
	}
	f.Fuzz(func(t *testing.T, which, how uint, seed uint64) {
		c, name := cases[which%uint(len(cases))], names[how%uint(len(names))]
		d, done := disturb(c, seed, name)
		if v, detail := judge(t, d); done && v == wrongSilently {
			t.Errorf("%s with %s: %s\n--- the reply:\n%s", c.title, name, detail, d.reply)
		}
	})
}
