package distill

import "strings"

var (
	reGinkgo    = lazy(`^• \[(FAILED|PANICKED|TIMEDOUT)\]`)
	reGinkgoSum = lazy(`^(?:FAIL|SUCCESS)! -- (\d+) Passed \| (\d+) Failed \| (?:\d+ Flaked \| )?(\d+) Pending \| (\d+) Skipped`)
	reGinkgoAt  = lazy(`\bat: (\S+\.go):(\d+)`)
)

// readGinkgo reads Ginkgo, which runs inside one test of go test.
func readGinkgo(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used {
			continue
		}
		if m := reGinkgoSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			f.format = "ginkgo"
			f.total(atoi(m[1]), atoi(m[2]), atoi(m[3])+atoi(m[4]))
			if i+1 < len(d.lines) && strings.HasPrefix(d.lines[i+1].s, "--- FAIL: ") {
				d.lines[i+1].used = true
			}
			continue
		}
		if strings.HasPrefix(l.s, "• Failure") || strings.HasPrefix(l.s, "• Panic") {
			i = ginkgoOld(d, f, i) - 1
			continue
		}
		if !strings.HasPrefix(l.s, "• [") || i+1 >= len(d.lines) || !reGinkgo().MatchString(l.s) {
			continue
		}
		l.used = true
		x := Failure{Kind: KindTest, runner: "ginkgo"}
		name := d.lines[i+1].s
		for _, k := range []string{"[It] ", "[BeforeEach] ", "[AfterEach] ", "[BeforeAll] ", "[JustBeforeEach] "} {
			name = strings.Replace(name, k, "", 1)
		}
		x.Test = strings.TrimSpace(name)
		lines, end := below(d, i+2, func(s string) bool { return strings.HasPrefix(s, "-----") })
		d.lines[i+1].used = true
		for _, s := range lines {
			if m := reGinkgoAt().FindStringSubmatch(s); m != nil && x.File == "" {
				x.File, x.Line = m[1], atoi(m[2])
			}
		}
		if len(lines) > 0 {
			if g, ok := cutPlace(lines[0], f.root); ok && g.text == "" {
				lines = lines[1:]
				if x.File == "" {
					x.File, x.Line = g.file, g.line
				}
			}
		}
		explain(&x, lines)
		x.Message = strings.TrimPrefix(x.Message, "[FAILED] ")
		f.fail(x)
		i = end - 1
	}
}

// ginkgoOld reads a failure of Ginkgo 1: titles with their places, then the
// message and its place.
func ginkgoOld(d *doc, f *found, i int) int {
	lines, end := below(d, i+1, func(s string) bool { return strings.HasPrefix(s, "-----") })
	d.lines[i].used = true
	x := Failure{Kind: KindTest, runner: "ginkgo"}
	var names []string
	for len(lines) > 1 {
		g, ok := cutPlace(strings.TrimSpace(lines[1]), f.root)
		if !ok || g.text != "" {
			break
		}
		name := strings.TrimSpace(lines[0])
		for _, k := range []string{" [It]", " [BeforeEach]", " [AfterEach]", " [Measurement]"} {
			name = strings.TrimSuffix(name, k)
		}
		names, lines = append(names, name), lines[2:]
	}
	body := lines[:0:0]
	for _, s := range lines {
		if g, ok := cutPlace(strings.TrimSpace(s), f.root); ok && g.text == "" {
			x.File, x.Line = g.file, g.line
			continue
		}
		body = append(body, s)
	}
	x.Test = strings.Join(names, " > ")
	explain(&x, body)
	if x.Test != "" {
		f.fail(x)
	}
	for k := end; k < len(d.lines); k++ { // the list at the end says the same
		if strings.HasPrefix(d.lines[k].s, "[Fail] ") || strings.HasPrefix(d.lines[k].s, "[Panic!] ") {
			d.lines[k].used = true
		}
		if strings.HasPrefix(d.lines[k].s, "--- FAIL: ") {
			break
		}
	}
	return max(end, i+1)
}
