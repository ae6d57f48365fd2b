package guard

import (
	"fmt"
	"strings"
	"sync"
)

// text is a source file read by lines.
type text struct {
	lines      []string // as they are
	code, live []string // without comments and strings; without comments
	start      []int    // offset of each line
	source     source
	outline    outline
	bodies     map[string][]string // see functions
}

func readText(lang *language, lines []string) *text {
	t := &text{lines: lines, source: lex(lang, strings.Join(lines, ""))}
	t.code, t.live = splitLines(t.source.code()), splitLines(t.source.live())
	off := 0
	for _, line := range lines {
		t.start = append(t.start, off)
		off += len(line)
	}
	t.start = append(t.start, off)
	t.outline = outlineOf(lang, t.code)
	return t
}

// blank tells a line without code.
func (t *text) blank(i int) bool { return strings.TrimSpace(t.live[i]) == "" }

// kinds are the classes of the bytes of line i.
func (t *text) kinds(i int) []byte { return t.source.kind[t.start[i]:t.start[i+1]] }

// reading is an old test file with additions, read.
type reading struct {
	lang     *language
	path     string
	old, new *text
	added    []bool      // which lines of new are not old
	fileUses func() uses // of all old lines
}

func newReading(lang *language, p string, old, new []string) *reading {
	r := &reading{lang: lang, path: p, old: readText(lang, old), new: readText(lang, new), added: make([]bool, len(new))}
	r.fileUses = sync.OnceValue(func() uses {
		if lang.name == "shell" {
			return usesOf(strings.Split(withoutDollars(strings.Join(r.old.live, "")), "\n"))
		}
		return usesOf(r.old.code)
	})
	return r
}

// judge bounds one run of added lines: they neither join old ones nor keep tests
// from telling.
func (r *reading) judge(h hunk) objection {
	for _, check := range []func(hunk) string{r.checkPlace, r.checkNesting, r.checkSeams, r.checkArguments} {
		if why := check(h); why != "" {
			return setAside(why)
		}
	}
	for _, check := range []func(hunk) string{r.checkControl, r.checkPatterns, r.checkComments} {
		if why := check(h); why != "" {
			return refuse(why)
		}
	}
	return r.checkNames(h)
}

// judgeWhole asks whether every old line is still read as it was: as code where
// it was code, in the same blocks, under the same conditions.
func (r *reading) judgeWhole(hunks []hunk) string {
	place := make([]int, 0, len(r.old.lines)) // old line to new line
	n := 0
	for _, h := range hunks {
		for n < h.from {
			place = append(place, n)
			n++
		}
		n = h.to
	}
	for ; n < len(r.new.lines) && len(place) < len(r.old.lines); n++ {
		place = append(place, n)
	}
	if len(place) != len(r.old.lines) {
		return "The added lines could not be told from the old ones."
	}
	for i, n := range place {
		if string(r.old.kinds(i)) != string(r.new.kinds(n)) {
			return fmt.Sprintf("The added lines make something else of the old line %q (a comment, a string or code).", shorten(wordsIn(r.old.lines[i:])))
		}
		if r.lang.indent && r.new.blank(n) {
			continue
		}
		if !sameBlock(r.old.outline.at[i], r.new.outline.at[n], place) || !sameBlock(r.old.outline.cond[i], r.new.outline.cond[n], place) {
			return fmt.Sprintf("The added lines put the old line %q into another block.", shorten(wordsIn(r.old.lines[i:])))
		}
	}
	return ""
}

func sameBlock(old, new *block, place []int) bool {
	if old == nil || new == nil {
		return old == nil && new == nil
	}
	return place[old.line] == new.line && old.mark == new.mark
}

// checkPlace refuses additions inside an old string.
func (r *reading) checkPlace(h hunk) string {
	if r.inEachTable(h.from) || r.lang.name == "python" && r.new.inDocstring(h.from) {
		return ""
	}
	at := r.new.start[h.from]
	kind := r.new.source.kind
	if at > 0 && at < len(kind) && kind[at-1] == inString || at < len(kind) && kind[at] == inString {
		return fmt.Sprintf("The line %q is added inside an old string of the test.", shorten(wordsIn(r.new.lines[h.from:h.to])))
	}
	return ""
}

