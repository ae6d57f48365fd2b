package distill

import (
	"strings"
)

var (
	reJestFile  = lazy(`^(FAIL|PASS) +(?:.*? )?(\S+\.\w+)(?: \([\d.]+ m?s\))?(?: \([\d.]+ [MKG]B heap size\))?$`)
	reJestTests = lazy(`^Tests: +(.+), (\d+) total`)
	reCountWord = lazy(`(\d+) (failed|passed|skipped|todo|pending|flaky|did not run|interrupted|failures?|errors?)`)
	reBabel     = lazy(`^(?:\w*Error: )?((?:[A-Za-z]:)?[^\s:]+\.\w+): (.+) \((\d+):(\d+)\)$`)
	reFrom      = lazy(`^Cannot find module '.*' from '([^']+)'`)
	reCodeFrame = lazy(`^\s*>?\s*\d* ?\|`)
)

// readJest reads jest and what prints like it.
func readJest(d *doc, f *found) {
	j := &jestReader{d: d, f: f}
	for i := 0; i < len(d.lines); i++ {
		if !d.lines[i].used && d.lines[i].s != "" {
			i = j.line(i)
		}
	}
}

type jestReader struct {
	d    *doc
	f    *found
	file string
}

func (j *jestReader) line(i int) int {
	l := &j.d.lines[i]
	s := l.s
	switch {
	case strings.HasPrefix(s, "FAIL ") || strings.HasPrefix(s, "PASS "):
		if m := reJestFile().FindStringSubmatch(s); m != nil && !strings.Contains(s, " > ") {
			l.used = true
			j.file = m[2]
			j.f.format = "jest"
			j.f.saw("jest")
		}
	case strings.HasPrefix(s, "  ● "):
		return j.block(i)
	case strings.HasPrefix(s, "Tests:  "):
		if m := reJestTests().FindStringSubmatch(s); m != nil {
			l.used = true
			n := countWords(m[1])
			j.f.format = "jest"
			j.f.total(n["passed"], n["failed"], n["skipped"]+n["pending"])
		}
	case strings.HasPrefix(s, "No tests found, exiting with code"):
		l.used = true
		j.f.saw("jest")
		j.f.noTests = true
	case strings.HasPrefix(s, "● Validation Error:") || strings.HasPrefix(s, "● Validation Warning:"):
		j.f.fail(Failure{Kind: KindError, Message: strings.TrimSpace(s), detail: j.rest(i + 1), runner: "jest"})
	}
	return i
}

func (j *jestReader) rest(i int) []string {
	var out []string
	for ; i < len(j.d.lines) && len(out) < 20 && j.d.lines[i].s != ""; i++ {
		out = append(out, j.d.lines[i].s)
	}
	return out
}

// countWords reads "1 failed, 2 passed | 3 skipped".
func countWords(s string) map[string]int {
	n := map[string]int{}
	for _, m := range reCountWord().FindAllStringSubmatch(s, -1) {
		n[m[2]] += atoi(m[1])
	}
	return n
}

// block reads what stands below a bullet.
func (j *jestReader) block(i int) int {
	title := strings.TrimSpace(strings.TrimPrefix(j.d.lines[i].s, "  ● "))
	k := i + 1
	var lines []string
	for ; k < len(j.d.lines); k++ {
		s := j.d.lines[k].s
		if s != "" && s[0] != ' ' || strings.HasPrefix(s, "  ● ") || strings.HasPrefix(s, " › ") ||
			strings.HasPrefix(s, "  console.") && !strings.Contains(s, "(") && k > i+1 && title != "Console" {
			break
		}
		lines = append(lines, s)
	}
	if title == "Console" || strings.HasPrefix(title, "Console ") {
		for x := i; x < k; x++ {
			j.d.lines[x].used = true
		}
		return k - 1
	}
	if len(trimBlock(lines)) == 0 {
		return i
	}
	for x := i; x < k; x++ {
		j.d.lines[x].used = true
	}
	x := Failure{Test: strings.Join(strings.Split(title, " › "), " > "), Kind: KindTest, runner: "jest"}
	suite := strings.HasSuffix(title, "Test suite failed to run") || strings.HasSuffix(title, "Your test suite must contain at least one test.")
	if suite {
		x.Test, x.Kind = j.file, KindLoad
	}
	jsBlock(&x, lines)
	if suite {
		j.suiteMessage(&x, lines)
	}
	if strings.Contains(x.Message, "Exceeded timeout of") {
		x.Kind = KindTimeout
	}
	if x.pkg == "" && j.file != "" {
		x.pkg = j.file
	}
	j.f.placeOf(&x)
	if x.File == "" {
		x.File = j.file
	}
	x.pkg = ""
	j.f.fail(x)
	return k - 1
}

