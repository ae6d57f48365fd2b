package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	rePHPUnitItem = core.Lazy(`^(\d+)\) ((?:[\w\\]+)::\S.*|[\w\\]+)$`)
	rePHPUnitData = core.Lazy(`^(.* with data set (?:"[^"]*"|#\d+)) \(.*\)$`)
	rePHPUnitSum  = core.Lazy(`^Tests: (\d+), Assertions: \d+(.*)\.$`)
	rePHPUnitPart = core.Lazy(`(Failures|Errors|Skipped|Incomplete|Risky|Warnings): (\d+)`)
	rePHPUnitOK   = core.Lazy(`^OK \((\d+) tests?, \d+ assertions?\)`)
	rePHPPlace    = core.Lazy(`^((?:[A-Za-z]:)?[/\\\w][^:]*\.php):(\d+)$`)
)

// readPHPUnit reads PHPUnit.
func readPHPUnit(d *stream.Doc, f *core.Found) {
	part := ""
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		s := l.S
		switch {
		case strings.HasPrefix(s, "There was ") || strings.HasPrefix(s, "There were "):
			part = s
		case s == "--":
			part = ""
		case s[0] >= '1' && s[0] <= '9' && part != "":
			if m := rePHPUnitItem().FindStringSubmatch(s); m != nil {
				j := phpunitBlock(d, f, i, m, part)
				i = j - 1
			}
		case strings.HasPrefix(s, "Tests: "):
			if m := rePHPUnitSum().FindStringSubmatch(s); m != nil {
				l.Used = true
				n := map[string]int{}
				for _, p := range rePHPUnitPart().FindAllStringSubmatch(m[2], -1) {
					n[p[1]] = core.Atoi(p[2])
				}
				bad, skip := n["Failures"]+n["Errors"], n["Skipped"]+n["Incomplete"]
				f.Format = "PHPUnit"
				f.Total(max(0, core.Atoi(m[1])-bad-skip), bad, skip)
			}
		case strings.HasPrefix(s, "OK ("):
			if m := rePHPUnitOK().FindStringSubmatch(s); m != nil {
				l.Used = true
				f.Format = "PHPUnit"
				f.Total(core.Atoi(m[1]), 0, 0)
			}
		}
	}
}

func phpunitBlock(d *stream.Doc, f *core.Found, i int, m []string, part string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if rePHPUnitItem().MatchString(s) && (core.Atoi(strings.SplitN(s, ")", 2)[0]) == core.Atoi(m[1])+1) || s == "--" || strings.HasPrefix(s, "FAILURES!") || strings.HasPrefix(s, "ERRORS!") || strings.HasPrefix(s, "OK, but") || strings.HasPrefix(s, "WARNINGS!") {
			break
		}
		lines = append(lines, s)
	}
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	if !strings.Contains(part, "failure") && !strings.Contains(part, "error") {
		return j
	}
	x := core.Failure{Test: m[2], Kind: core.KindTest, Runner: "PHPUnit"}
	if s := rePHPUnitData().FindStringSubmatch(m[2]); s != nil {
		x.Test = s[1] // without the values
	}
	var body []string
	for _, s := range lines {
		if p := rePHPPlace().FindStringSubmatch(s); p != nil {
			x.Frames = append(x.Frames, core.Frame{File: p[1], Line: core.Atoi(p[2])})
			continue
		}
		if fr, ok := core.ParseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), "#") {
			x.Frames = append(x.Frames, fr)
			continue
		}
		body = append(body, s)
	}
	body = core.TrimBlock(body)
	if len(body) > 0 {
		x.Message, x.Detail = body[0], body[1:]
	}
	diffValues(&x)
	f.PlaceOf(&x)
	f.Fail(x)
	return j
}

// readTestDox reads PHPUnit's --testdox: a mark, a sentence, a block at a line.
func readTestDox(d *stream.Doc, f *core.Found) {
	class := ""
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		if l.S[0] != ' ' {
			class = l.S
			continue
		}
		name, ok := core.CutAny(l.S, " ✘ ", " ∅ ")
		if !ok || i+1 >= len(d.Lines) || !strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].S), "│") && !strings.HasPrefix(strings.TrimSpace(d.Lines[i+1].S), "┐") {
			continue
		}
		x := core.Failure{Test: class + " > " + name, Kind: core.KindTest, Runner: "PHPUnit"}
		var body []string
		j := i + 1
		for ; j < len(d.Lines); j++ {
			t := strings.TrimSpace(d.Lines[j].S)
			rest, ok := core.CutAny(t, "│", "├", "┐", "┊", "╵", "┴")
			if !ok {
				break
			}
			d.Lines[j].Used = true
			rest = strings.TrimPrefix(rest, " ")
			if p := rePHPPlace().FindStringSubmatch(rest); p != nil {
				x.Frames = append(x.Frames, core.Frame{File: p[1], Line: core.Atoi(p[2])})
				continue
			}
			body = append(body, rest)
		}
		l.Used = true
		body = core.TrimBlock(body)
		if len(body) > 0 {
			x.Message, x.Detail = body[0], body[1:]
		}
		diffValues(&x)
		f.PlaceOf(&x)
		f.Fail(x)
		i = j - 1
	}
}

// diffValues reads "--- Expected / +++ Actual" with one line each.
func diffValues(x *core.Failure) {
	for _, s := range x.Detail {
		switch {
		case strings.HasPrefix(s, "---") || strings.HasPrefix(s, "+++"):
		case strings.HasPrefix(s, "-") && x.Expected == "":
			x.Expected = s[1:]
		case strings.HasPrefix(s, "+") && x.Actual == "":
			x.Actual = s[1:]
		}
	}
}
