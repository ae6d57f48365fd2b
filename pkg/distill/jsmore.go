package distill

import "strings"

var (
	reBunFail  = lazy(`^\((fail)\) (.+?)(?: \[[\d.]+m?s\])?$`)
	reBunFail2 = lazy(`^✗ (.+?)(?: \[[\d.]+m?s\])?$`)
	reBunCount = lazy(`^ ?(\d+) (pass|fail|skip|todo|expect\(\) calls|errors?)$`)
	reBunFile  = lazy(`^(\S+\.(?:[cm]?[jt]sx?)):$`)
)

// readBun reads bun test: the error stands above the line with the name.
func readBun(d *doc, f *found) {
	bun := false
	n := map[string]int{}
	file := ""
	var above []string
	for i := range d.lines {
		l := &d.lines[i]
		s := l.s
		switch {
		case l.used:
			above = nil
		case strings.HasPrefix(s, "bun test v"):
			bun = true
			f.saw("bun test")
		case !bun:
		case strings.HasPrefix(s, "(fail) ") || strings.HasPrefix(s, "✗ "):
			name := ""
			if m := reBunFail().FindStringSubmatch(s); m != nil {
				name = m[2]
			} else if m := reBunFail2().FindStringSubmatch(s); m != nil {
				name = m[1]
			}
			x := Failure{Test: name, Kind: KindTest, runner: "bun test"}
			jsBlock(&x, codeFrames(above))
			x.Message = strings.TrimPrefix(x.Message, "error: ")
			x.weak = x.Message == ""
			f.placeOf(&x)
			if x.File == "" {
				x.File = file
			}
			f.fail(x)
			above = nil
			l.used = true
		case strings.HasPrefix(s, "(pass) ") || strings.HasPrefix(s, "✓ ") || strings.HasPrefix(s, "(skip) ") || strings.HasPrefix(s, "(todo) "):
			above = nil
			l.used = true
		case s != "" && (s[0] == ' ' || s[0] >= '0' && s[0] <= '9') && reBunCount().MatchString(s):
			m := reBunCount().FindStringSubmatch(s)
			n[m[2]] += atoi(m[1])
			l.used = true
		case strings.HasPrefix(s, "Ran ") && strings.Contains(s, " tests across "):
			f.format = "bun test"
			f.total(n["pass"], n["fail"]+n["error"]*0, n["skip"])
			n = map[string]int{}
		case reBunFile().MatchString(s):
			file = strings.TrimSuffix(s, ":")
			above = nil
		default:
			if len(above) < 500 {
				above = append(above, s)
			}
		}
	}
	if bun && len(above) > 0 && len(f.failures) == 0 {
		bunLoose(f, above, file)
	}
}

// bunLoose reports an error between tests, such as a module that is not found.
func bunLoose(f *found, lines []string, file string) {
	for i, s := range lines {
		if strings.HasPrefix(s, "error: ") || jsErrorHead(s) {
			x := Failure{Kind: KindLoad, Test: file, runner: "bun test"}
			jsBlock(&x, lines[i:])
			f.placeOf(&x)
			f.fail(x)
			return
		}
	}
}

var (
	reDenoHead  = lazy(`^(.+?) => ((?:file://)?\S+?):(\d+):(\d+)$`)
	reDenoTotal = lazy(`^(?:ok|FAILED) \| (\d+) passed(?: \(\d+ steps?\))? \| (\d+) failed(?: \(\d+ steps?\))?(?: \| (\d+) ignored)?`)
)

