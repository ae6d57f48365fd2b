package check

import (
	"regexp"
	"strings"
	"sync"
)

// where says in which outputs a cause may be told.
type where int

const (
	// byTools: by a tool's own words, where no test was recognised as failing.
	byTools where = 0
	// byTests: also by failing tests, where all of them tell the same.
	byTests where = 1 << iota
	// byCompilers: also among the complaints of a compiler.
	byCompilers
)

// cause is one way in which the environment breaks a step. To add one, add a
// row and an output of the tool to testdata/environment.
type cause struct {
	re *regexp.Regexp
	// says is the sentence to tell, in which $1 is what the pattern's groups
	// matched; hint is what fixes it.
	says, hint string
	where      where
	// beside, where not nil, must match another of the last lines: the first
	// alone may be the code's fault as well.
	beside *regexp.Regexp
	// not, where not nil, must not match the line.
	not *regexp.Regexp
	// sure causes are told in words that no comparison has.
	sure bool
}

func (c cause) sentence(match []string) string {
	return strings.ReplaceAll(c.says, "$1", strings.Join(match[1:], ""))
}

const (
	cureOnline  = "see that the package registry can be reached (network, proxy, login), or install the packages beforehand"
	cureNetwork = "see that the network and its proxy work"
	cureDisk    = "free some room on the disk"
	curePort    = "end the program that holds the port"
	cureInstall = "install it, or name the right command in .booty.yml"
	cureVersion = "install the version that the project asks for"
	cureMemory  = "give the machine or the tool more memory, or run fewer tests at once"
	cureRights  = "give the user who runs booty the right to it, or put the file's owner and mode right"
	cureSandbox = "allow it by the setting named, in .booty.yml or your own config.yml, or change the command"
	cureService = "start the service that the tests need"
)

var causes = sync.OnceValue(func() []cause {
	row := func(pattern, says, hint string, w where) cause {
		return cause{re: regexp.MustCompile(`(?i)` + pattern), says: says, hint: hint, where: w}
	}
	var all []cause
	all = append(all, versionCauses(row)...)
	for i := range all {
		all[i].sure = true // "expected version", "should be"
	}
	all = append(all, machineCauses(row)...)
	all = append(all, downloadCauses(row)...)
	all = append(all, networkCauses(row)...)
	return append(all, missingCauses(row)...)
})

type rowFunc func(pattern, says, hint string, w where) cause