// inEachTable tells a row of a table of cases written as a tagged template, or as
// a text block.
func (r *reading) inEachTable(i int) bool {
	if r.lang.name == "java" || r.lang.name == "kotlin" {
		return r.inTextBlock(i)
	}
	if r.lang.name != "js" {
		return false
	}
	for k := i - 1; k >= 0 && k > i-200; k-- {
		line := strings.TrimRight(r.new.lines[k], " \t\r\n")
		if strings.HasSuffix(line, ".each`") {
			return strings.Contains(r.new.lines[i], "|") || strings.Contains(r.new.lines[i], "${")
		}
		if strings.Contains(line, "`") {
			return false
		}
	}
	return false
}

const notWhole = "do not form a whole of their own"

// checkNesting wants added lines to close what they open, and nothing else.
func (r *reading) checkNesting(h hunk) string {
	o := r.new.outline
	bad := fmt.Sprintf("The lines from %q "+notWhole+": they open or close a block of old lines.", shorten(wordsIn(r.new.lines[h.from:h.to])))
	if o.cond[h.from] != o.cond[h.to] {
		return bad
	}
	if r.closesOld(h) {
		return bad
	}
	if r.lang.indent {
		next := h.to // the indentation of a blank line says nothing
		for next < len(r.new.lines) && (r.new.blank(next) || r.added[next]) {
			next++
		}
		for b := o.at[next]; b != nil; b = b.parent {
			if b.line >= h.from && b.line < h.to {
				return bad
			}
		}
		return ""
	}
	for i := h.from; i <= h.to; i++ {
		if !within(o.at[i], o.at[h.from]) || !within(o.cond[i], o.cond[h.from]) {
			return bad
		}
	}
	if o.at[h.from] != o.at[h.to] {
		return bad
	}
	return ""
}

// closesOld tells lines that close what they do not open, as those of a change of
// which the other half was set aside.
func (r *reading) closesOld(h hunk) bool {
	depth, conditions := map[string]int{}, 0
	for i := h.from; i < h.to; i++ {
		code := r.new.code[i]
		switch word := directive(code); {
		case !r.lang.conditions:
		case strings.HasPrefix(word, "if"):
			conditions++
		case word == "endif":
			conditions--
		}
		for _, c := range []byte(code) {
			switch c {
			case '(', '[', '{':
				depth[string(c)]++
			case ')', ']', '}':
				if open := closers[c]; r.lang.name != "shell" || open == "{" {
					depth[open]--
				}
			}
		}
		for _, step := range wordMarks(r.lang, code) {
			depth["do"] += step
		}
		if depth["("] < 0 || depth["["] < 0 || depth["{"] < 0 || depth["do"] < 0 || conditions < 0 {
			return true
		}
	}
	return false
}

// wordMarks are the worded blocks of a line, in a language that has them.
func wordMarks(lang *language, code string) map[int]int {
	if !lang.ends {
		return nil
	}
	return wordBlocks(lang, code)
}

// around gives the nearest lines with code before and after line positions, -1
// where there is none.
func (t *text) around(from, to int) (before, after int) {
	before, after = -1, -1
	for i := from - 1; i >= 0 && before < 0; i-- {
		if !t.blank(i) {
			before = i
		}
	}
	for i := to; i < len(t.lines) && after < 0; i++ {
		if !t.blank(i) {
			after = i
		}
	}
	return before, after
}