// suiteMessage finds the error among the advice that jest gives when a file
// cannot be loaded, and its place.
func (j *jestReader) suiteMessage(x *Failure, lines []string) {
	details := false
	for n, s := range lines {
		t := strings.TrimSpace(s)
		if t == "Details:" {
			details = true
			x.Message = ""
			continue
		}
		if details && x.Message == "" && t != "" {
			x.Message = t
			x.detail = withoutFrames(codeFrames(lines[n+1:]))
		}
		if m := reBabel().FindStringSubmatch(t); m != nil {
			x.File, x.Line, x.Column = m[1], atoi(m[3]), atoi(m[4])
			x.Message = t
			x.detail = withoutFrames(codeFrames(lines[n+1:]))
			return
		}
		if g, ok := parseDiag(t, j.f.root); ok && g.severity == "error" {
			y := *x
			y.File, y.Line, y.Column, y.Message = g.file, g.line, g.col, g.text
			y.Kind = KindType
			var more []string
			for _, u := range lines[n+1:] {
				if h, ok := parseDiag(strings.TrimSpace(u), j.f.root); ok && h.severity == "error" {
					break
				}
				more = append(more, u)
			}
			y.detail = withoutFrames(more)
			if x.File == "" {
				*x = y
			} else {
				j.f.fail(y)
			}
		}
		if m := reFrom().FindStringSubmatch(t); m != nil && x.File == "" {
			if _, ok := j.f.root.resolve(m[1], ""); ok && !hasPlace(j.f.root, framesOf(lines), m[1]) {
				x.File = m[1]
			}
		}
	}
}

// hasPlace tells whether one of the frames is in a file.
func hasPlace(root *tree, frames []Frame, file string) bool {
	want, _ := root.resolve(file, "")
	for _, fr := range frames {
		if rel, ok := root.resolve(fr.File, ""); ok && rel == want {
			return true
		}
	}
	return false
}

// jsBlock fills in message, detail, frames and values from the block of a
// failing test as jest, mocha and others print it.
func jsBlock(x *Failure, lines []string) {
	x.Frames = framesOf(lines)
	body := trimBlock(withoutFrames(codeFrames(lines)))
	if len(body) > 0 {
		x.Message, x.detail = body[0], body[1:]
	}
	for i, s := range body {
		t := strings.TrimSpace(s)
		if v, ok := cutAny(t, "Expected: ", "expected: ", "Expected value: "); ok && x.Expected == "" {
			x.Expected = v
		} else if v, ok := cutAny(t, "Received: ", "received: ", "actual: ", "Received value: "); ok && x.Actual == "" {
			x.Actual = v
		} else if (t == "Expected:" || t == "Received:") && i+1 < len(body) {
			if t == "Expected:" {
				x.Expected = strings.TrimSpace(body[i+1])
			} else {
				x.Actual = strings.TrimSpace(body[i+1])
			}
		}
	}
}

func cutAny(s string, prefixes ...string) (string, bool) {
	for _, p := range prefixes {
		if v, ok := strings.CutPrefix(s, p); ok {
			return v, true
		}
	}
	return "", false
}

// codeFrames keeps, of the source that tools print around a place, the line of
// the place itself.
func codeFrames(lines []string) []string {
	var out []string
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "|") || t != "" && t[0] >= '0' && t[0] <= '9' && strings.Contains(t, "|") && reCodeFrame().MatchString(s) {
			continue
		}
		out = append(out, s)
	}
	return out
}