// versionCauses: a toolchain that is too old, or too new.
func versionCauses(row rowFunc) []cause {
	return []cause{
		row(`^go: (?:errors parsing go\.mod:|go\.mod|\S+@\S+|module \S+)?[^:]*requires (go >= ?\S+) \(running`,
			"the project requires $1, and an older one is installed", cureVersion, byCompilers),
		row(`^go: download (go\S+) for \S+: toolchain not available`, "toolchain $1 is not available",
			cureVersion, byCompilers),
		row(`^go: cannot find GOROOT directory: (\S+)`, "Go's own folder $1 is missing", cureInstall,
			byCompilers),
		row(`^error: rustc \S+ is not supported by the following packages?|`+
			`cannot be built because it requires rustc|^\s+\S+@\S+ requires (rustc \S+)$`,
			"the project asks for a newer rustc", cureVersion, byCompilers),
		row(`^error: (?:toolchain|component) '([^']+)'.* is not installed`,
			"the Rust toolchain $1 is not installed", "rustup toolchain install it", byTools),
		row(`^feature .edition20\d\d. is required$|this version of Cargo is older than the`,
			"the project asks for a newer Cargo", cureVersion, byCompilers),
		row(`^(?:npm (?:err!|error) code EBADENGINE|\W*ERR_PNPM_UNSUPPORTED_ENGINE\b.*|`+
			`.*\bThe engine "(?:node|npm|yarn|pnpm)" is incompatible with this module.*)$`,
			"the project asks for another version of Node.js or of its package manager", cureVersion, byTools),
		row(`^(?:You are using Node\.js \S+\. )?(\w+(?: CLI)?) requires Node\.js version\b`,
			"$1 asks for another version of Node.js", cureVersion, byTools),
		row(`^error: This project's package\.json defines "packageManager": "([^"]+)"|`+
			`^This project is configured to use (yarn|pnpm|npm) because`,
			"the project asks for the package manager $1", cureVersion, byTools),
		row(`^\s*class file has wrong version [\d.]+, should be|`+
			`(?:^|\s)java\.lang\.UnsupportedClassVersionError: \S+|`+
			`^.*: Unsupported class file (?:major )?version \d+$`,
			"classes were compiled for a newer Java than the one in use",
			"install the Java version that the project asks for, or point JAVA_HOME to it",
			byTests|byCompilers),
		row(`^(?:\[ERROR\] )?(?:.*: )?(?:error: )?(?:release version (\S+) not supported|`+
			`invalid (?:target|source) release: (\S+))`,
			"the project asks for Java $1, which this compiler does not know",
			"install that Java version, or point JAVA_HOME to it", byCompilers),
		row(`requires at least JVM runtime version (\d+)|^> ?.*\bcompatible with Java (\d+) and the consumer|`+
			`Could not determine java version from '([^']+)'|`+
			`No matching toolchains found for requested specification|Cannot find a Java installation`,
			"Gradle asks for another Java", "install that Java version, or point JAVA_HOME to it", byTools),
		row(`^\[ERROR\] .*RequireJavaVersion|Detected JDK .* is not in the allowed range`,
			"the project asks for another Java", "install that Java version, or point JAVA_HOME to it",
			byTools),
		row(`^ERROR: Package '?\S+'? requires a different Python: (.+)|`+
			`requires-python .* (?:is not satisfied|excludes)|^\s*(?:×|error:) .*requires.?Python|`+
			`^The current project's (?:supported )?Python requirement|`+
			`^Current Python version \(\S+\) is not allowed by the project|`+
			`because the (?:requested|current) Python version .* does not satisfy`,
			"the project asks for another Python", cureVersion, byTools),
		row(`Your Ruby version is (\S+), but your Gemfile specified`,
			"the Gemfile asks for another Ruby than $1", cureVersion, byTools),
		row(`requires (?:php|ext-\S+) \S+.*(?:your php version|it is missing from your system|`+
			`does not satisfy)|Composer detected issues in your platform`,
			"the project asks for another PHP, or an extension of it", cureVersion, byTools),
		row(`^\*\* \(Mix\) You're trying to run .* on Elixir v(\S+) but`,
			"the project asks for another Elixir than $1", cureVersion, byTools),
		row(`\berror NETSDK1045:|^A compatible (?:installed )?\.NET (?:Core )?SDK .*was not found|`+
			`The framework 'Microsoft\.\S+', version '([^']+)'.* was not found|`+
			`You must install or update \.NET to run this application`,
			"the project asks for another .NET", cureVersion, byTools|byCompilers),
		row(`is using Swift tools version (\S+) but the installed version is`, "the project asks for Swift $1",
			cureVersion, byTools|byCompilers),
		row(`^CMake Error .*|^\s+CMake (\S+) or higher is required`, "the project asks for CMake $1 or newer",
			cureVersion, byTools),
	}
}