var (
	unfinished = lazy(`(\\|&&|\|\||[^+]\+|[^-]-|[*/%^&|=<?.!~@]|[^:]:|=>|->|<<|\b(and|or|not|in|is|if|else|elif|return|typeof|void|await|new|throw|case|lambda|then|unless|and then|assert|import|from))\s*$`)
	joining    = lazy(`^\s*(\.[^.\d]|\?\.|&&|\|\||\?|[+*/%^=<>]|->|=>|\|>|<>|\+\+ |::|else\b|elif\b|elsif\b|catch\b|except\b|finally\b|rescue\b|ensure\b|when\b|and\b|or\b|then\b|until\b|where\b|(instanceof|as|in|is|after)(\s*$|\s*[^\w\s(]|\s+[^\s]))`)
	annotation = lazy(`^\s*(@[\w.:]+\s*(\(.*\)?)?\s*$|#\[.*|@(tag|doc|describetag|moduletag|spec)\b.*|\[\w[\w.]*(\(.*\)?)?(,.*)?\]\s*$|template\s*<.*>\s*$|\[\[.*\]\]\s*$)`)
	// forCompiler are annotations that change nothing of what runs.
	forCompiler = lazy(`^\s*@(SuppressWarnings|Suppress|SafeVarargs|Override|Deprecated|OptIn)\b`)
	braceless   = lazy(`^\s*(\}\s*)?(if|for|while|else if|foreach|switch|using|lock|with)\b.*\)\s*$|^\s*(\}\s*)?(else|do)\s*$`)
	separated   = lazy(`[,;({\[|]\s*$`)
	closing     = lazy(`^\s*(\)|\]|\}|end\b)`)
)

// checkSeams looks at where added lines meet old ones: neither may continue the
// other, or the old statement is no longer what it was.
func (r *reading) checkSeams(h hunk) string {
	t := r.new
	before, first := t.around(h.from, h.from)
	last, after := t.around(h.to, h.to)
	if first < 0 || first >= h.to {
		return "" // blank lines and comments
	}
	joined := func(i int) string {
		return fmt.Sprintf("The added line %q becomes part of an old statement.", shorten(t.lines[i]))
	}
	if r.addsRows(h, before, after) {
		return ""
	}
	list := false
	if b := t.outline.at[h.from]; b != nil && (b.mark == "(" || b.mark == "[") && !isGoGroup(b) {
		list = true
	}
	if before >= 0 && (r.open(before, list) || joining().MatchString(t.code[first]) && !r.lang.indent && !list) {
		return joined(first)
	}
	if r.lang.indent && joining().MatchString(t.code[first]) && regexpClause().MatchString(t.code[first]) {
		return joined(first)
	}
	if after < 0 {
		return ""
	}
	if r.open(last, list && !closing().MatchString(t.code[after])) {
		return joined(last)
	}
	if joining().MatchString(t.code[after]) && !(list && separated().MatchString(t.code[last])) || strings.HasPrefix(strings.TrimSpace(t.code[after]), "{") && !list && !separated().MatchString(strings.TrimRight(t.code[last], "\r\n")) && !closing().MatchString(t.code[last]) {
		return joined(last)
	}
	return ""
}

var regexpClause = lazy(`^\s*(else|elif|except|finally)\b`)

