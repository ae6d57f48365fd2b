package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reJestFile = text.Lazy(`^(FAIL|PASS) +(?:.*? )?(\S+\.\w+)` +
		`(?: \([\d.]+ m?s\))?(?: \([\d.]+ [MKG]B heap size\))?$`)
	reJestTests = text.Lazy(`^Tests: +(.+), (\d+) total`)
	reCountWord = text.Lazy(`(\d+) (failed|passed|skipped|todo|pending|flaky|did not run|interrupted|` +
		`failures?|errors?)`)
	reBabel = text.Lazy(`^(?:\w*Error: )?((?:[A-Za-z]:)?[^\s:]+\.\w+): (.+) \((\d+):(\d+)\)$`)
	reFrom  = text.Lazy(`^Cannot find module '.*' from '([^']+)'`)
)

// readJest reads jest and what prints like it.
func readJest(d *stream.Doc, f *core.Found) {
	j := &jestReader{d: d, f: f}
	for i := 0; i < len(d.Lines); i++ {
		if !d.Lines[i].Used && d.Lines[i].S != "" {
			i = j.line(i)
		}
	}
}

type jestReader struct {
	d    *stream.Doc
	f    *core.Found
	file string
}

func (j *jestReader) line(i int) int {
	l := &j.d.Lines[i]
	s := l.S
	switch {
	case strings.HasPrefix(s, "FAIL ") || strings.HasPrefix(s, "PASS "):
		if m := reJestFile().FindStringSubmatch(s); m != nil && !strings.Contains(s, " > ") {
			l.Used = true
			j.file = m[2]
			j.f.Format = "jest"
			j.f.Saw("jest")
		}
	case strings.HasPrefix(s, "  ● "):
		return j.block(i)
	case strings.HasPrefix(s, "Tests:  "):
		if m := reJestTests().FindStringSubmatch(s); m != nil {
			l.Used = true
			n := countWords(m[1])
			j.f.Format = "jest"
			j.f.Total(n["passed"], n["failed"], n["skipped"]+n["pending"])
			j.f.Todo += n["todo"]
		}
	case strings.HasPrefix(s, "● Validation Error:") || strings.HasPrefix(s, "● Validation Warning:"):
		j.f.Fail(core.Failure{Kind: core.KindError, Message: strings.TrimSpace(s), Detail: j.rest(i + 1),
			Runner: "jest"})
	}
	return i
}

func (j *jestReader) rest(i int) []string {
	var out []string
	for ; i < len(j.d.Lines) && len(out) < 20 && j.d.Lines[i].S != ""; i++ {
		out = append(out, j.d.Lines[i].S)
	}
	return out
}

// countWords reads "1 failed, 2 passed | 3 skipped".
func countWords(s string) map[string]int {
	n := map[string]int{}
	for _, m := range reCountWord().FindAllStringSubmatch(s, -1) {
		n[m[2]] += text.Atoi(m[1])
	}
	return n
}

// block reads what stands below a bullet.
func (j *jestReader) block(i int) int {
	title := strings.TrimSpace(strings.TrimPrefix(j.d.Lines[i].S, "  ● "))
	k := i + 1
	var lines []string
	for ; k < len(j.d.Lines); k++ {
		s := j.d.Lines[k].S
		if s != "" && s[0] != ' ' || strings.HasPrefix(s, "  ● ") || strings.HasPrefix(s, " › ") ||
			strings.HasPrefix(s, "  console.") && !strings.Contains(s, "(") && k > i+1 && title != "Console" {
			break
		}
		lines = append(lines, s)
	}
	if title == "Console" || strings.HasPrefix(title, "Console ") {
		for x := i; x < k; x++ {
			j.d.Lines[x].Used = true
		}
		return k - 1
	}
	if len(text.TrimBlock(lines)) == 0 {
		return i
	}
	for x := i; x < k; x++ {
		j.d.Lines[x].Used = true
	}
	x := core.Failure{Test: strings.Join(strings.Split(title, " › "), " > "), Kind: core.KindTest,
		Runner: "jest"}
	suite := strings.HasSuffix(title, "Test suite failed to run") ||
		strings.HasSuffix(title, "Your test suite must contain at least one test.")
	if suite {
		x.Test, x.Kind = j.file, core.KindLoad
	}
	core.Explain(&x, lines)
	if suite {
		j.suiteMessage(&x, lines)
	}
	if strings.Contains(x.Message, "Exceeded timeout of") {
		x.Kind = core.KindTimeout
	}
	if x.Pkg == "" && j.file != "" {
		x.Pkg = j.file
	}
	j.f.PlaceOf(&x)
	if x.File == "" {
		x.File = j.file
	}
	x.Pkg = ""
	j.f.Fail(x)
	return k - 1
}

// suiteMessage finds the error among the advice that jest gives when a file
// cannot be loaded, and its place.
func (j *jestReader) suiteMessage(x *core.Failure, lines []string) {
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
			x.Detail = core.WithoutFrames(core.WithoutSource(lines[n+1:]))
		}
		if m := reBabel().FindStringSubmatch(t); m != nil {
			x.File, x.Line, x.Column = m[1], text.Atoi(m[3]), text.Atoi(m[4])
			x.Message = t
			x.Detail = core.WithoutFrames(core.WithoutSource(lines[n+1:]))
			return
		}
		if g, ok := core.ParseDiag(t, j.f.Root); ok && g.Severity == "error" {
			y := *x
			y.File, y.Line, y.Column, y.Message = g.File, g.Line, g.Col, g.Text
			y.Kind = core.KindType
			var more []string
			for _, u := range lines[n+1:] {
				if h, ok := core.ParseDiag(strings.TrimSpace(u), j.f.Root); ok && h.Severity == "error" {
					break
				}
				more = append(more, u)
			}
			y.Detail = core.WithoutFrames(more)
			if x.File == "" {
				*x = y
			} else {
				j.f.Fail(y)
			}
		}
		if m := reFrom().FindStringSubmatch(t); m != nil && x.File == "" {
			if _, ok := j.f.Root.Resolve(m[1], ""); ok && !hasPlace(j.f.Root, core.FramesOf(lines), m[1]) {
				x.File = m[1]
			}
		}
	}
}