// machineCauses: disk, memory, ports, rights, limits, services.
func machineCauses(row rowFunc) []cause {
	ports := `(5432|3306|6379|27017|5672|9092|9200|11211|1433)`
	return []cause{
		row(`^booty: sandbox: (.+)`, "the sandbox could not be set up: $1", "see booty doctor", byTools),
		row(`\bno space left on device(?: \(os error 28\))?(?:[\[\].,;)\s]|$)|`+
			`^npm (?:err!|error) code ENOSPC|\bENOSPC: no space|not enough space on the disk|disk quota exceeded|`+
			`\bEDQUOT\b`,
			"the disk is full", cureDisk, byTests),
		row(`(?:writ(?:e|ing)|link failed|create|mkdir|copy|failed to) ?.*no space left on device|`+
			`no space left on device \(os error 28\)$`,
			"the disk is full", cureDisk, byCompilers),
		row(`address already in use|\bEADDRINUSE\b|only one usage of each socket address`,
			"a port that the tests need is in use by another program", curePort, byTests),
		row(`too many open files|\bEMFILE\b|\bENFILE\b`, "the limit of open files is reached",
			"raise it: ulimit -n", byTests),
		row(`cannot allocate memory|\bENOMEM\b|javascript heap out of memory|java\.lang\.OutOfMemoryError|`+
			`^Could not reserve enough space for|^MemoryError\b|^fatal error: runtime: out of memory|`+
			`signal terminated program (?:cc1|ld|as|collect)|\bout of memory allocating|LLVM ERROR: out of memory`,
			"the memory is used up", cureMemory, byCompilers),
		row(`cannot connect to the docker daemon|could not find a valid docker environment|`+
			`error during connect: .*docker|permission denied while trying to connect to the docker`,
			"the tests need Docker, and it does not answer", "start Docker, and see that the user may reach it",
			byTests),
		row(`(?:connection refused|ECONNREFUSED|could not connect|can't connect).{0,80}\b(?::|port )`+ports+`\b|\b(?:127\.0\.0\.1|localhost|::1\]?):`+ports+`\b.{0,80}(?:connection refused|ECONNREFUSED)|\bport `+ports+` failed: connection refused`,
			"a service that the tests need (port $1) does not answer", cureService, byTests),
		row(`can't connect to (?:local )?(MySQL|MariaDB) server`,
			"a service that the tests need ($1) does not answer", cureService, byTests),
		row(`^npm (?:err!|error) code (?:EACCES|EPERM)|^failed to initialize build cache at |`+
			`^(?:mkdir|cp|mv|touch|rm|install|tee): .*: permission denied$|`+
			`^error: (?:failed to (?:write|open|create)|could not (?:write|create)).*permission denied|`+
			`^PermissionError: \[Errno 13\]|`+
			`^ERROR: Could not install packages due to an (?:OS|Environment)Error: \[Errno 13\]`,
			"a permission is missing", cureRights, byTools),
		row(`^(?:(?:/\S+/)?(?:sh|bash|dash|zsh|ksh)(?:: (?:line )?\d+)?|`+
			`g?make(?:\[\d+\])?): (\S+): permission denied`,
			"$1 may not be executed", "chmod +x it", byTools),
	}
}

