package distill

import (
	"path"
	"strings"
)

var (
	reEslintItem = lazy(`^\s+(\d+):(\d+)\s+(error|warning)\s+(.+?)(?:\s{2,}(\S+))?$`)
	reEslintSum  = lazy(`^✖ \d+ problems? \(`)
	reShellHead  = lazy(`^In (.+) line (\d+):$`)
	reShellItem  = lazy(`\^-*\^? *(SC\d+)(?: \((error|warning|info|style)\))?: (.+)$`)
	reBiomeHead  = lazy(`^((?:[A-Za-z]:)?[^\s:]+\.\w+)(?::(\d+):(\d+))? ((?:lint|format|parse|assist|suppressions|organizeImports|syntax|check|i18n)(?:/\S*)?)(?: +[A-Z]+)?(?:\s+━+)?$`)
	rePHPStanRow = lazy(`^  (\d+)\s{2,}(.+)$`)
	rePHPStanTop = lazy(`^  Line\s{3,}(.+?)\s*$`)
	rePHPError   = lazy(`^(?:PHP )?(Parse error|Fatal error|Warning|Uncaught \S+)(?: ?: +|: )(.*?) in ((?:[A-Za-z]:)?\S+\.php)(?: on line |:)(\d+)`)
	rePHPcsItem  = lazy(`^ +(\d+) \| (ERROR|WARNING) +\| (?:\[.\] )?(.+)$`)
)

// readEslint reads eslint's stylish form, which others share: a file, then
// indented findings.
func readEslint(d *doc, f *found) {
	file := ""
	eslint := false
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used {
			continue
		}
		s := l.s
		if s == "" {
			continue
		}
		if s[0] != ' ' {
			if reEslintSum().MatchString(s) {
				l.used = true
				f.saw("eslint")
			} else if t := strings.TrimSpace(s); !strings.HasSuffix(t, ":") && len(t) < 300 && headsFile(t, f.root) {
				file = t
			} else {
				file = ""
			}
			continue
		}
		if file == "" {
			continue
		}
		m := reEslintItem().FindStringSubmatch(s)
		if m == nil {
			continue
		}
		l.used = true
		eslint = true
		x := Failure{File: file, Line: atoi(m[1]), Column: atoi(m[2]), Message: m[3] + ": " + m[4], Kind: KindLint, runner: "eslint"}
		if m[5] != "" {
			x.Message += "  (" + m[5] + ")"
		}
		if m[3] == "warning" {
			f.warnings = append(f.warnings, x)
		} else {
			f.fail(x)
		}
	}
	if eslint {
		f.saw("eslint")
	}
}

// headsFile tells a line that is the name of a file and nothing else.
func headsFile(s string, root *tree) bool {
	ext := path.Ext(s)
	if len(ext) < 2 || len(ext) > 9 {
		return false
	}
	return sourceExt(strings.ToLower(ext)) || root.exists(cleanPath(s))
}

// readShellcheck reads shellcheck's form for terminals.
func readShellcheck(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || !strings.HasPrefix(l.s, "In ") {
			continue
		}
		m := reShellHead().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		l.used = true
		src := ""
		for j := i + 1; j < len(d.lines); j++ {
			s := d.lines[j].s
			if s == "" || strings.HasPrefix(s, "Did you mean") {
				i = j
				break
			}
			d.lines[j].used = true
			k := reShellItem().FindStringSubmatch(s)
			if k == nil {
				src = s
				continue
			}
			sev := k[2]
			if sev != "" {
				sev = " (" + sev + ")"
			}
			f.fail(Failure{File: m[1], Line: atoi(m[2]), Column: strings.IndexByte(s, '^') + 1, Message: k[1] + sev + ": " + k[3], detail: []string{src}, Kind: KindLint, runner: "shellcheck"})
			i = j
		}
	}
}