// readDeno reads deno test.
func readDeno(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if m := reDenoTotal().FindStringSubmatch(l.s); m != nil {
			l.used = true
			f.format = "deno test"
			f.total(atoi(m[1]), atoi(m[2]), atoi(m[3]))
			continue
		}
		if !strings.Contains(l.s, " => ") || i+1 >= len(d.lines) || !strings.HasPrefix(d.lines[i+1].s, "error: ") {
			continue
		}
		m := reDenoHead().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		var lines []string
		l.used = true
		j := i + 1
		for ; j < len(d.lines); j++ {
			s := d.lines[j].s
			if strings.HasPrefix(s, " FAILURES") || reDenoHead().MatchString(s) || strings.HasPrefix(s, "FAILED |") {
				break
			}
			d.lines[j].used = true
			lines = append(lines, s)
		}
		x := Failure{Test: strings.ReplaceAll(m[1], " ... ", " > "), Kind: KindTest, runner: "deno test"}
		jsBlock(&x, lines)
		x.Message = strings.TrimPrefix(x.Message, "error: ")
		f.placeOf(&x)
		if x.File == "" {
			x.File, x.Line, x.Column = m[2], atoi(m[3]), atoi(m[4])
		}
		f.format = "deno test"
		f.fail(x)
		i = j - 1
	}
}

var (
	rePlayHead  = lazy(`^ +(\d+)\) (?:(\[[^\]]+\]) › )?(\S+\.\w+):(\d+):(\d+) › (.+?)(?: [─━]+)?$`)
	rePlayCount = lazy(`^ +(\d+) (failed|passed|skipped|flaky|interrupted|did not run)(?: \([^)]*\))?$`)
	rePlayRun   = lazy(`^Running \d+ tests? using \d+ workers?`)
)

// readPlaywright reads Playwright's list, line and dot reporters.
func readPlaywright(d *doc, f *found) {
	n := map[string]int{}
	play := false
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		switch {
		case strings.HasPrefix(l.s, "Running "):
			if rePlayRun().MatchString(l.s) {
				play = true
				f.saw("playwright")
			}
		case l.s[0] != ' ':
		case strings.Contains(l.s, " › "):
			if m := rePlayHead().FindStringSubmatch(l.s); m != nil {
				play = true
				i = playBlock(d, f, i, m) - 1
			}
		case play:
			if m := rePlayCount().FindStringSubmatch(l.s); m != nil {
				n[m[2]] += atoi(m[1])
				l.used = true
			}
		}
	}
	if play {
		playNames(d, f)
	}
	if play && len(n) > 0 {
		f.format = "playwright"
		f.total(n["passed"]+n["flaky"], n["failed"]+n["interrupted"], n["skipped"])
	}
}

// playNames takes the steps off the names: a failure's head gives the test and
// the step in it, the list at the end the test alone.
func playNames(d *doc, f *found) {
	listed := map[string]bool{}
	for i := range d.lines {
		if m := rePlayItem().FindStringSubmatch(d.lines[i].s); m != nil && len(d.lines[i].s) < 1000 {
			listed[nameKey(m[1])] = true
		}
	}
	for i := range f.failures {
		x := &f.failures[i]
		if x.runner != "playwright" || listed[nameKey(x.Test)] {
			continue
		}
		for name := x.Test; ; {
			k := strings.LastIndex(name, " > ")
			if k < 0 {
				break
			}
			if name = name[:k]; listed[nameKey(name)] {
				x.Test = name
				break
			}
		}
	}
}

var rePlayItem = lazy(`^ {2,}(?:[✘✖x×] +\d+ )?(?:\[[^\]]+\] › )?\S+\.\w+:\d+:\d+ › (.+?)(?: [─━]+| \([\d.]+m?s\)| \(retry #\d+\))*$`)

func playBlock(d *doc, f *found, i int, m []string) int {
	var lines []string
	d.lines[i].used = true
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s != "" && !strings.HasPrefix(s, "    ") {
			break
		}
		d.lines[j].used = true
		if strings.Contains(s, "Retry #1") || strings.Contains(s, "attachment #") {
			for j++; j < len(d.lines) && (d.lines[j].s == "" || strings.HasPrefix(d.lines[j].s, "    ")); j++ {
				d.lines[j].used = true
			}
			break
		}
		lines = append(lines, s)
	}
	x := Failure{Test: strings.Join(strings.Split(m[6], " › "), " > "), Kind: KindTest, runner: "playwright"}
	jsBlock(&x, lines)
	f.placeOf(&x)
	if x.File == "" {
		x.File, x.Line, x.Column = m[3], atoi(m[4]), atoi(m[5])
	}
	if strings.HasPrefix(x.Message, "Test timeout of") {
		x.Kind = KindTimeout
	}
	f.fail(x)
	return j
}