// downloadCauses: packages that a package manager could not get.
func downloadCauses(row rowFunc) []cause {
	unreached := `(?:dial tcp|proxyconnect|forbidden|proxy authentication|connection refused|` +
		`connection reset|no such host|i/o timeout|tls handshake|x509:|could not resolve|` +
		`\b(?:403|407|502|503|504)\b|EOF$|exit status 128)`
	gomod := row(`(?:^|: )[\w./~-]+@v?[\w.+-]+: .*`+unreached, "a Go module could not be downloaded",
		cureOnline, byCompilers)
	goOff := row(`: module lookup disabled by GOPROXY=off`, "a Go module is not here, and GOPROXY is off",
		cureOnline, byCompilers)
	goOff.not = regexp.MustCompile(`cannot find module providing package`)
	// pip says the same of a version that nobody ever made.
	noNetwork := regexp.MustCompile(`(?i)^WARNING: Retrying \(Retry\(.*after connection broken by|` +
		`Failed to establish a new connection|Max retries exceeded with url`)
	pip := row(`^ERROR: (?:could not find a version that satisfies the requirement|`+
		`no matching distribution found for) (\S+)`,
		"the Python package $1 could not be downloaded", cureOnline, byTools)
	pip.beside = noNetwork
	hex := row(`^Failed to fetch record for (\S+)`, "the Elixir package $1 could not be downloaded", cureOnline,
		byTools)
	hex.beside = regexp.MustCompile(`^:(?:timeout|nxdomain|econnrefused)|:failed_connect|\b(?:403|407|5\d\d)\b`)
	return []cause{
		gomod, goOff, pip, hex,
		row(`^npm (?:err!|`+
			`error) (?:code (?:ETIMEDOUT|ECONNRESET|ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ENOTCACHED|E40[137]|E5\d\d|`+
			`ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+)$|network )`,
			"an npm package could not be downloaded", cureOnline, byTools),
		row(`^\W*ERR_PNPM_(?:META_FETCH_FAIL|FETCH_(?:40[137]|5\d\d)|NO_OFFLINE_META|NO_OFFLINE_TARBALL)\b`,
			"an npm package could not be downloaded", cureOnline, byTools),
		row(`^error (?:Error|An unexpected error occurred): .*(?:tunneling socket|getaddrinfo|ECONNREFUSED|`+
			`ETIMEDOUT|ESOCKETTIMEDOUT|ECONNRESET|40[37]|certificate)|`+
			`^info There appears to be trouble with your network connection|`+
			`^error Couldn't find any versions for .* in our cache`,
			"an npm package could not be downloaded", cureOnline, byTools),
		row(`^(?:➤ )?YN\d{4}: .*(?:RequestError|getaddrinfo|ECONNREFUSED|Bad response: [45]\d\d|`+
			`Response Code: [45]\d\d|\(40[137]\)|network)`,
			"an npm package could not be downloaded", cureOnline, byTools),
		row(`^error: (?:DNSResolveFailed|ConnectionRefused|ConnectionClosed|ProxyConnectFailed|`+
			`FailedToOpenSocket|Timeout|UNABLE_TO_\w+|GET \S+ - [45]\d\d)\b`,
			"an npm package could not be downloaded", cureOnline, byTools),
		row(`^error: Uncaught .*error sending request for url|`+
			`^error: (?:Import|JSR package|npm package) .*(?:failed|error sending request)`,
			"a package could not be downloaded", cureOnline, byTools),
		row(`^(?:warning: )?spurious network error|failed to download from .https?://|`+
			`unable to update (?:registry|https?://)|^As a reminder, you're using offline mode`,
			"a Rust package could not be downloaded", cureOnline, byCompilers),
		row(`could not transfer artifact|cannot access \S+ \(\S+\) in offline mode`,
			"a Maven package could not be downloaded", cureOnline, byTools),
		row(`^\s*> (?:could not (?:GET|HEAD) |could not download \S+\.(?:jar|pom|module)\b|`+
			`no cached version (?:of|listing for) .*offline mode|unknown host)|`+
			`^Exception in thread "main" java\.net\.(?:UnknownHost|Connect|SocketTimeout)Exception|`+
			`\bCould not install Gradle distribution from`,
			"a package that Gradle needs could not be downloaded", cureOnline, byTools),
		row(`^(?:error: |\s+× |  ├─▶ |  ╰─▶ |\s*Caused by: )?(?:Failed to fetch: .https?://|`+
			`Failed to download .\S+==|Request failed after \d+ retries|error sending request for url|`+
			`All attempts to connect to \S+ failed|Could not connect to \S+ server)|`+
			`^\s*HTTPSConnectionPool\(host=.*Max retries exceeded|`+
			`^\s*(?:requests|urllib3|httpx|httpcore)\.(?:exceptions\.)?\w*(?:ConnectionError|ConnectError|`+
			`ProxyError|ConnectTimeout)`,
			"a Python package could not be downloaded", cureOnline, byTools),
		row(`^\s*Could not reach host |^Could not fetch specs from|^Retrying fetcher due to error|`+
			`rubygems/search\?q=(?:40[37]|5\d\d)|^Net::HTTP(?:Client|Fatal|Server)Exception: (?:40[37]|5\d\d)|`+
			`^(?:Network error while fetching|Bundler::HTTPError|`+
			`ERROR:  Could not find a valid gem .* unable to download)`,
			"a Ruby package could not be downloaded", cureOnline, byTools),
		row(`^\s*The "https?://[^"]*" file could not be downloaded|`+
			`curl error \d+ while downloading https?://|`+
			`failed to open stream: (?:Cannot connect to HTTPS server through proxy|`+
			`Connection (?:refused|timed out))`,
			"a PHP package could not be downloaded", cureOnline, byTools),
		row(`^Could not find Hex, which is needed|`+
			`^\*\* \(Mix\) (?:httpc request failed|Could not (?:install|fetch|download)|Hex could not)|`+
			`^Could not install (?:Hex|Rebar)`,
			"an Elixir package could not be downloaded",
			"run mix local.hex and mix deps.get where the network works", byTools),
		row(`\berror NU1301:|\bNU1301\b.*service index|Unable to load the service index for source`,
			"a NuGet package could not be downloaded", cureOnline, byTools|byCompilers),
	}
}