// readBiome reads biome: a head with the place, then the message in a frame.
func readBiome(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" || l.s[0] == ' ' || !strings.Contains(l.s, "━━") {
			continue
		}
		m := reBiomeHead().FindStringSubmatch(l.s)
		if m == nil {
			continue
		}
		l.used = true
		x := Failure{File: m[1], Line: atoi(m[2]), Column: atoi(m[3]), Kind: KindLint, runner: "biome"}
		warn := false
		j := i + 1
		for ; j < len(d.lines); j++ {
			s := d.lines[j].s
			if s != "" && s[0] != ' ' {
				break
			}
			d.lines[j].used = true
			t := strings.TrimSpace(s)
			if v, ok := cutAny(t, "× ", "✖ ", "! ", "i ", "⚠ "); ok && x.Message == "" {
				x.Message = m[4] + ": " + v
				warn = strings.HasPrefix(t, "! ") || strings.HasPrefix(t, "i ") || strings.HasPrefix(t, "⚠ ")
				continue
			}
			x.detail = append(x.detail, s)
		}
		if x.Message == "" {
			x.Message = m[4]
		}
		if x.Line == 0 { // a format error shows the first difference
			for _, s := range x.detail {
				t := strings.TrimSpace(s)
				if n := strings.IndexByte(t, ' '); n > 0 && onlyDigits(t[:n]) && strings.Contains(t, "│") {
					x.Line = atoi(t[:n])
					break
				}
			}
		}
		if warn {
			f.warnings = append(f.warnings, x)
		} else {
			f.fail(x)
		}
		i = j - 1
	}
}

// readPHPStan reads PHPStan's table and PHP_CodeSniffer's.
func readPHPStan(d *doc, f *found) {
	file, cs := "", ""
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if m := rePHPStanTop().FindStringSubmatch(l.s); m != nil && strings.Contains(l.s, ".php") {
			file = m[1]
			continue
		}
		if strings.HasPrefix(l.s, "FILE: ") {
			cs = strings.TrimSpace(l.s[6:])
			continue
		}
		if cs != "" {
			if m := rePHPcsItem().FindStringSubmatch(l.s); m != nil {
				l.used = true
				x := Failure{File: cs, Line: atoi(m[1]), Message: m[3], Kind: KindLint, runner: "phpcs"}
				if m[2] == "WARNING" {
					f.warnings = append(f.warnings, x)
				} else {
					f.fail(x)
				}
			}
			continue
		}
		if file == "" {
			continue
		}
		if strings.HasPrefix(l.s, " [") || strings.HasPrefix(l.s, "[") {
			file = ""
			continue
		}
		if m := rePHPStanRow().FindStringSubmatch(l.s); m != nil {
			l.used = true
			x := Failure{File: file, Line: atoi(m[1]), Message: strings.TrimSpace(m[2]), Kind: KindType, runner: "PHPStan"}
			for j := i + 1; j < len(d.lines) && strings.HasPrefix(d.lines[j].s, "         ") && strings.TrimSpace(d.lines[j].s) != ""; j++ {
				t := strings.TrimSpace(d.lines[j].s)
				d.lines[j].used = true
				if strings.HasPrefix(t, "💡") || strings.HasPrefix(t, "🪪") || strings.HasPrefix(t, "✏️") {
					x.detail = append(x.detail, t)
					continue
				}
				x.Message += " " + t
			}
			f.fail(x)
		}
	}
}

var (
	rePHPUnitItem = lazy(`^(\d+)\) ((?:[\w\\]+)::\S.*|[\w\\]+)$`)
	rePHPUnitData = lazy(`^(.* with data set (?:"[^"]*"|#\d+)) \(.*\)$`)
	rePHPUnitSum  = lazy(`^Tests: (\d+), Assertions: \d+(.*)\.$`)
	rePHPUnitPart = lazy(`(Failures|Errors|Skipped|Incomplete|Risky|Warnings): (\d+)`)
	rePHPUnitOK   = lazy(`^OK \((\d+) tests?, \d+ assertions?\)`)
	rePHPPlace    = lazy(`^((?:[A-Za-z]:)?[/\\\w][^:]*\.php):(\d+)$`)
	rePestItem    = lazy(`^\s+FAILED\s+(\S+) > (.+?)(?:\s{2,}\S*)?$`)
	rePestSum     = lazy(`^\s+Tests:\s+(.+)$`)
)

