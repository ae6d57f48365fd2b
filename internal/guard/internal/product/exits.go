package product

import (
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// exits are calls that end a process, by language. hard ones skip all clean-up.
var exits = map[string]func() *pattern.Pattern{
	"go":     pattern.Lazy(`\bos\.Exit\(\s*0\s*\)|\bsyscall\.(Exit|RawSyscall6?|Kill|Exec)\(|\bunix\.(Exit|Kill|Exec)\(`),
	"python": pattern.Lazy(`\bos\._exit\(|\bos\.(exec[lv]\w*|kill|abort)\(|\bsys\.exit\(\s*(0|None)?\s*\)|\batexit\.register\(`),
	"js":     pattern.Lazy(`\bprocess\.(exit|reallyExit|kill|abort)\(|\bprocess\.exitCode\s*=\s*0|\bprocess\.on\(\s*['"](exit|uncaughtException|unhandledRejection)`),
	"ruby":   pattern.Lazy(`\b(Kernel|Process)\.(exit!?|abort|exec|kill)\b|\bexit!|\bat_exit\b`),
	"rust":   pattern.Lazy(`\bprocess::(exit|abort)\(|\blibc::_?exit\(|panic::set_hook\(`),
	"c":      pattern.Lazy(`\b_?[Ee]xit\s*\(\s*(0|EXIT_SUCCESS)\s*\)|\bquick_exit\s*\(|\batexit\s*\(|__attribute__\s*\(\(\s*(con|de)structor`),
	"java":   pattern.Lazy(`\bSystem\.exit\(\s*0\s*\)|\bRuntime\.getRuntime\(\)\.(exit|halt|addShutdownHook)\(`),
	"kotlin": pattern.Lazy(`\bexitProcess\(\s*0\s*\)|\bRuntime\.getRuntime\(\)\.(exit|halt|addShutdownHook)\(`),
	"csharp": pattern.Lazy(`\bEnvironment\.(Exit|FailFast)\(|\bEnvironment\.ExitCode\s*=\s*0`),
	"php":    pattern.Lazy(`\b(exit|die)\s*\(\s*0?\s*\)|\bregister_shutdown_function\(`),
	"elixir": pattern.Lazy(`\bSystem\.(halt|stop)\(`),
}

// started matches files that are programs of their own and may end the process.
var started = pattern.Lazy(`(?m)^#!|\bfunc main\(|\bfn main\(|\bint main\s*\(|\bvoid main\s*\(|\bstatic\s+\w+\s+Main\(|__name__\s*==\s*['"]__main__`)

// ends counts how often code that is not a program ends the process.
func ends(t *text) (n int, why string) {
	p := exits[t.lang.Name]
	if p == nil || started().MatchString(strings.Join(t.live, "")) {
		return 0, ""
	}
	for _, line := range t.code {
		if p().MatchString(line) {
			n++
		}
	}
	return n, "It may end the process, in which tests would run on, or write their result."
}
