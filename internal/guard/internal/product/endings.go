package product

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// atEnd registers what runs at the end of the process.
var atEnd = map[string]func() *pattern.Pattern{
	"python": pattern.Lazy(`\batexit\.register\b`),
	"ruby":   pattern.Lazy(`\bat_exit\b`),
	"php":    pattern.Lazy(`\bregister_shutdown_function\s*\(`),
	"java":   pattern.Lazy(`\baddShutdownHook\s*\(`),
	"kotlin": pattern.Lazy(`\baddShutdownHook\s*\(`),
	"csharp": pattern.Lazy(`\bProcessExit\s*\+=`),
	"elixir": pattern.Lazy(`\bSystem\.at_exit\b`),
	"c": pattern.Lazy(`\b(atexit|at_quick_exit|on_exit)\s*\(|` +
		`__attribute__\s*\(\(\s*(con|de)structor\b|\[\[gnu::(con|de)structor\b`),
	"swift": pattern.Lazy(`\batexit\b`),
	"js":    pattern.Lazy(`\bprocess\.(on|once|prependListener)\(`),
}

var endEvent = pattern.Lazy(`['"](exit|beforeExit)['"]`)

// forges ends the process for good, or sets what it answers.
var forges = pattern.Lazy(`(?im)\b_exit\b|\bexit!\s*\(?\s*(0|true)|\b(quick_)?exit\s*\(|` +
	`\bexit\b\s*(\d|$|;|\})|\bdie\b|\bhalt\b|exit_?code\s*=|\bexitProcess\b|(^|[^.\w])abort\b|` +
	`\bkill\w*\s*\(?.*(getpid|Process\.pid|\$\$)`)

// failingCode answers with a failure, if nothing did before.
var failingCode = pattern.Lazy(`\bprocess\.exitCode\s*=\s*(?:process\.exitCode\s*\|\|\s*)?[1-9]\d?\s*(?:;|\n|$)`)

// hard ends the process past every handler of a runner.
var hard = map[string]func() *pattern.Pattern{
	"python": pattern.Lazy(`\bos\._exit\(\s*(0|False|os\.EX_OK)?\s*\)`),
	"ruby": pattern.Lazy(`(^|[^\w.:]|\bProcess\.|\bKernel\.)exit!\s*\(?\s*(0|true)\b|` +
		`\bProcess\.exit\b\s*($|\(\s*(0|true)?\s*\)|0|true)`),
	"c": pattern.Lazy(`\b_exit\s*\(\s*(0|EXIT_SUCCESS)|\b_Exit\s*\(\s*(0|EXIT_SUCCESS)|` +
		`\bquick_exit\s*\(\s*(0|EXIT_SUCCESS)`),
}

// hardText is the same where a string tells it.
var hardText = map[string]func() *pattern.Pattern{
	"python": pattern.Lazy(`\bos\.exec\w+\(\s*['"][\w/]*\btrue['"]|` +
		`\b(CDLL|cdll|libc|ctypes)\b.*\b_?exit\b`),
	"ruby": pattern.Lazy(`(^|[^\w.:])exec[ (]['"][\w/]*\btrue['"]`),
	"c":    pattern.Lazy(`\bexecv?[lpe]*\(\s*"[\w/]*\btrue"|\bsyscall\s*\(\s*(SYS|__NR)_exit`),
	"go": pattern.Lazy(`\b(syscall|unix)\.Exit\(|\bC\._?[eE]xit\(|\bSyscall6?\(\s*(\w+\.)?SYS_EXIT|` +
		`\b(syscall|unix)\.Exec\(\s*"[\w/]*\btrue"`),
	"php":  pattern.Lazy(`\bpcntl_exec\(\s*['"][\w/]*\btrue['"]`),
	"rust": pattern.Lazy(`\blibc::_?exit\(|\bCommand::new\(\s*"true"\s*\).*\.exec\(`),
}

// forgesEnd counts handlers of the end of the process that forge its answer.
func forgesEnd(_ string, t *source.Text) (n int, why string) {
	re := atEnd[t.Source.Lang.Name]
	if re == nil {
		return 0, ""
	}
	for i, line := range t.Code {
		at := re().FindStringIndex(line)
		if at == nil || t.Source.Lang.Name == "js" && !endEvent().MatchString(t.Live[i]) {
			continue
		}
		handler := line[at[1]:] + "\n" + handlerOf(t, i, at[1])
		if forges().MatchString(failingCode().ReplaceAllString(handler, "")) {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), stops)
		}
	}
	return n, why
}

// handlerOf gives the code that line i registers: the block that it opens, the
// function that it decorates, the functions of this file that it names.
func handlerOf(t *source.Text, i, at int) string {
	body := []string{source.BodyOf(t, i, min(at, len(t.Code[i])))}
	if strings.HasPrefix(strings.TrimSpace(t.Code[i]), "@") && i+1 < len(t.Code) {
		body = append(body, source.BodyOf(t, i+1, len(t.Code[i+1])-1))
	}
	if strings.Contains(t.Code[i], "structor") { // the function stands behind the attribute
		for _, name := range source.Ident().FindAllString(strings.Join(t.Code[i:min(i+2, len(t.Code))],
			""), -1) {
			body = append(body, t.Functions()[name]...)
		}
	}
	for _, name := range source.Ident().FindAllString(t.Code[i][at:], -1) {
		body = append(body, t.Functions()[name]...)
	}
	return strings.Join(body, "\n")
}

