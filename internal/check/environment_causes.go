package check

import (
	"regexp"
	"strings"
	"sync"
)

// where says in which outputs a cause is recognized.
type where int

const (
	// byTools: in a tool's own words, if no failing test was recognized.
	byTools where = 0
	// byTests: also in failing tests, if all of them show the same cause.
	byTests where = 1 << iota
	// byCompilers: also among the errors of a compiler.
	byCompilers
)

// cause is one way in which the environment breaks a step. To add a tool, add its words here, and
// an output of it to testdata/environment.
type cause struct {
	// says is the message, in which $1 is what the words' groups matched and $line the whole line;
	// hint is how to fix it.
	says, hint string
	where      where
	// sure causes are recognized by words that no comparison has ("expected", "should be").
	sure bool
	// words are expressions of which the line matches one, in upper or lower case.
	words []string
	// beside, where set, must match another of the last lines: the first alone may be
	// the code's fault as well. The line must not match not.
	beside, not string
}

const (
	cureOnline  = "see that the package registry can be reached (network, proxy, login), or install the packages beforehand"
	cureNetwork = "see that the network and its proxy work"
	cureDisk    = "free some room on the disk"
	curePort    = "end the program that holds the port"
	cureInstall = "install it, or name the right command in .booty.yml"
	cureVersion = "install the version that the project asks for"
	cureMemory  = "give the machine or the tool more memory, or run fewer tests at once"
	cureRights  = "give the user who runs booty the right to it, or put the file's owner and mode right (chmod +x)"
	cureSandbox = "allow it by the setting named, in .booty.yml or your own config.yml, or change the command"
	cureService = "start the service that the tests need"
	cureSetup   = "set setup_command to what installs them"
)

const (
	saysVersion  = "the project asks for another version: $line"
	saysDownload = "a package could not be downloaded: $line"
	saysMissing  = "$1 is not installed"
)