// readPHPUnit reads PHPUnit.
func readPHPUnit(d *doc, f *found) {
	part := ""
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
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
				l.used = true
				n := map[string]int{}
				for _, p := range rePHPUnitPart().FindAllStringSubmatch(m[2], -1) {
					n[p[1]] = atoi(p[2])
				}
				bad, skip := n["Failures"]+n["Errors"], n["Skipped"]+n["Incomplete"]
				f.format = "PHPUnit"
				f.total(max(0, atoi(m[1])-bad-skip), bad, skip)
			}
		case strings.HasPrefix(s, "OK ("):
			if m := rePHPUnitOK().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "PHPUnit"
				f.total(atoi(m[1]), 0, 0)
			}
		case strings.HasPrefix(s, "No tests executed!"):
			f.saw("PHPUnit")
			f.noTests = true
		}
	}
}

func phpunitBlock(d *doc, f *found, i int, m []string, part string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if rePHPUnitItem().MatchString(s) && (atoi(strings.SplitN(s, ")", 2)[0]) == atoi(m[1])+1) || s == "--" || strings.HasPrefix(s, "FAILURES!") || strings.HasPrefix(s, "ERRORS!") || strings.HasPrefix(s, "OK, but") || strings.HasPrefix(s, "WARNINGS!") {
			break
		}
		lines = append(lines, s)
	}
	for k := i; k < j; k++ {
		d.lines[k].used = true
	}
	if !strings.Contains(part, "failure") && !strings.Contains(part, "error") {
		return j
	}
	x := Failure{Test: m[2], Kind: KindTest, runner: "PHPUnit"}
	if s := rePHPUnitData().FindStringSubmatch(m[2]); s != nil {
		x.Test = s[1] // without the values
	}
	var body []string
	for _, s := range lines {
		if p := rePHPPlace().FindStringSubmatch(s); p != nil {
			x.Frames = append(x.Frames, Frame{File: p[1], Line: atoi(p[2])})
			continue
		}
		if fr, ok := parseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), "#") {
			x.Frames = append(x.Frames, fr)
			continue
		}
		body = append(body, s)
	}
	body = trimBlock(body)
	if len(body) > 0 {
		x.Message, x.detail = body[0], body[1:]
	}
	diffValues(&x)
	f.placeOf(&x)
	f.fail(x)
	return j
}

// readTestDox reads PHPUnit's --testdox: a mark, a sentence, a block at a line.
func readTestDox(d *doc, f *found) {
	class := ""
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if l.s[0] != ' ' {
			class = l.s
			continue
		}
		name, ok := cutAny(l.s, " ✘ ", " ∅ ")
		if !ok || i+1 >= len(d.lines) || !strings.HasPrefix(strings.TrimSpace(d.lines[i+1].s), "│") && !strings.HasPrefix(strings.TrimSpace(d.lines[i+1].s), "┐") {
			continue
		}
		x := Failure{Test: class + " > " + name, Kind: KindTest, runner: "PHPUnit"}
		var body []string
		j := i + 1
		for ; j < len(d.lines); j++ {
			t := strings.TrimSpace(d.lines[j].s)
			rest, ok := cutAny(t, "│", "├", "┐", "┊", "╵", "┴")
			if !ok {
				break
			}
			d.lines[j].used = true
			rest = strings.TrimPrefix(rest, " ")
			if p := rePHPPlace().FindStringSubmatch(rest); p != nil {
				x.Frames = append(x.Frames, Frame{File: p[1], Line: atoi(p[2])})
				continue
			}
			body = append(body, rest)
		}
		l.used = true
		body = trimBlock(body)
		if len(body) > 0 {
			x.Message, x.detail = body[0], body[1:]
		}
		diffValues(&x)
		f.placeOf(&x)
		f.fail(x)
		i = j - 1
	}
}