var reAvaCount = lazy(`^\s+(\d+) (tests? passed|tests? failed|tests? skipped|tests? todo|uncaught exceptions?|unhandled rejections?|known failures?|previous failures?|hooks? failed)`)

// readAva reads ava's default reporter: failures stand between rules.
func readAva(d *doc, f *found) {
	n := map[string]int{}
	ticks := 0
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" || l.s[0] != ' ' {
			continue
		}
		if strings.HasPrefix(l.s, "  ✔ ") {
			ticks++
		}
		if strings.TrimSpace(l.s) == "─" {
			i = avaBlocks(d, f, i)
			continue
		}
		if m := reAvaCount().FindStringSubmatch(l.s); m != nil {
			n[strings.Replace(strings.TrimSuffix(m[2], "s"), "tests ", "test ", 1)] += atoi(m[1])
			l.used = true
		}
	}
	if len(n) > 0 {
		f.format = "ava"
		if _, told := n["test passed"]; !told { // only where all passed
			n["test passed"] = ticks
		}
		f.total(n["test passed"], n["test failed"]+n["uncaught exception"]+n["hook failed"], n["test skipped"])
	}
}

// avaBlocks reads from one rule to the next.
func avaBlocks(d *doc, f *found, i int) int {
	j := i + 1
	for ; j < len(d.lines) && strings.TrimSpace(d.lines[j].s) != "─"; j++ {
	}
	if j == len(d.lines) {
		return i
	}
	// Several failures stand between two rules, three blank lines apart.
	var lines []string
	blank := 0
	for k := i + 1; k < j; k++ {
		s := d.lines[k].s
		d.lines[k].used = true
		if s == "" {
			if blank++; blank == 3 {
				avaFailure(f, lines)
				lines = nil
			}
		} else {
			blank = 0
		}
		lines = append(lines, s)
	}
	avaFailure(f, lines)
	return j - 1
}

func avaFailure(f *found, lines []string) {
	body := trimBlock(lines)
	if len(body) == 0 {
		return
	}
	x := Failure{Test: strings.Join(strings.Split(body[0], " › "), " > "), Kind: KindTest, runner: "ava"}
	if strings.HasPrefix(body[0], "Uncaught exception in ") || strings.HasPrefix(body[0], "Unhandled rejection in ") {
		x.Test, x.Kind = body[0][strings.Index(body[0], " in ")+4:], KindLoad
	}
	for _, s := range body[1:] {
		t := strings.TrimSpace(s)
		if g, ok := cutPlace(strings.TrimPrefix(t, "file://"), f.root); ok && g.text == "" && x.File == "" {
			x.File, x.Line = g.file, g.line
			continue
		}
		if t, ok := strings.CutPrefix(t, "› "); ok {
			if fr, ok := parseFrame("at " + t); ok {
				x.Frames = append(x.Frames, fr)
			}
			continue
		}
		if !reAvaSource().MatchString(s) {
			x.detail = append(x.detail, s)
		}
	}
	x.detail = trimBlock(x.detail)
	for i, s := range x.detail {
		x.detail[i] = strings.ReplaceAll(s, `\'`, "'")
	}
	if len(x.detail) > 0 {
		x.Message, x.detail = strings.TrimSpace(x.detail[0]), x.detail[1:]
	}
	f.format = "ava"
	f.placeOf(&x)
	f.fail(x)
}

var reAvaSource = lazy(`^\s*\d+: `)

// jsErrorHead tells the first line of an error as JavaScript prints it.
func jsErrorHead(s string) bool {
	t := strings.TrimSpace(s)
	i := strings.Index(t, ":")
	name := t
	if i > 0 {
		name = t[:i]
	}
	if j := strings.IndexByte(name, ' '); j > 0 && strings.HasPrefix(name[j:], " [") { // AssertionError [ERR_ASSERTION]
		name = name[:j]
	}
	name = strings.TrimPrefix(name, "Uncaught ")
	return (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")) && !strings.ContainsAny(name, " \t/(") && i > 0
}
