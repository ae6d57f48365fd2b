package guard

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Ways to end the process with success, besides a plain exit where code is loaded
// (see exitsOnLoad): a handler that runs at the end and forges the answer, an exit
// that no handler can stop, a function that does nothing but exit and is called on
// load. Each has honest uses that look alike in one line, so what the handler does,
// and where it stands, decides.

var (
	// atEnd registers what runs at the end of the process.
	atEnd = map[string]func() *pattern{
		"python": lazy(`\batexit\.register\b`),
		"ruby":   lazy(`\bat_exit\b`),
		"php":    lazy(`\bregister_shutdown_function\s*\(`),
		"java":   lazy(`\baddShutdownHook\s*\(`),
		"kotlin": lazy(`\baddShutdownHook\s*\(`),
		"csharp": lazy(`\bProcessExit\s*\+=`),
		"elixir": lazy(`\bSystem\.at_exit\b`),
		"c":      lazy(`\b(atexit|at_quick_exit|on_exit)\s*\(|__attribute__\s*\(\(\s*(con|de)structor\b|\[\[gnu::(con|de)structor\b`),
		"swift":  lazy(`\batexit\b`),
		"js":     lazy(`\bprocess\.(on|once|prependListener)\(`),
	}
	endEvent = lazy(`['"](exit|beforeExit)['"]`)
	// forges ends the process for good, or sets what it answers.
	forges = lazy(`(?im)\b_exit\b|\bexit!\s*\(?\s*(0|true)|\b(quick_)?exit\s*\(|\bexit\b\s*(\d|$|;|\})|\bdie\b|\bhalt\b|exit_?code\s*=|\bexitProcess\b|(^|[^.\w])abort\b|\bkill\w*\s*\(?.*(getpid|Process\.pid|\$\$)`)
	// hard ends the process past every handler of a runner.
	hard = map[string]func() *pattern{
		"python": lazy(`\bos\._exit\(\s*(0|False|os\.EX_OK)?\s*\)`),
		"ruby":   lazy(`(^|[^\w.:]|\bProcess\.|\bKernel\.)exit!\s*\(?\s*(0|true)\b|\bProcess\.exit\b\s*($|\(\s*(0|true)?\s*\)|0|true)`),
		"c":      lazy(`\b_exit\s*\(\s*(0|EXIT_SUCCESS)|\b_Exit\s*\(\s*(0|EXIT_SUCCESS)|\bquick_exit\s*\(\s*(0|EXIT_SUCCESS)`),
	}
	// hardText is the same where a string tells it.
	hardText = map[string]func() *pattern{
		"python": lazy(`\bos\.exec\w+\(\s*['"][\w/]*\btrue['"]|\b(CDLL|cdll|libc|ctypes)\b.*\b_?exit\b`),
		"ruby":   lazy(`(^|[^\w.:])exec[ (]['"][\w/]*\btrue['"]`),
		"c":      lazy(`\bexecv?[lpe]*\(\s*"[\w/]*\btrue"|\bsyscall\s*\(\s*(SYS|__NR)_exit`),
		"go":     lazy(`\b(syscall|unix)\.Exit\(|\bC\._?[eE]xit\(|\bSyscall6?\(\s*(\w+\.)?SYS_EXIT|\b(syscall|unix)\.Exec\(\s*"[\w/]*\btrue"`),
		"php":    lazy(`\bpcntl_exec\(\s*['"][\w/]*\btrue['"]`),
		"rust":   lazy(`\blibc::_?exit\(|\bCommand::new\(\s*"true"\s*\).*\.exec\(`),
	}
	forking = lazy(`\b(pcntl_|v)?fork\b`)
)

// forgesEnd counts handlers of the end of the process that forge its answer.
func forgesEnd(_ string, t *text) (n int, why string) {
	re := atEnd[t.source.lang.name]
	if re == nil {
		return 0, ""
	}
	for i, line := range t.code {
		at := re().FindStringIndex(line)
		if at == nil || t.source.lang.name == "js" && !endEvent().MatchString(t.live[i]) {
			continue
		}
		if forges().MatchString(line[at[1]:]) || forges().MatchString(handlerOf(t, i, at[1])) {
			n++
			why = fmt.Sprintf("The line %q %s.", shorten(t.lines[i]), stops)
		}
	}
	return n, why
}

