package distill

import "strings"

var (
	reJUnit4Item  = lazy(`^(\d+)\) ([\w$ \[\]=,.:-]+?)\(([\w.$]+)\)(.*)$`)
	reJUnit4Fail  = lazy(`^Tests run: (\d+), +Failures: (\d+)(?:, +Errors: (\d+))?(?:, +Skipped: (\d+))?(.*)$`)
	reJUnit4OK    = lazy(`^OK \((\d+) tests?\)$`)
	reConsoleItem = lazy(`^ *(?:JUnit (?:Jupiter|Vintage|Platform Suite)|Spock|Cucumber|jqwik|Kotest):(.+)$`)
	reConsoleEnd  = lazy(`^\[ +(\d+) (containers|tests) (\w+) +\]$`)
	reSurefire    = lazy(`^(?:\[(?:ERROR|INFO|WARNING)\] +)?(\S.*?)(?:  Time elapsed: [\d.,]+ s(?:ec)?| -- Time elapsed: [\d.]+ s)? +<<< (FAILURE|ERROR)!(?: - in (.+))?$`)
	reMavenSum    = lazy(`^(?:\[(?:ERROR|WARNING|INFO)\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(.*)$`)
	reMavenItem   = lazy(`^\[ERROR\] +([\w$.]+)\.([\w$\[\] ,{}=:-]+?)(?::(\d+))?(?:->[\w.$:>-]+?(?::\d+)?)* +(?:» )?(.*)$`)
	reGradleItem  = lazy(`^(\S.*?) > (.+?) FAILED$`)
	reGradleSum   = lazy(`^(\d+) tests? completed(?:, (\d+) failed)?(?:, (\d+) skipped)?`)
	reException   = lazy(`^\s*(?:Caused by: |Exception in thread "[^"]*" |Suppressed: )?((?:[a-z_][\w]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure|Failed\w*|Throwable|Assert\w*|Comparison\w*)[\w$]*)(?:: (.*))?$`)
	reJavaWant    = lazy(`expected: ?<(.*?)> but was: ?<(.*)>`)
	reTestNG      = lazy(`^(PASSED|FAILED|SKIPPED|FAILED CONFIGURATION): (?:@\w+ )?([\w.$]+)(?:\((.*)\))?$`)
	reTestNGSum   = lazy(`^ *(?:Total t|T)ests run: (\d+), (?:Passes: \d+, )?Failures: (\d+), Skips: (\d+)`)
)

// javaBlock reads an exception and its stack, with the causes.
func javaBlock(f *found, x *Failure, lines []string) {
	if len(lines) == 0 {
		return
	}
	var msg []string
	var causes []string
	stack := false
	for _, s := range lines {
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "at ") || strings.HasPrefix(t, "... ") {
			if fr, ok := parseFrame(s); ok {
				x.Frames = append(x.Frames, fr)
			}
			stack = true
			continue
		}
		if strings.HasPrefix(t, "[...]") || strings.HasPrefix(t, "[") && strings.HasSuffix(t, "]") && stack {
			continue
		}
		if fr, ok := parseFrame(s); ok && strings.Contains(t, ".java:") || strings.Contains(t, ".kt:") && ok {
			x.Frames = append(x.Frames, fr)
			stack = true
			continue
		}
		if strings.HasPrefix(t, "Caused by: ") {
			causes = append(causes, t)
			continue
		}
		if !stack {
			msg = append(msg, s)
		}
	}
	msg = trimBlock(msg)
	if len(msg) > 0 {
		x.Message = strings.TrimPrefix(strings.TrimSpace(msg[0]), "=> ")
		x.detail = append(msg[1:], causes...)
	}
	if len(causes) > 0 {
		// The innermost cause is what went wrong; its frames are the last.
		x.Frames = causeFirst(lines, x.Frames)
	}
	if m := reJavaWant().FindStringSubmatch(strings.Join(msg, " ")); m != nil {
		x.Expected, x.Actual = m[1], m[2]
	}
}