// open tells whether what line i ends goes on in the next line.
func (r *reading) open(i int, list bool) bool {
	t := r.new
	line := strings.TrimRight(t.code[i], " \t\r\n")
	if list {
		return !separated().MatchString(line)
	}
	if closing().MatchString(line) { // the end of a statement over several lines
		if b := t.outline.at[i]; b != nil && b.line < i {
			head := strings.TrimRight(t.code[b.line], " \t\r\n")
			if annotation().MatchString(head) && strings.HasPrefix(strings.TrimSpace(head), "@") || strings.HasPrefix(strings.TrimSpace(head), "#[") {
				return true
			}
		}
	}
	if r.lang.name == "python" && strings.HasPrefix(strings.TrimSpace(line), "@") {
		return true // a decorator, whatever expression it is
	}
	if forCompiler().MatchString(line) {
		return false
	}
	if annotation().MatchString(line) && !strings.HasPrefix(strings.TrimSpace(line), "#![") {
		if s := strings.TrimSpace(line); !strings.HasPrefix(s, "#[") || strings.HasSuffix(s, "]") || strings.HasSuffix(s, "(") {
			return true
		}
	}
	if !r.lang.indent && !r.lang.ends && r.lang.name != "go" && braceless().MatchString(line) {
		return true
	}
	if r.lang.indent && strings.HasSuffix(line, ":") || labelEnd().MatchString(line) {
		return false
	}
	if strings.HasSuffix(line, "++") || strings.HasSuffix(line, "--") || r.lang.ends && strings.HasSuffix(line, "?") || r.lang.name == "swift" && strings.HasSuffix(line, "!") || r.lang.ends && strings.HasSuffix(line, "!") {
		return false
	}
	if r.lang.indent && strings.HasSuffix(line, "...") {
		return false
	}
	if strings.HasPrefix(strings.TrimSpace(line), "#") && r.lang.conditions && !strings.HasSuffix(line, `\`) {
		return false
	}
	if r.lang.name == "shell" && !strings.HasSuffix(line, `\`) && !strings.HasSuffix(line, "|") && !strings.HasSuffix(line, "&&") {
		return false
	}
	return unfinished().MatchString(line)
}

var labelEnd = lazy(`^\s*(case\b.*|default|public|private|protected)\s*:\s*$`)

var (
	assertCall = lazy(`(?i)(assert|expect|should|require|verify|refute|equals?|raises|approx|must|check)[\w.!]*$`)
	wanted     = lazy(`(?i)\b(want|wanted|expect|expected|golden|desired)(_?\w*)\s*(:=|=|:)\s*`)
	key        = lazy(`^\s*(['"]?[\w-]+['"]?)\s*(:[^:]|=>)`)
)

// checkArguments refuses what would be a further argument of an old assertion, a
// further element of what an old test expects, or a key that stood before.
func (r *reading) checkArguments(h hunk) string {
	t := r.new
	b := t.outline.at[h.from]
	_, first := t.around(h.from, h.from)
	if b == nil || first < 0 || first >= h.to {
		return ""
	}
	changed := fmt.Sprintf("The added line %q changes a value of an old test.", shorten(t.lines[first]))
	for in := b; in != nil && in.sort() == container && in.mark != ":"; in = in.parent {
		if in.mark == "(" && assertCall().MatchString(in.header) {
			return changed
		}
	}
	if b.mark != "(" && b.sort() == container && wanted().MatchString(b.header) && !strings.Contains(b.header, "struct") {
		if in := strings.TrimSpace(t.code[first]); !strings.HasPrefix(in, "{") && !strings.HasPrefix(in, "(") && !strings.HasPrefix(in, "[") {
			return changed
		}
	}
	if b.mark != "{" || b.sort() != container {
		return ""
	}
	before := map[string]bool{}
	for i := range t.lines {
		if (i < h.from || i >= h.to) && t.outline.at[i] == b {
			if m := key().FindStringSubmatch(t.live[i]); m != nil {
				before[strings.Trim(m[1], `'"`)] = true
			}
		}
	}
	for i := h.from; i < h.to; i++ {
		if m := key().FindStringSubmatch(t.live[i]); m != nil && t.outline.at[i] == b && before[strings.Trim(m[1], `'"`)] {
			return changed
		}
	}
	return ""
}

// inside tells what added block, if any, holds line i of a hunk.
func (r *reading) inside(h hunk, i int) (inFunction, inLoop, inCondition, inHolder bool) {
	for b := r.new.outline.at[i]; b != nil; b = b.parent {
		if b.line < h.from || b.line >= h.to {
			continue
		}
		switch b.sort() {
		case function:
			inFunction = true
		case loop:
			inLoop = true
		case condition:
			inCondition = inCondition || !constant().MatchString(strings.TrimSpace(r.new.code[b.line]))
		case container:
			inHolder = inHolder || holderHeader().MatchString(b.header)
		}
	}
	return
}

var (
	leaving  = lazy(`(^|[^\w.$@:'])(return|goto|yield|co_return|exit|next|redo|retry|throw :\w+)\b(?:[^\w:=(.]|$|\()`)
	throwing = lazy(`^\s*(raise|throw)\b`)
	skipping = lazy(`(^|[^\w.$@:'])(break|continue|fallthrough)\b`)
	opening  = lazy(`\bfunc\b|=>|->|\bfn\b|\bfunction\b|\blambda\b|\|[\w, ]*\||\bdef\b|\w\s*\([^()]*\)\s*\{|\bfun\b`)
)

// checkControl refuses a jump out of old code, or past it.
func (r *reading) checkControl(h hunk) string {
	for i := h.from; i < h.to; i++ {
		inFunction, inLoop, inCondition, _ := r.inside(h, i)
		if inFunction {
			continue
		}
		line := r.new.code[i]
		if !inCondition && throwing().MatchString(line) && r.inAnyFunction(i) {
			return fmt.Sprintf("The added line %q leaves an old test early.", shorten(r.new.lines[i]))
		}
		for k, re := range []*pattern{leaving(), skipping()} {
			m := re.FindStringSubmatchIndex(line)
			if m == nil || k == 1 && (inLoop || inCondition && r.inSwitch(h, i)) {
				continue
			}
			word := line[m[4]:m[5]]
			if opening().MatchString(line[:m[4]]) && !strings.HasPrefix(strings.TrimSpace(line), "if") || r.isWordOnly(word, line, m) {
				continue
			}
			return fmt.Sprintf("The added line %q leaves an old test early.", shorten(r.new.lines[i]))
		}
	}
	return ""
}

var failing = lazy(`^(exit|return)\s+([1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\b`)

// isWordOnly tells words that jump in some languages and are names in others.
func (r *reading) isWordOnly(word, line string, m []int) bool {
	if r.lang.name == "shell" && failing().MatchString(line[m[4]:]) {
		return true // it fails, and lets nothing pass
	}
	switch word {
	case "next", "redo", "retry":
		return r.lang.name != "ruby" || strings.TrimSpace(line[:m[4]]) != "" && !strings.HasPrefix(strings.TrimSpace(line[m[5]:]), "if")
	case "exit":
		return r.lang.name != "ruby" && r.lang.name != "shell" || strings.TrimSpace(line[:m[4]]) != ""
	case "yield":
		return r.lang.name != "python" && r.lang.name != "js"
	}
	return false
}

func (r *reading) inSwitch(h hunk, i int) bool {
	for b := r.new.outline.at[i]; b != nil && b.line >= h.from; b = b.parent {
		if strings.HasPrefix(b.header, "switch") || strings.HasPrefix(b.header, "select") || strings.HasPrefix(b.header, "case") {
			return true
		}
	}
	return false
}

// checkPatterns looks for known ways to weaken tests.
func (r *reading) checkPatterns(h hunk) string {
	for i := h.from; i < h.to; i++ {
		inFunction, _, inCondition, inHolder := r.inside(h, i)
		where := spot{old: true, bare: !inFunction && !inHolder, conditional: inCondition && inFunction, top: r.runsOnLoad(i), child: !(!inFunction && !inHolder) && inChild(r.new, i)}
		if why := weakening(r.lang, r.new.code[i], r.new.live[i], where); why != "" {
			return fmt.Sprintf("The added line %q %s.", shorten(r.new.lines[i]), why)
		}
		if inFunction || inHolder {
			continue
		}
		if _, after := r.new.around(h.to, h.to); after >= 0 && h.at < len(r.old.lines) && standIn().MatchString(r.new.code[i]) && r.inAnyFunction(i) {
			return fmt.Sprintf("The added line %q replaces something for old lines of the test.", shorten(r.new.lines[i]))
		}
	}
	return ""
}

// standIn are ways to put a double in the place of what old lines use.
var standIn = lazy(`\b(spyOn|mockReturn\w*|mockImpl\w*|mockResolved\w*|monkeypatch|setattr|patch|stub\w*|doReturn|useFakeTimers|and_return|allow_any_instance_of|Setenv|setenv|putenv|mock\.\w+)\b\s*[.(]|\bpatch(\.object)?\(`)

// runsOnLoad tells a line that runs when the file is loaded, not only when it is
// started as a program.
func (r *reading) runsOnLoad(i int) bool {
	for b := r.new.outline.at[i]; b != nil; b = b.parent {
		if strings.Contains(b.header, "__name__") {
			return false
		}
	}
	return !r.inAnyFunction(i)
}

func (r *reading) inAnyFunction(i int) bool {
	for b := r.new.outline.at[i]; b != nil; b = b.parent {
		if b.sort() == function {
			return true
		}
	}
	return false
}