// handlerOf gives the code that line i registers: the block that it opens, the
// function that it decorates, the functions of this file that it names.
func handlerOf(t *text, i, at int) string {
	body := []string{bodyOf(t, i, min(at, len(t.code[i])))}
	if strings.HasPrefix(strings.TrimSpace(t.code[i]), "@") && i+1 < len(t.code) {
		body = append(body, bodyOf(t, i+1, len(t.code[i+1])-1))
	}
	if strings.Contains(t.code[i], "structor") { // the function stands behind the attribute
		for _, name := range ident().FindAllString(strings.Join(t.code[i:min(i+2, len(t.code))], ""), -1) {
			body = append(body, t.functions()[name]...)
		}
	}
	for _, name := range ident().FindAllString(t.code[i][at:], -1) {
		body = append(body, t.functions()[name]...)
	}
	return strings.Join(body, "\n")
}

var funcWord = lazy(`^(func|sub|fn|function|def|defp|fun)\b`)

var methodLanguages = map[string]bool{"java": true, "csharp": true, "c": true, "dart": true}

var funcValue = lazy(`^\s*(?:(?:var|const|let)\s+)?(\w+)\s*:?=\s*(?:async\s+)?(?:func|function|lambda)\b`)

// functions gives the bodies of the functions of a file by their names.
func (t *text) functions() map[string][]string {
	if t.bodies != nil {
		return t.bodies
	}
	t.bodies = map[string][]string{}
	for i, line := range t.code {
		line = strings.TrimRight(line, "\r\n")
		var name string
		var at int
		if m := declared().FindStringSubmatchIndex(line); m != nil {
			if !funcWord().MatchString(line[m[0]:m[2]]) {
				continue
			}
			name, at = line[m[2]:m[3]], m[1]
		} else if m := method().FindStringSubmatchIndex(line); m != nil && methodLanguages[t.source.lang.name] && !controls[strings.Fields(line)[0]] {
			name, at = line[m[2]:m[3]], m[3]
		} else if m := funcValue().FindStringSubmatchIndex(line); m != nil {
			name, at = line[m[2]:m[3]], m[1]
		} else {
			continue
		}
		t.bodies[name] = append(t.bodies[name], bodyOf(t, i, at))
	}
	return t.bodies
}

// endsHard counts ends that no runner can catch. The child of a fork must end so.
func endsHard(_ string, t *text) (n int, why string) {
	code, text := hard[t.source.lang.name], hardText[t.source.lang.name]
	for i, line := range t.code {
		ends := code != nil && code().MatchString(line) || text != nil && text().MatchString(t.live[i])
		if !ends || afterFork(t, i) {
			continue
		}
		n++
		why = fmt.Sprintf("The line %q %s.", shorten(t.lines[i]), stops)
	}
	return n, why
}

// afterFork tells a line of a function that forked before.
func afterFork(t *text, i int) bool {
	inside := t.outline.at[i]
	for inside != nil && inside.sort() != function {
		inside = inside.parent
	}
	if inside == nil {
		return false
	}
	for k := inside.line + 1; k <= i; k++ {
		if forking().MatchString(t.code[k]) {
			return true
		}
	}
	return false
}

var isChild = lazy(`==\s*0\b|\bnot\s+\w+\s*:|\bfork\b.*\bdo\b|\.zero\?`)

var askedWhoIAm = lazy(`\bos\.(Getenv|LookupEnv)\(`)

// inChild tells a line of a test that a process runs which the test started: the
// child of a fork, or, in Go, the test program started again with a sign in its
// environment. (Under go test itself os.Exit(0) is a failure.)
func inChild(t *text, i int) bool {
	inside := t.outline.at[i]
	for b := inside; b != nil && b.sort() != function; b = b.parent {
		if isChild().MatchString(t.code[b.line]) && afterFork(t, i) {
			return true
		}
	}
	for inside != nil && (inside.sort() != function || inside.parent != nil) {
		inside = inside.parent
	}
	if t.source.lang.name != "go" || !strings.Contains(t.code[i], "os.Exit(0)") || inside == nil || !strings.HasPrefix(inside.header, "func Test") || strings.HasPrefix(inside.header, "func TestMain") {
		return false
	}
	for k := inside.line; k <= i; k++ {
		if askedWhoIAm().MatchString(t.code[k]) {
			return true
		}
	}
	return false
}