// causeFirst puts the frames of the last "Caused by" in front.
func causeFirst(lines []string, all []Frame) []Frame {
	last := 0
	for i, s := range lines {
		if strings.HasPrefix(strings.TrimSpace(s), "Caused by: ") {
			last = i
		}
	}
	inner := framesOf(lines[last:])
	return append(inner, all...)
}

// readJUnit4 reads JUnit's own text runner, versions 3 and 4.
func readJUnit4(d *doc, f *found) {
	items := false
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.HasPrefix(s, "There was ") || strings.HasPrefix(s, "There were "):
			items = strings.Contains(s, "failure") || strings.Contains(s, "error")
			l.used = items
		case items && s[0] >= '1' && s[0] <= '9':
			if m := reJUnit4Item().FindStringSubmatch(s); m != nil {
				i = junit4Block(d, f, i, m) - 1
			}
		case strings.HasPrefix(s, "Tests run: "):
			if m := reJUnit4Fail().FindStringSubmatch(s); m != nil && items {
				l.used = true
				bad := atoi(m[2]) + atoi(m[3])
				f.format = "JUnit"
				f.total(max(0, atoi(m[1])-bad), bad, -1)
				items = false
			}
		case strings.HasPrefix(s, "OK ("):
			if m := reJUnit4OK().FindStringSubmatch(s); m != nil {
				l.used = true
				f.format = "JUnit"
				f.total(atoi(m[1]), 0, -1)
			}
		}
	}
}

func junit4Block(d *doc, f *found, i int, m []string) int {
	lines := []string{}
	if t := strings.TrimSpace(m[4]); t != "" { // JUnit 3 puts the exception in the same line
		lines = append(lines, t)
	}
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if reJUnit4Item().MatchString(s) || s == "FAILURES!!!" {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	x := Failure{Test: m[3] + "." + m[2], Kind: KindTest, runner: "JUnit", pkg: m[3]}
	javaBlock(f, &x, lines)
	f.placeOf(&x)
	f.fail(x)
	return j
}

// readJUnitConsole reads the console launcher of JUnit 5.
func readJUnitConsole(d *doc, f *found) {
	n := map[string]int{}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		switch {
		case strings.Contains(l.s, "caught: ") && strings.Contains(l.s, "│"):
			i = consoleCaught(d, f, i) - 1
		case strings.Contains(l.s, "JUnit ") && strings.Contains(l.s, ":"):
			if m := reConsoleItem().FindStringSubmatch(l.s); m != nil {
				i = consoleBlock(d, f, i, m[1]) - 1
			}
		case l.s[0] == '[':
			if m := reConsoleEnd().FindStringSubmatch(l.s); m != nil {
				l.used = true
				if m[2] == "tests" {
					n[m[3]] = atoi(m[1])
				}
			}
		}
	}
	if _, ok := n["found"]; ok {
		f.format = "JUnit"
		f.total(n["successful"], n["failed"], n["skipped"]+n["aborted"])
		if n["found"] == 0 {
			f.noTests = true
		}
	}
}