// causes are all known causes. An output that matches none is a failure like any other.
var causes = []cause{
	{says: saysVersion, hint: cureVersion, where: byCompilers, sure: true, words: []string{
		`^go: (?:errors parsing go\.mod:|go\.mod|\S+@\S+|module \S+)?[^:]*requires go >= ?\S+ \(running`,
		`^go: download go\S+ for \S+: toolchain not available`,
		`^error: rustc \S+ is not supported by the following packages?`, `cannot be built because it requires rustc`,
		`^\s+\S+@\S+ requires rustc \S+$`, `^feature .edition20\d\d. is required$`, `this version of Cargo is older than the`,
		`^(?:\[ERROR\] )?(?:.*: )?(?:error: )?(?:release version \S+ not supported|invalid (?:target|source) release: \S+)`,
	}},
	{says: saysVersion, hint: cureVersion, where: byTests | byCompilers, sure: true, words: []string{
		`^\s*class file has wrong version [\d.]+, should be`, `(?:^|\s)java\.lang\.UnsupportedClassVersionError: \S+`,
		`^.*: Unsupported class file (?:major )?version \d+$`,
	}},
	{says: saysVersion, hint: cureVersion, sure: true, words: []string{
		`^(?:npm (?:err!|error) code EBADENGINE|\W*ERR_PNPM_UNSUPPORTED_ENGINE\b.*)$`,
		`^.*\bThe engine "(?:node|npm|yarn|pnpm)" is incompatible with this module.*$`,
		`^(?:You are using Node\.js \S+\. )?\w+(?: CLI)? requires Node\.js version\b`,
		`^error: This project's package\.json defines "packageManager": "[^"]+"`,
		`^This project is configured to use (?:yarn|pnpm|npm) because`,
		`requires at least JVM runtime version \d+`, `^> ?.*\bcompatible with Java \d+ and the consumer`,
		`Could not determine java version from '[^']+'`, `No matching toolchains found for requested specification`,
		`^\[ERROR\] .*RequireJavaVersion`, `Detected JDK .* is not in the allowed range`,
		`^ERROR: Package '?\S+'? requires a different Python: .+`, `requires-python .* (?:is not satisfied|excludes)`,
		`^\s*(?:×|error:) .*requires.?Python`, `^The current project's (?:supported )?Python requirement`,
		`^Current Python version \(\S+\) is not allowed by the project`,
		`because the (?:requested|current) Python version .* does not satisfy`,
		`Your Ruby version is \S+, but your Gemfile specified`, `Composer detected issues in your platform`,
		`requires (?:php|ext-\S+) \S+.*(?:your php version|it is missing from your system|does not satisfy)`,
		`^\*\* \(Mix\) You're trying to run .* on Elixir v\S+ but`,
	}},
	{says: "an interpreter or toolchain is not installed: $line", hint: cureInstall, where: byCompilers, sure: true, words: []string{
		`^go: cannot find GOROOT directory: \S+`, `^error: (?:toolchain|component) '[^']+'.* is not installed`,
		`^(?:error: )?(?:the )?JAVA_HOME (?:environment variable )?is (?:not (?:defined correctly|set)|set to an invalid directory)`,
		`Cannot find a Java installation`,
		`^(?:/\S+/)?(?:sh|bash|dash|zsh|ksh)(?:: (?:line )?\d+)?: \S+: (?:bad interpreter|cannot execute: required file not found)`,
	}},
	{says: "the sandbox could not be set up: $1", hint: "see booty doctor", words: []string{`^booty: sandbox: (.+)`}},
	{says: "the disk is full", hint: cureDisk, where: byTests, words: []string{
		`\bno space left on device(?: \(os error 28\))?(?:[\[\].,;)\s]|$)`, `^npm (?:err!|error) code ENOSPC`,
		`\bENOSPC: no space|not enough space on the disk|disk quota exceeded|\bEDQUOT\b`,
	}},
	{says: "the disk is full", hint: cureDisk, where: byCompilers, words: []string{
		`(?:writ(?:e|ing)|link failed|create|mkdir|copy|failed to) ?.*no space left on device`,
		`no space left on device \(os error 28\)$`,
	}},
	{says: "a port that the tests need is in use by another program", hint: curePort, where: byTests, words: []string{
		`address already in use|\bEADDRINUSE\b|only one usage of each socket address`,
	}},
	{says: "the limit of open files is reached", hint: "raise it: ulimit -n", where: byTests, words: []string{
		`too many open files|\bEMFILE\b|\bENFILE\b`,
	}},
	{says: "the memory is used up", hint: cureMemory, where: byCompilers, words: []string{
		`cannot allocate memory|\bENOMEM\b|javascript heap out of memory|java\.lang\.OutOfMemoryError`,
		`^Could not reserve enough space for|^MemoryError\b|^fatal error: runtime: out of memory`,
		`signal terminated program (?:cc1|ld|as|collect)|\bout of memory allocating|LLVM ERROR: out of memory`,
	}},
	{says: "a service that the tests need does not answer: $line", hint: cureService, where: byTests, words: []string{
		`(?:connection refused|ECONNREFUSED|could not connect|can't connect).{0,80}\b(?::|port )` + servicePorts + `\b`,
		`\b(?:127\.0\.0\.1|localhost|::1\]?):` + servicePorts + `\b.{0,80}(?:connection refused|ECONNREFUSED)`,
		`\bport ` + servicePorts + ` failed: connection refused`, `can't connect to (?:local )?(?:MySQL|MariaDB) server`,
		`cannot connect to the docker daemon|could not find a valid docker environment`,
		`error during connect: .*docker|permission denied while trying to connect to the docker`,
	}},
	{says: "a permission is missing: $line", hint: cureRights, words: []string{
		`^(?:(?:/\S+/)?(?:sh|bash|dash|zsh|ksh)(?:: (?:line )?\d+)?|g?make(?:\[\d+\])?): \S+: permission denied`,
		`^npm (?:err!|error) code (?:EACCES|EPERM)`, `^failed to initialize build cache at `,
		`^(?:mkdir|cp|mv|touch|rm|install|tee): .*: permission denied$`,
		`^error: (?:failed to (?:write|open|create)|could not (?:write|create)).*permission denied`,
		`^PermissionError: \[Errno 13\]`, `^ERROR: Could not install packages due to an (?:OS|Environment)Error: \[Errno 13\]`,
	}},
	{says: saysDownload, hint: cureOnline, where: byCompilers, not: `cannot find module providing package`, words: []string{
		`(?:^|: )[\w./~-]+@v?[\w.+-]+: .*(?:dial tcp|proxyconnect|forbidden|proxy authentication|connection refused|` +
			`connection reset|no such host|i/o timeout|tls handshake|x509:|could not resolve|\b(?:403|407|502|503|504)\b|EOF$|exit status 128)`,
		`: module lookup disabled by GOPROXY=off`,
		`^(?:warning: )?spurious network error|failed to download from .https?://|unable to update (?:registry|https?://)`,
		`^As a reminder, you're using offline mode`,
	}},
	// pip says the same of a version that was never made.
	{says: saysDownload, hint: cureOnline, words: []string{
		`^ERROR: (?:could not find a version that satisfies the requirement|no matching distribution found for) \S+`,
	}, beside: `^WARNING: Retrying \(Retry\(.*after connection broken by|Failed to establish a new connection|Max retries exceeded with url`},
	{says: saysDownload, hint: cureOnline, words: []string{
		`^npm (?:err!|error) (?:code (?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOTCACHED|E40[137]|E5\d\d|` +
			`ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+)$|network )`,
		`^\W*ERR_PNPM_(?:META_FETCH_FAIL|FETCH_(?:40[137]|5\d\d)|NO_OFFLINE_META|NO_OFFLINE_TARBALL)\b`,
		`^error (?:Error|An unexpected error occurred): .*(?:tunneling socket|getaddrinfo|ECONNREFUSED|ETIMEDOUT|` +
			`ESOCKETTIMEDOUT|ECONNRESET|40[37]|certificate)`,
		`^info There appears to be trouble with your network connection|^error Couldn't find any versions for .* in our cache`,
		`^(?:➤ )?YN\d{4}: .*(?:RequestError|getaddrinfo|ECONNREFUSED|Bad response: [45]\d\d|Response Code: [45]\d\d|\(40[137]\)|network)`,
		`^error: (?:DNSResolveFailed|ConnectionRefused|ConnectionClosed|ProxyConnectFailed|FailedToOpenSocket|Timeout|` +
			`UNABLE_TO_\w+|GET \S+ - [45]\d\d)\b`,
		`could not transfer artifact|cannot access \S+ \(\S+\) in offline mode`,
		`^\s*> (?:could not (?:GET|HEAD) |could not download \S+\.(?:jar|pom|module)\b|` +
			`no cached version (?:of|listing for) .*offline mode|unknown host)`,
		`^Exception in thread "main" java\.net\.(?:UnknownHost|Connect|SocketTimeout)Exception`,
		`^(?:error: |\s+× |  ├─▶ |  ╰─▶ |\s*Caused by: )?(?:Failed to fetch: .https?://|Failed to download .\S+==|` +
			`Request failed after \d+ retries|error sending request for url|All attempts to connect to \S+ failed|Could not connect to \S+ server)`,
		`^\s*HTTPSConnectionPool\(host=.*Max retries exceeded`,
		`^\s*(?:requests|urllib3|httpx|httpcore)\.(?:exceptions\.)?\w*(?:ConnectionError|ConnectError|ProxyError|ConnectTimeout)`,
		`^\s*Could not reach host |^Could not fetch specs from|^Retrying fetcher due to error`,
		`rubygems/search\?q=(?:40[37]|5\d\d)|^Net::HTTP(?:Client|Fatal|Server)Exception: (?:40[37]|5\d\d)`,
		`^(?:Network error while fetching|Bundler::HTTPError|ERROR:  Could not find a valid gem .* unable to download)`,
		`^\s*The "https?://[^"]*" file could not be downloaded|curl error \d+ while downloading https?://`,
		`failed to open stream: (?:Cannot connect to HTTPS server through proxy|Connection (?:refused|timed out))`,
		`^Could not find Hex, which is needed|^\*\* \(Mix\) (?:httpc request failed|Could not (?:install|fetch|download)|Hex could not)`,
	}},
	{says: "the network does not answer", hint: cureNetwork, where: byTests, words: []string{
		`could not resolve host|temporary failure in name resolution|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)`,
		`dial tcp: lookup \S+.*(?:no such host|server misbehaving|i/o timeout)|name or service not known`,
		`network is unreachable|\bENETUNREACH\b`,
	}},
	// What does not answer on this machine may be the code's own server.
	{says: "the network does not answer: $line", hint: cureNetwork, words: []string{`^curl: \((?:5|6|7|28|56)\) `},
		not: ` (?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)\b`},
	{says: saysMissing, hint: cureInstall, where: byCompilers, words: []string{
		"^(?:error: )?linker [`'\"]([\\w.+-]+)[`'\"] not found$", `C compiler "([^"]+)" not found`,
	}},
	{says: saysMissing, hint: cureInstall, words: []string{
		`^\W*ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL\W+Command "([\w.+-]+)" not found`, `^error Command "([\w.+-]+)" not found`,
		`^(?:/\S+/)?(?:env|sh|bash|dash|zsh|ksh)(?:: (?:line )?\d+)?: ([\w.+/-]+): (?:command )?not found`,
		`^(?:env|/usr/bin/env): [‘'"]?([\w.+-]+)['’"]?: no such file or directory`,
		`^g?make(?:\[\d+\])?: ([\w.+-]+): (?:no such file or directory|command not found)`,
		`^'?"?([\w.+-]+)"?'? is not recognized as an internal or external command`,
		`exec: "([\w.+-]+)": executable file not found in`, `error while loading shared libraries: (\S+):`,
		`^\S*python[\d.]*(?:\.exe)?: no module named ([\w.]+)`,
		`^\s*This is not the ([\w-]+) command you are looking for`, // what npx gets where tsc is not there
		`^npm (?:err!|error) npx canceled due to missing packages and no YES option: \["(@?[\w./-]+)`,
	}},
	{says: "the project's packages are not installed: $line", hint: cureSetup, words: []string{
		`^bundler: command not found: \S+|^Could not find \S+ in (?:any of the sources|locally installed gems|cached gems)`,
		`^Could not find gem '[^']+'`, `^Could not open input file: (?:\S*vendor/bin/\S+|artisan)$`,
		`\(include_path=.*vendor/autoload\.php|Failed opening required '\S*vendor/autoload\.php'`,
		`^Unchecked dependencies for environment|^\*\* \(Mix\) Can't continue due to errors on dependencies`,
		`^\s*the dependency is not available, run "mix deps\.get"`,
	}},
}

// servicePorts are those of databases and queues.
const servicePorts = `(?:5432|3306|6379|27017|5672|9092|9200|11211|1433)`

// matcher is a cause with its expressions compiled.
type matcher struct {
	cause
	re, beside, not *regexp.Regexp
}

var matchers = sync.OnceValue(func() []matcher {
	compile := func(words ...string) *regexp.Regexp {
		if words[0] == "" {
			return nil
		}
		return regexp.MustCompile(`(?i)` + strings.Join(words, "|"))
	}
	var all []matcher
	for _, c := range causes {
		all = append(all, matcher{c, compile(c.words...), compile(c.beside), compile(c.not)})
	}
	return all
})

// fault returns the fault that a line shows, if it shows this cause.
func (m *matcher) fault(line string) Fault {
	groups := m.re.FindStringSubmatch(line)
	if groups == nil || m.not != nil && m.not.MatchString(line) {
		return Fault{}
	}
	says := strings.NewReplacer("$line", firstLine(line), "$1", strings.Join(groups[1:], "")).Replace(m.says)
	return Fault{says, m.hint}
}