// callsExitOnLoad counts calls, where a file is loaded, of functions of the same
// file that end the process with success.
func callsExitOnLoad(p string, t *text) (n int, why string) {
	lang := t.source.lang.name
	re := exitCall[lang]
	if re == nil || lang != "go" && lang != "python" && lang != "js" {
		return 0, ""
	}
	ends := slices.ContainsFunc(t.code, func(line string) bool { return re().MatchString(line) && success().MatchString(line) })
	if !ends || lang != "go" && isProgramFile(p, t) {
		return 0, ""
	}
	var quit []string
	for name, bodies := range t.functions() {
		for _, line := range strings.Split(strings.Join(bodies, "\n"), "\n") {
			if re().MatchString(line) && success().MatchString(line) {
				quit = append(quit, regexp.QuoteMeta(name))
			}
		}
	}
	if len(quit) == 0 {
		return 0, ""
	}
	calling := func() *regexp.Regexp { return regexp.MustCompile(`(^|[^\w.])(` + strings.Join(quit, "|") + `)\(`) }
	for range 3 { // what calls one of them is another
		call := calling()
		for name, bodies := range t.functions() {
			if call.MatchString(strings.Join(bodies, "\n")) && !slices.Contains(quit, name) && name != "main" {
				quit = append(quit, regexp.QuoteMeta(name))
			}
		}
	}
	call := calling()
	for i, line := range t.code {
		if !call.MatchString(line) || declared().MatchString(line) && !strings.HasPrefix(line, "var ") && !strings.HasPrefix(line, "func init(") {
			continue
		}
		inFunction := false
		for b := t.outline.at[i]; b != nil; b = b.parent {
			header := strings.TrimSpace(t.live[b.line])
			if mainGuard().MatchString(header) || b.sort() == function && !(lang == "go" && initHeader().MatchString(header)) && !regexpHolder(b) {
				inFunction = true
			}
		}
		if !inFunction {
			n++
			why = fmt.Sprintf("The line %q %s.", shorten(t.lines[i]), stops)
		}
	}
	return n, why
}

// isStarted tells a script by its place or first line, where what it says of
// itself further down proves nothing.
func isStarted(p string, t *text) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if startDirs[path.Base(dir)] {
			return true
		}
	}
	return strings.HasPrefix(t.source.text, "#!")
}

// isPage tells a PHP file that is called as a whole: it declares nothing.
func isPage(t *text) bool {
	for _, line := range t.code {
		if declared().MatchString(line) {
			return false
		}
	}
	return true
}

var (
	conditional = lazy(`^\s*(\}?\s*else\s*)?if\s*\(|\|\||\bor\b|&&|\band\b`)
	loaderGuard = lazy(`!\s*defined\s*\(|\bdefined\s*\([^)]*\)\s*(\|\||or\b)`)
)

var answers = lazy(`\b(header|http_response_code|readfile|echo|print|printf|fpassthru|setcookie|json_encode|wp_redirect|wp_safe_redirect|wp_send_json\w*|fclose|flush|render|redirect)\b`)

// answered tells an exit right after a page was sent, in a function.
func answered(t *text, i int) bool {
	if t.outline.at[i] == nil {
		return false
	}
	for k := max(0, i-6); k < i; k++ {
		if within(t.outline.at[k], t.outline.at[i]) && answers().MatchString(t.code[k]) {
			return true
		}
	}
	return false
}

// endsPage tells an exit under a condition that a PHP page, or the customary
// guard of a file against being called by itself, may hold.
func endsPage(t *text, i int) bool {
	line := strings.TrimSpace(t.code[i])
	header := ""
	if b := t.outline.at[i]; b != nil && b.sort() == condition {
		header = strings.TrimSpace(t.code[b.line])
	} else if conditional().MatchString(line) {
		header = line
	}
	if header == "" && answered(t, i) {
		return true
	}
	if header == "" || constant().MatchString(header) {
		return false
	}
	return isPage(t) || loaderGuard().MatchString(header)
}