// consoleCaught reads a failure in the verbose tree, whose lines have the
// branches in front.
func consoleCaught(d *doc, f *found, i int) int {
	bare := func(s string) string { return strings.TrimLeft(s, "│├└─╷ ") }
	x := Failure{Kind: KindTest, runner: "JUnit"}
	for k := i - 1; k >= 0 && k > i-8; k-- {
		if _, src, ok := strings.Cut(d.lines[k].s, "source: "); ok {
			if m := reMethodSource().FindStringSubmatch(src); m != nil {
				x.Test = m[1] + "." + m[2]
			}
		}
	}
	lines := []string{strings.TrimPrefix(bare(d.lines[i].s), "caught: ")}
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := bare(d.lines[j].s)
		if strings.HasPrefix(s, "duration: ") || strings.HasPrefix(s, "status: ") {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	javaBlock(f, &x, lines)
	f.placeOf(&x)
	f.fail(x)
	return j
}

var reMethodSource = lazy(`^\s*MethodSource \[className = '([^']+)', methodName = '([^']+)', methodParameterTypes = '([^']*)'\]`)

func consoleBlock(d *doc, f *found, i int, name string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if reConsoleItem().MatchString(s) || strings.HasPrefix(s, "Test run finished") || s == "" && j+1 < len(d.lines) && strings.HasPrefix(d.lines[j+1].s, "Test run finished") {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	x := Failure{Test: strings.Join(strings.Split(name, ":"), " > "), Kind: KindTest, runner: "JUnit"}
	var body []string
	for _, s := range lines {
		if m := reMethodSource().FindStringSubmatch(s); m != nil {
			x.Test = m[1] + "." + m[2]
			if k := strings.LastIndexByte(name, ':'); k >= 0 && !strings.HasPrefix(name[k+1:], m[2]+"(") && !strings.HasSuffix(name, m[2]+"()") && strings.HasPrefix(name[k+1:], "[") {
				n, _, _ := strings.Cut(name[k+1:], "]")
				x.Test += n + "]" // which of the parametrised calls
			}
			continue
		}
		body = append(body, s)
	}
	for k, s := range body {
		body[k] = strings.TrimPrefix(s, "    => ")
	}
	javaBlock(f, &x, body)
	f.placeOf(&x)
	f.fail(x)
	return j
}

// readMaven reads surefire and failsafe, and what Maven itself says.
func readMaven(d *doc, f *found) {
	results := false
	sum := total{-1, -1, -1}
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := l.s
		switch {
		case strings.Contains(s, "<<< FAILURE!") || strings.Contains(s, "<<< ERROR!"):
			if m := reSurefire().FindStringSubmatch(s); m != nil && !strings.Contains(s, "Tests run:") {
				i = surefireBlock(d, f, i, m) - 1
			}
		case strings.Contains(s, "Tests run: ") && strings.Contains(s, "Skipped: "):
			// One line for each class, and the sum at the end without a time.
			if m := reMavenSum().FindStringSubmatch(s); m != nil && !strings.Contains(m[5], "Time elapsed") {
				bad := atoi(m[2]) + atoi(m[3])
				t := total{atoi(m[1]) - bad - atoi(m[4]), bad, atoi(m[4])}
				if sum.passed < 0 {
					sum = total{}
				}
				sum.passed, sum.failed, sum.skipped = sum.passed+t.passed, sum.failed+t.failed, sum.skipped+t.skipped
				l.used = true
				results = false
			}
		case strings.HasPrefix(s, "[ERROR] Failures:") || strings.HasPrefix(s, "[ERROR] Errors:"):
			results = true
			l.used = true
		case results && strings.HasPrefix(s, "[ERROR]   "):
			if m := reMavenItem().FindStringSubmatch(s); m != nil {
				l.used = true
				f.fail(Failure{Test: m[1] + "." + m[2], File: m[1] + ".java", Line: atoi(m[3]), Message: m[4], Kind: KindTest, weak: true, runner: "Maven"})
			}
		}
	}
	if sum.passed >= 0 {
		f.format = "Maven"
		f.total(sum.passed, sum.failed, sum.skipped)
	}
}

func surefireBlock(d *doc, f *found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s == "" || strings.HasPrefix(s, "[INFO]") || strings.Contains(s, "<<< ") || strings.HasPrefix(s, "[ERROR] ") || strings.HasPrefix(s, "Running ") {
			if s == "" && j+1 < len(d.lines) && (strings.HasPrefix(strings.TrimSpace(d.lines[j+1].s), "at ") || strings.HasPrefix(d.lines[j+1].s, "Expecting") || strings.HasPrefix(d.lines[j+1].s, "  ") || strings.HasPrefix(d.lines[j+1].s, "but was")) {
				continue
			}
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	// "method(org.demo.ClassTest)" before 3.0, "org.demo.ClassTest.method" since.
	name := m[1]
	if k := strings.LastIndexByte(name, '('); k > 0 && strings.HasSuffix(name, ")") && strings.Contains(name[k:], ".") {
		name = name[k+1:len(name)-1] + "." + name[:k]
	}
	x := Failure{Test: strings.TrimSuffix(name, "()"), Kind: KindTest, runner: "Maven"}
	javaBlock(f, &x, lines)
	f.placeOf(&x)
	f.fail(x)
	return j
}

// readGradle reads the test log of Gradle.
func readGradle(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if strings.HasSuffix(l.s, " FAILED") && strings.Contains(l.s, " > ") && !strings.HasPrefix(l.s, "> Task") {
			if m := reGradleItem().FindStringSubmatch(l.s); m != nil {
				i = gradleBlock(d, f, i, m) - 1
				continue
			}
		}
		if m := reGradleSum().FindStringSubmatch(l.s); m != nil && strings.Contains(l.s, "completed") {
			l.used = true
			all, bad, skip := atoi(m[1]), atoi(m[2]), atoi(m[3])
			f.format = "Gradle"
			f.total(max(0, all-bad-skip), bad, skip)
		}
	}
}

func gradleBlock(d *doc, f *found, i int, m []string) int {
	var lines []string
	j := i + 1
	for ; j < len(d.lines); j++ {
		s := d.lines[j].s
		if s == "" && j+1 < len(d.lines) && strings.HasPrefix(d.lines[j+1].s, "    ") {
			continue
		}
		if s == "" || s[0] != ' ' {
			break
		}
		d.lines[j].used = true
		lines = append(lines, s)
	}
	d.lines[i].used = true
	parts := append([]string{m[1]}, strings.Split(strings.TrimSuffix(m[2], "()"), " > ")...)
	x := Failure{Test: strings.Join(parts, " > "), Kind: KindTest, runner: "Gradle", pkg: m[1]}
	if len(parts) == 2 && !strings.Contains(parts[0], " ") {
		x.Test = parts[0] + "." + strings.TrimSuffix(parts[1], "()")
	}
	javaBlock(f, &x, lines)
	for _, s := range lines { // the short format: "org.x.Error at ClassTest.java:12"
		if a := reGradleAt().FindStringSubmatch(s); a != nil && len(x.Frames) == 0 {
			x.File, x.Line = a[2], atoi(a[3])
			x.Message = strings.TrimSpace(a[1])
		}
	}
	f.placeOf(&x)
	f.fail(x)
	return j
}

var reGradleAt = lazy(`^\s*([\w.$]+(?:: .*)?) at ([\w$]+\.(?:java|kt|groovy|scala)):(\d+)$`)

// readTestNG reads TestNG's console reporter.
func readTestNG(d *doc, f *found) {
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		if m := reTestNGSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			all, bad, skip := atoi(m[1]), atoi(m[2]), atoi(m[3])
			f.format = "TestNG"
			dup := false
			for _, t := range f.totals { // the suite repeats what the command said
				dup = dup || t == total{all - bad - skip, bad, skip}
			}
			if !dup {
				f.total(max(0, all-bad-skip), bad, skip)
			}
			continue
		}
		m := reTestNG().FindStringSubmatch(l.s)
		if m == nil || !strings.HasPrefix(m[1], "FAILED") {
			continue
		}
		var lines []string
		j := i + 1
		for ; j < len(d.lines); j++ {
			s := d.lines[j].s
			if s == "" || reTestNG().MatchString(s) || strings.HasPrefix(s, "=====") {
				break
			}
			d.lines[j].used = true
			lines = append(lines, s)
		}
		l.used = true
		x := Failure{Test: m[2], Kind: KindTest, runner: "TestNG"}
		javaBlock(f, &x, lines)
		for _, fr := range x.Frames {
			// The console names the method alone; the stack knows the class.
			if !strings.Contains(m[2], ".") && strings.HasSuffix(fr.Func, "."+m[2]) {
				x.Test = fr.Func
			}
		}
		f.placeOf(&x)
		f.fail(x)
		i = j - 1
	}
}