// networkCauses: the network as such.
func networkCauses(row rowFunc) []cause {
	// What does not answer on this machine may be the code's own server.
	elsewhere := row(`^curl: \((?:7|28)\) (?:failed to connect to|connection timed out) (\S+)`,
		"$1 does not answer", cureNetwork, byTools)
	elsewhere.not = regexp.MustCompile(`(?i) (?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?)\b`)
	return []cause{
		row(`^curl: \((?:5|6|56)\) `, "the network does not answer", cureNetwork, byTools),
		elsewhere,
		row(`could not resolve host|temporary failure in name resolution|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|`+
			`dial tcp: lookup \S+.*(?:no such host|server misbehaving|i/o timeout)|name or service not known|`+
			`network is unreachable|\bENETUNREACH\b`,
			"the network does not answer", cureNetwork, byTests),
	}
}

// missingCauses: tools, interpreters and modules that are not installed.
func missingCauses(row rowFunc) []cause {
	const shell = `(?:env|sh|bash|dash|zsh|ksh)(?:: (?:line )?\d+)?`
	return []cause{
		row(`^(?:error: )?(?:the )?JAVA_HOME (?:environment variable )?is (?:not (?:defined correctly|set)|`+
			`set to an invalid directory)`,
			"Java is not installed, or JAVA_HOME is wrong", "install Java, or set JAVA_HOME", byTools),
		row("^(?:error: )?linker [`'\"]([\\w.+-]+)[`'\"] not found$", "the linker $1 is not installed",
			cureInstall, byTools|byCompilers),
		row(`C compiler "([^"]+)" not found`, "the C compiler $1 is not installed", cureInstall,
			byTools|byCompilers),
		row(`^(?:/\S+/)?`+shell+`: ([\w.+/-]+): (?:command )?not found`, "$1 is not installed", cureInstall,
			byTools),
		row(`^(?:/\S+/)?`+shell+`: (\S+): (?:bad interpreter|cannot execute: required file not found)`,
			"the interpreter of $1 is not installed", cureInstall, byTools),
		row(`^(?:env|/usr/bin/env): [‘'"]?([\w.+-]+)['’"]?: no such file or directory`, "$1 is not installed",
			cureInstall, byTools),
		row(`^g?make(?:\[\d+\])?: ([\w.+-]+): (?:no such file or directory|command not found)`,
			"$1 is not installed", cureInstall, byTools),
		row(`^'?"?([\w.+-]+)"?'? is not recognized as an internal or external command`, "$1 is not installed",
			cureInstall, byTools),
		row(`^\S*python[\d.]*(?:\.exe)?: no module named ([\w.]+)`, "the Python module $1 is not installed",
			cureInstall, byTools),
		row(`exec: "([\w.+-]+)": executable file not found in`, "$1 is not installed", cureInstall, byTools),
		row(`error while loading shared libraries: (\S+):`, "the shared library $1 is missing", cureInstall,
			byTools),
		row(`^bundler: command not found: (\S+)|`+
			`^Could not find (\S+) in (?:any of the sources|locally installed gems|cached gems)|`+
			`^Could not find gem '([^']+)'`,
			"the Ruby gem $1 is not installed", "run bundle install", byTools),
		row(`^Could not open input file: (\S*vendor/bin/\S+|artisan)$|\(include_path=.*vendor/autoload\.php|`+
			`Failed opening required '\S*(vendor/autoload\.php)'`,
			"the PHP packages are not installed ($1)", "run composer install", byTools),
		row(`^Unchecked dependencies for environment|`+
			`^\*\* \(Mix\) Can't continue due to errors on dependencies|`+
			`^\s*the dependency is not available, run "mix deps\.get"`,
			"the Elixir packages are not installed", "run mix deps.get", byTools),
	}
}