// diffValues reads "--- Expected / +++ Actual" with one line each.
func diffValues(x *Failure) {
	for _, s := range x.detail {
		switch {
		case strings.HasPrefix(s, "---") || strings.HasPrefix(s, "+++"):
		case strings.HasPrefix(s, "-") && x.Expected == "":
			x.Expected = s[1:]
		case strings.HasPrefix(s, "+") && x.Actual == "":
			x.Actual = s[1:]
		}
	}
}

// readPest reads Pest and Laravel's test runner, which share their output.
func readPest(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" || l.s[0] != ' ' {
			continue
		}
		if m := rePestItem().FindStringSubmatch(l.s); m != nil && !strings.Contains(m[1], ".ts") && !strings.Contains(m[1], ".js") {
			var lines []string
			j := i + 1
			for ; j < len(d.lines); j++ {
				s := d.lines[j].s
				if strings.Contains(s, "───") || rePestItem().MatchString(s) || rePestSum().MatchString(s) {
					break
				}
				d.lines[j].used = true
				lines = append(lines, s)
			}
			l.used = true
			x := Failure{Test: m[1] + " > " + m[2], Kind: KindTest, runner: "Pest"}
			var body []string
			for _, s := range lines {
				t := strings.TrimSpace(s)
				if t2, ok := strings.CutPrefix(t, "at "); ok {
					if g, ok := cutPlace(t2, f.root); ok {
						x.Frames = append(x.Frames, Frame{File: g.file, Line: g.line})
						continue
					}
				}
				if len(t) > 2 && t[0] >= '0' && t[0] <= '9' {
					if g, ok := cutPlace(strings.TrimLeft(strings.TrimLeft(t, "0123456789"), " "), f.root); ok {
						x.Frames = append(x.Frames, Frame{File: g.file, Line: g.line})
						continue
					}
				}
				if !strings.Contains(s, "▕") || strings.Contains(s, "➜") {
					body = append(body, s)
				}
			}
			body = trimBlock(body)
			if len(body) > 0 {
				x.Message, x.detail = strings.TrimSpace(body[0]), body[1:]
			}
			f.placeOf(&x)
			f.fail(x)
			i = j - 1
			continue
		}
		if m := rePestSum().FindStringSubmatch(l.s); m != nil && strings.Contains(l.s, "assertions)") {
			l.used = true
			n := countWords(m[1])
			f.format = "Pest"
			f.total(n["passed"], n["failed"], n["skipped"]+n["todo"]*0)
		}
	}
}

// readPHPErrors reads what PHP itself says, from php -l or a dying script.
func readPHPErrors(d *doc, f *found) {
	for i := range d.lines {
		l := &d.lines[i]
		if l.used || !strings.Contains(l.s, ".php") || !strings.Contains(l.s, "error") && !strings.Contains(l.s, "Uncaught") {
			continue
		}
		m := rePHPError().FindStringSubmatch(l.s)
		if m == nil || m[1] == "Warning" {
			continue
		}
		l.used = true
		x := Failure{File: m[3], Line: atoi(m[4]), Message: m[1] + ": " + m[2], Kind: KindCrash, runner: "php"}
		if m[1] == "Parse error" {
			x.Kind = KindCompile
		}
		for k := i + 1; k < len(d.lines) && k < i+30; k++ {
			t := strings.TrimSpace(d.lines[k].s)
			if !strings.HasPrefix(t, "#") && !strings.HasPrefix(t, "Stack trace") && !strings.HasPrefix(t, "thrown in") {
				break
			}
			if fr, ok := parseFrame(t); ok {
				x.Frames = append(x.Frames, fr)
			}
			d.lines[k].used = true
		}
		f.fail(x)
	}
}