// endsHard counts ends that no runner can catch. The child of a fork must end so.
func endsHard(_ string, t *source.Text) (n int, why string) {
	code, text := hard[t.Source.Lang.Name], hardText[t.Source.Lang.Name]
	for i, line := range t.Code {
		ends := code != nil && code().MatchString(line) || text != nil && text().MatchString(t.Live[i])
		if !ends || source.AfterFork(t, i) {
			continue
		}
		n++
		why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), stops)
	}
	return n, why
}

// callsExitOnLoad counts calls, where a file is loaded, of functions of the same
// file that end the process with success.
func callsExitOnLoad(p string, t *source.Text) (n int, why string) {
	lang := t.Source.Lang.Name
	if lang != "go" && lang != "python" && lang != "js" {
		return 0, ""
	}
	ends := func(line string) bool {
		return exitCall[lang]().MatchString(line) && success().MatchString(line)
	}
	if !slices.ContainsFunc(t.Code, ends) || lang != "go" && isProgramFile(p, t) {
		return 0, ""
	}
	call := callsOfEnding(t, ends)
	if call == nil {
		return 0, ""
	}
	for i, line := range t.Code {
		if !call.MatchString(line) || source.Declared().MatchString(line) &&
			!strings.HasPrefix(line, "var ") && !strings.HasPrefix(line, "func init(") {
			continue
		}
		if runsOnLoad(t, i) {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), stops)
		}
	}
	return n, why
}

// callsOfEnding matches calls of the functions of a file in which a line ends the
// process, and of those that call one of them; nil where there is none.
func callsOfEnding(t *source.Text, ends func(line string) bool) *regexp.Regexp {
	var quit []string
	for name, bodies := range t.Functions() {
		if slices.ContainsFunc(strings.Split(strings.Join(bodies, "\n"), "\n"), ends) {
			quit = append(quit, regexp.QuoteMeta(name))
		}
	}
	if len(quit) == 0 {
		return nil
	}
	calling := func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[^\w.])(` + strings.Join(quit, "|") + `)\(`)
	}
	for range 3 {
		call := calling()
		for name, bodies := range t.Functions() {
			if name != "main" && !slices.Contains(quit, name) &&
				call.MatchString(strings.Join(bodies, "\n")) {
				quit = append(quit, regexp.QuoteMeta(name))
			}
		}
	}
	return calling()
}

// runsOnLoad tells a line outside of functions and of what only a program runs.
func runsOnLoad(t *source.Text, i int) bool {
	for b := t.Outline.At[i]; b != nil; b = b.Parent {
		header := strings.TrimSpace(t.Live[b.Line])
		isInit := t.Source.Lang.Name == "go" && initHeader().MatchString(header)
		if mainGuard().MatchString(header) || b.Sort() == source.Function && !isInit && !regexpHolder(b) {
			return false
		}
	}
	return true
}

// isStarted tells a script by its place or first line, where what it says of
// itself further down proves nothing.
func isStarted(p string, t *source.Text) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if startDirs[path.Base(dir)] {
			return true
		}
	}
	return strings.HasPrefix(t.Source.Text, "#!")
}

// isPage tells a PHP file that is called as a whole: it declares nothing.
func isPage(t *source.Text) bool {
	for _, line := range t.Code {
		if source.Declared().MatchString(line) {
			return false
		}
	}
	return true
}

var (
	conditional = pattern.Lazy(`^\s*(\}?\s*else\s*)?if\s*\(|\|\||\bor\b|&&|\band\b`)
	loaderGuard = pattern.Lazy(`!\s*defined\s*\(|\bdefined\s*\([^)]*\)\s*(\|\||or\b)`)
)

var answers = pattern.Lazy(`\b(header|http_response_code|readfile|echo|print|printf|fpassthru|` +
	`setcookie|json_encode|wp_redirect|wp_safe_redirect|wp_send_json\w*|fclose|flush|render|redirect)\b`)

// answered tells an exit right after a page was sent, in a function.
func answered(t *source.Text, i int) bool {
	if t.Outline.At[i] == nil {
		return false
	}
	for k := max(0, i-6); k < i; k++ {
		if source.Within(t.Outline.At[k], t.Outline.At[i]) && answers().MatchString(t.Code[k]) {
			return true
		}
	}
	return false
}

// endsPage tells an exit under a condition that a PHP page, or the customary
// guard of a file against being called by itself, may hold.
func endsPage(t *source.Text, i int) bool {
	line := strings.TrimSpace(t.Code[i])
	header := ""
	if b := t.Outline.At[i]; b != nil && b.Sort() == source.Condition {
		header = strings.TrimSpace(t.Code[b.Line])
	} else if conditional().MatchString(line) {
		header = line
	}
	if header == "" && answered(t, i) {
		return true
	}
	if header == "" || source.Constant().MatchString(header) {
		return false
	}
	return isPage(t) || loaderGuard().MatchString(header)
}
