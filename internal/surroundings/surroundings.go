// Package surroundings finds which code reads its environment: variables, arguments,
// the folder it runs in, its callers, what else is loaded. Such code may behave
// differently while tests run, so a change that starts to do so is worth a run in
// other surroundings. It reads text: a probe counts wherever it is written, in a
// comment too, and one that is put together at run time is not seen.
package surroundings

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/testfile"
)

// probe is one way in which code reads its environment, in the named languages ("" means
// all).
type probe struct {
	langs   string
	about   string
	pattern string
}

const (
	environment = "the environment"
	arguments   = "the arguments"
	place       = "where it runs"
	callers     = "its callers"
	loaded      = "what is loaded"
)

// probes are these ways. To add one, add a row.
var probes = []probe{
	{"", place, `/proc/(self|\$|[%{"'])|\bgetppid\b|\bgethostname\b`},
	{"python", environment, `\bos\s*\.\s*(environb?|getenvb?)\b|\bimport\s+(environ|getenv)\b|\bgetenv\(`},
	{"python", arguments, `\b(sys\s*\.\s*)?(orig_)?argv\b|\bargparse\b|\bpsutil\b`},
	{"python", place, `\bgetcwdb?\b|\.cwd\(|__file__`},
	{"python", callers, `\binspect\b|\b_getframe|\btraceback\b|\bf_back\b|\bsettrace\b|\bsetprofile\b|\b_current_frames\b`},
	{"python", loaded, `\bsys\s*\.\s*modules\b|\bimportlib\b|\b__import__\b|\bgc\s*\.\s*get_|\bimport\s+(modules|__main__)\b|\bpkgutil\b`},
	{"js", environment, `\bprocess\b|\bimport\.meta\.env\b|\b(Deno|Bun)\.(env|args|argv|main)\b`},
	{"js", place, `\b__(dirname|filename)\b|\bimport\.meta\.(url|dirname|filename|main)\b|\b(Deno|Bun)\.cwd\b`},
	{"js", callers, `\.stack\b|\bcaptureStackTrace\b|\bprepareStackTrace\b|\bcallee\b`},
	{"js", loaded, `\brequire\.(cache|main)\b|\bmodule\.(parent|children)\b|\bglobalThis\b|\bglobal\s*[.\[]|\bwindow\s*\[`},
	{"ruby crystal", environment, `\bENV\b`},
	{"ruby crystal", arguments, `\bARGV\b|\$PROGRAM_NAME\b|\$0\b`},
	{"ruby crystal", place, `\bDir\.(pwd|getwd)\b|__dir__|__FILE__|\bDir\.current\b`},
	{"ruby", callers, `\bcaller(_locations)?\b|\bbacktrace\b|\bTracePoint\b|\bset_trace_func\b`},
	{"ruby", loaded, `\$LOADED_FEATURES\b|\$"|\$LOAD_PATH\b|\bObjectSpace\b|\bdefined\?|\bconst_(defined|get)\b|\bloaded_specs\b`},
	{"go", environment, `\b(os|syscall)\.(Getenv|LookupEnv|Environ|ExpandEnv)\b`},
	{"go", arguments, `\bos\.(Args|Executable)\b|\bflag\.\w`},
	{"go", place, `\bos\.Getwd\b|\bfilepath\.Abs\b`},
	{"go", callers, `\bruntime\.(Callers?|CallersFrames|FuncForPC|Stack)\b|\bdebug\.(Stack|PrintStack)\b`},
	{"go", loaded, `\btesting\.Testing\b|\bReadBuildInfo\b`},
	{"java kotlin", environment, `\bgetenv\b|\bgetPropert(y|ies)\b`},
	{"java kotlin", arguments, `\bgetInputArguments\b|\bProcessHandle\b`},
	{"java kotlin", callers, `\bgetStackTrace\b|\bStackWalker\b|\bnew\s+(Throwable|Exception)\(\)|\bstackTrace\b|\bThrowable\(\)`},
	{"java kotlin", loaded, `\bforName\(|\bgetSystemClassLoader\b|\bgetContextClassLoader\b`},
	{"php", environment, `\$_(ENV|SERVER)\b|\bgetenv\(`},
	{"php", arguments, `\$argv\b|\bPHP_SAPI\b|\bphp_sapi_name\b|\$GLOBALS\b`},
	{"php", place, `\bgetcwd\(|__(DIR|FILE)__`},
	{"php", callers, `\bdebug_(print_)?backtrace\b|\bgetTrace`},
	{"php", loaded, `\b(class|function|interface)_exists\(|\bget_(included_files|required_files|declared_classes|defined_constants)\b|\bdefined\(`},
	{"rust", environment, `\benv::(vars?(_os)?|args(_os)?|current_(dir|exe))\b|\b(option_)?env!|\bcfg!\s*\(\s*test`},
	{"rust", callers, `\b[Bb]acktrace\b|\bLocation::caller\b`},
	{"csharp", environment, `\bEnvironment\.\w|\bAppContext\b|\bGetCurrentDirectory\b|\bProcess\.GetCurrentProcess\b`},
	{"csharp", callers, `\bStack(Trace|Frame)\b|\bCaller(MemberName|FilePath|LineNumber)\b`},
	{"csharp", loaded, `\bGetAssemblies\b|\bGet(Entry|Calling|Executing)Assembly\b|\bAppDomain\b`},
	{"elixir", environment, `\bSystem\.(get_env|fetch_env!?|argv|cwd!?)|\bMix\.(env|target)\b|\bFile\.cwd`},
	{"elixir", loaded, `\bCode\.(loaded\?|ensure_)|\bProcess\.info\b|__STACKTRACE__|:code\.`},
	{"c", environment, `\b(secure_)?getenv\(|\benviron\b`},
	{"c", arguments, `\bargv\b|\bprogram_invocation|\b__progname\b`},
	{"c", callers, `\bbacktrace\(|\b__builtin_return_address\b|\bdl(addr|sym)\(`},
	{"swift", environment, `\bProcessInfo\b|\bCommandLine\b|\bgetenv\(|\bcallStack|\bcurrentDirectoryPath\b|\bNSClassFromString\b`},
	{"shell", environment, `\bprintenv\b|\$\{?(CI|PWD|OLDPWD|PPID|SHLVL|TMPDIR|HOME|NODE_ENV|[A-Z_]*TEST[A-Z_]*)\b|(^|[|;&]\s*)\s*(env|set|export -p)\s*($|\|)`},
	{"shell", callers, `\bBASH_SOURCE\b|\bFUNCNAME\b|\bcaller\b|\bps\s|\bpgrep\b|\$\{?0\b`},
	{"perl", environment, `%ENV\b|\$ENV\{|@ARGV\b|\$0\b|\bgetcwd\b|\bcwd\(|\bFindBin\b|__FILE__`},
	{"perl", callers, `\bcaller\b|%INC\b|\$INC\{`},
	{"dart", environment, `\bPlatform\.\w|\bfromEnvironment\b|\bStackTrace\b|\bDirectory\.current\b`},
	{"lua", environment, `\bos\.getenv\b|\bdebug\.\w|\bpackage\.loaded\b|\barg\[`},
}

var compiled = sync.OnceValue(func() []*regexp.Regexp {
	var list []*regexp.Regexp
	for _, q := range probes {
		list = append(list, regexp.MustCompile(`(?m)`+q.pattern))
	}
	return list
})

// Newly describes what a file reads more often than before, each thing once.
func Newly(path string, old, now []byte) []string {
	lang := testfile.Language(path)
	if lang == "" {
		return nil
	}
	var about []string
	for i, q := range probes {
		if q.langs != "" && !slices.Contains(strings.Fields(q.langs), lang) ||
			slices.Contains(about, q.about) {
			continue
		}
		re := compiled()[i]
		if n := len(re.FindAllIndex(now, -1)); n > 0 && n > len(re.FindAllIndex(old, -1)) {
			about = append(about, q.about)
		}
	}
	return about
}
