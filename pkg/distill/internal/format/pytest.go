package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	rePySection = text.Lazy(`^(=+|!+) (.+?) (=+|!+)$`)
	rePyTitle   = text.Lazy(`^_{3,} (.+?) _{3,}$`)
	rePyEnd     = text.Lazy(`^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+|no tests ran|no tests collected)` +
		`(?: in [\d.]+s?(?: \([\d:]+\))?(?: seconds)?)(?: =+)?$`)
	rePyCount = text.Lazy(`(\d+) ([a-z]+)`)
	rePyDone  = text.Lazy(`^(?:\[gw\d+\] \[ *\d+%\] )?(?:(FAILED|ERROR|PASSED|SKIPPED|XFAIL|XPASS)` +
		` )?(\S+\.py::\S.*?)(?: (FAILED|ERROR|PASSED|SKIPPED|XFAIL|XPASS)(?: \(.*\)|` +
		` - .*)?)?(?: +\[ *\d+%\])?$`)
	rePyPlace = text.Lazy(`^((?:[A-Za-z]:)?[^:>|]*[^:\s>|]\.(?:py|pyx|txt|rst|md|ipynb|yaml|yml|feature))` +
		`:(\d+): ?(?:in (.+)|([\w.]+(?:Error|Exception|Failure|Failed|Warning|Exit|Interrupt|Timeout|` +
		`Skipped|\w*)))?$`)
	rePyCapt = text.Lazy(`^-+ (?:Captured (?:stdout|stderr|log)|generated)`)
	rePySumm = text.Lazy(`^(FAILED|ERROR|SUBFAIL|SUBFAILED(?:\([^)]*\)|\[[^\]]*\])?) (\S.*)$`)
)

// readPytest reads pytest in all its styles of traceback.
func readPytest(d *stream.Doc, f *core.Found) {
	p := &pytestReader{d: d, f: f}
	if !p.wanted() {
		return
	}
	for i := 0; i < len(d.Lines); i++ {
		if !d.Lines[i].Used {
			i = p.line(i)
		}
	}
	p.finish()
}

type pytestReader struct {
	d       *stream.Doc
	f       *core.Found
	section string
	blocks  []pyBlock
	ids     []pyID // from the summary
	failing []string
	ended   bool
}

// pyBlock is what stands below one title in FAILURES or ERRORS.
type pyBlock struct {
	title string
	lines []string
	error bool
}

// pyID is one line of the short summary: a node and the start of its message.
type pyID struct {
	node, message string
	error, taken  bool
}

func (p *pytestReader) wanted() bool {
	for i := range p.d.Lines {
		s := p.d.Lines[i].S
		if strings.Contains(s, "test session starts") || strings.Contains(s, "= FAILURES =") ||
			strings.Contains(s, "= ERRORS =") ||
			strings.Contains(s, "short test summary info") ||
			strings.Contains(s, "ImportError while loading conftest") ||
			strings.HasPrefix(s, "ERROR: ") && strings.Contains(s, "not found") {
			return true
		}
		if (strings.Contains(s, " passed in ") || strings.Contains(s, " failed in ") ||
			strings.Contains(s, "no tests ran in ") || strings.Contains(s, " passed, ") ||
			strings.Contains(s, " failed, ")) && rePyEnd().MatchString(s) {
			return true
		}
	}
	return false
}

func (p *pytestReader) line(i int) int {
	l := &p.d.Lines[i]
	s := l.S
	if m := rePyEnd().FindStringSubmatch(s); m != nil && !strings.HasPrefix(s, " ") {
		l.Used = true
		p.counts(m[1])
		p.section = ""
		return i
	}
	if s != "" && (s[0] == '=' || s[0] == '!') {
		if m := rePySection().FindStringSubmatch(s); m != nil {
			l.Used = true
			p.f.Format = "pytest"
			p.section = m[2]
			return i
		}
	}
	switch {
	case p.section == "FAILURES" || p.section == "ERRORS":
		l.Used = true
		p.inFailures(s)
	case p.section == "short test summary info":
		l.Used = true
		if m := rePySumm().FindStringSubmatch(s); m != nil {
			node, msg := cutNode(m[2])
			p.ids = append(p.ids, pyID{node: node, message: msg, error: m[1] == "ERROR"})
		}
	case strings.HasPrefix(s, "ImportError while loading conftest"):
		return p.conftest(i)
	case strings.HasPrefix(s, "ERROR: ") &&
		(strings.Contains(s, "not found") || strings.Contains(s, "usage:")):
		l.Used = true
		p.f.Fail(core.Failure{Kind: core.KindError, Message: s, Runner: "pytest", Weak: true})
	case strings.HasPrefix(s, "INTERNALERROR> "):
		l.Used = true
		if t := s[15:]; t != "" && t[0] != ' ' && !strings.HasPrefix(t, "Traceback") {
			p.f.Fail(core.Failure{Kind: core.KindCrash, Message: "INTERNALERROR: " + t, Runner: "pytest"})
		}
	case strings.Contains(s, ".py::") && (strings.Contains(s, "FAILED") || strings.Contains(s, "ERROR")):
		if m := rePyDone().FindStringSubmatch(s); m != nil &&
			(m[1]+m[3] == "FAILED" || m[1]+m[3] == "ERROR") {
			l.Used = true
			p.failing = append(p.failing, strings.TrimSpace(m[2]))
		}
	case p.section != "":
		// warnings summary, session header, durations: noise
		if strings.Contains(p.section, "warnings summary") || strings.Contains(p.section, "slowest") ||
			strings.Contains(p.section, "coverage") {
			l.Used = true
		}
	}
	return i
}