var (
	reScalaItem = lazy(`^(?:\[info\] )?( *)- (.+?) \*\*\* FAILED \*\*\*(?: \([^)]*\))?$`)
	reScalaSum  = lazy(`^(?:\[info\] )?Tests: succeeded (\d+), failed (\d+), canceled (\d+), ignored (\d+), pending (\d+)`)
	reScalaTail = lazy(`^(.*) \(([\w$-]+\.scala):(\d+)\)$`)
	reMunitItem = lazy(`^==> X (\S+) +[\d.]+s (.*)$`)
)

// readScalaTest reads ScalaTest and MUnit, alone and inside sbt.
func readScalaTest(d *doc, f *found) {
	suite := ""
	var scope []tapName
	for i := 0; i < len(d.lines); i++ {
		l := &d.lines[i]
		if l.used || l.s == "" {
			continue
		}
		s := strings.TrimPrefix(strings.TrimPrefix(l.s, "[info] "), "[error] ")
		if m := reScalaSum().FindStringSubmatch(l.s); m != nil {
			l.used = true
			f.format = "ScalaTest"
			f.total(atoi(m[1]), atoi(m[2]), atoi(m[3])+atoi(m[4])+atoi(m[5]))
			continue
		}
		if strings.HasPrefix(s, "==> X ") {
			if m := reMunitItem().FindStringSubmatch(s); m != nil {
				x := Failure{Test: m[1], Message: m[2], Kind: KindTest, runner: "MUnit"}
				x.detail = sbtBlock(d, i+1, &x)
				f.placeOf(&x)
				f.fail(x)
				l.used = true
			}
			continue
		}
		m := reScalaItem().FindStringSubmatch(l.s)
		if m == nil {
			if strings.HasSuffix(s, ":") && !strings.Contains(s, " ") {
				suite, scope = strings.TrimSuffix(s, ":"), nil
			} else if suite != "" && !strings.HasPrefix(strings.TrimSpace(s), "-") && !strings.Contains(s, "***") {
				n := len(s) - len(strings.TrimLeft(s, " "))
				for len(scope) > 0 && scope[len(scope)-1].indent >= n {
					scope = scope[:len(scope)-1]
				}
				scope = append(scope, tapName{n, strings.TrimSpace(s)})
			}
			continue
		}
		x := Failure{Kind: KindTest, runner: "ScalaTest"}
		parts := []string{suite}
		for _, p := range scope {
			if p.indent <= len(m[1]) {
				parts = append(parts, p.name)
			}
		}
		x.Test = strings.TrimPrefix(strings.Join(append(parts, m[2]), " "), " ")
		l.used = true
		body := sbtBlock(d, i+1, &x)
		if len(body) > 0 {
			x.Message, x.detail = body[0], body[1:]
			if t := reScalaTail().FindStringSubmatch(x.Message); t != nil {
				x.Message = t[1]
				x.File, x.Line = t[2], atoi(t[3])
			}
		}
		x.pkg = suite
		f.placeOf(&x)
		f.fail(x)
	}
}

// sbtBlock takes the deeper lines below a failing test.
func sbtBlock(d *doc, i int, x *Failure) []string {
	var out []string
	for ; i < len(d.lines) && len(out) < 200; i++ {
		s := strings.TrimPrefix(strings.TrimPrefix(d.lines[i].s, "[info] "), "[error] ")
		if !strings.HasPrefix(s, "  ") || strings.HasPrefix(strings.TrimSpace(s), "- ") {
			break
		}
		d.lines[i].used = true
		if fr, ok := parseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
			continue
		}
		out = append(out, strings.TrimSpace(s))
	}
	return out
}