// inFailures takes in a line of the section of failures.
func (p *pytestReader) inFailures(s string) {
	if len(p.blocks) > 0 && p.blocks[0].title == "" && !strings.HasPrefix(s, "___") {
		p.lineStyle(s)
		return
	}
	if m := rePyTitle().FindStringSubmatch(s); m != nil {
		p.blocks = append(p.blocks, pyBlock{title: m[1], error: p.section == "ERRORS"})
		return
	}
	if n := len(p.blocks); n > 0 {
		if b := &p.blocks[n-1]; len(b.lines) < 3000 {
			b.lines = append(b.lines, s)
		}
	} else if s != "" {
		p.lineStyle(s)
	}
}

// cutNode splits "path::name[param] - message"; the parameter may hold " - ".
func cutNode(s string) (node, msg string) {
	from := 0
	if i := strings.Index(s, "::"); i >= 0 {
		from = i
		if b := strings.IndexByte(s[i:], '['); b >= 0 && !strings.Contains(s[i:i+b], " - ") {
			if e := strings.Index(s[i+b:], "] - "); e >= 0 {
				from = i + b + e + 1
			} else if strings.HasSuffix(s, "]") {
				return s, ""
			}
		}
	}
	if i := strings.Index(s[from:], " - "); i >= 0 {
		return s[:from+i], s[from+i+3:]
	}
	return s, ""
}

func (p *pytestReader) counts(s string) {
	p.f.Format = "pytest"
	n := map[string]int{}
	for _, m := range rePyCount().FindAllStringSubmatch(s, -1) {
		n[strings.TrimSuffix(m[2], "s")] += text.Atoi(m[1])
	}
	if strings.HasPrefix(s, "no tests") {
		p.f.NoTests = true
		p.f.Saw("pytest")
		return
	}
	p.ended = true
	p.f.Total(n["passed"]+n["xpassed"], n["failed"]+n["error"], n["skipped"]+n["deselected"]*0+n["xfailed"]*0)
}

// lineStyle reads --tb=line: one line for each failure.
func (p *pytestReader) lineStyle(s string) {
	if i := strings.Index(s, ".py:"); i > 0 {
		rest := s[i+4:]
		j := strings.IndexByte(rest, ':')
		if j > 0 && stream.OnlyDigits(rest[:j]) {
			p.blocks = append(p.blocks, pyBlock{lines: []string{"E   " + strings.TrimSpace(rest[j+1:]),
				s[:i+4] + rest[:j] + ": "}})
		}
	}
}

// conftest reads the report of a conftest.py that cannot be imported.
func (p *pytestReader) conftest(i int) int {
	var lines []string
	j := i
	for ; j < len(p.d.Lines) && (j == i || p.d.Lines[j].S != ""); j++ {
		p.d.Lines[j].Used = true
		lines = append(lines, p.d.Lines[j].S)
	}
	x := p.blockFailure(pyBlock{title: "", lines: lines[1:], error: true})
	x.Kind, x.Test = core.KindLoad, ""
	p.f.Fail(x)
	return j - 1
}

func (p *pytestReader) finish() {
	if len(p.blocks) > 0 || len(p.ids) > 0 || len(p.failing) > 0 {
		p.f.Format = "pytest"
	}
	for i := range p.blocks {
		p.f.Fail(p.blockFailure(p.blocks[i]))
	}
	// What the summary names and no block describes.
	for _, id := range p.ids {
		if !id.taken {
			x := core.Failure{Test: id.node, Message: id.message, Kind: core.KindTest, Runner: "pytest",
				Weak: true}
			if file, _, ok := strings.Cut(id.node, "::"); ok || strings.HasSuffix(id.node, ".py") {
				x.File = file
			}
			p.f.Fail(x)
		}
	}
	if len(p.ids) == 0 && len(p.blocks) == 0 {
		for _, node := range p.failing {
			file, _, _ := strings.Cut(node, "::")
			p.f.Fail(core.Failure{Test: node, File: file, Kind: core.KindTest, Runner: "pytest", Weak: true})
		}
	}
}
