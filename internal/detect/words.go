package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// role is the purpose of a command.
type role int

const (
	noRole role = iota
	testRole
	buildRole
	setupRole
	lintRole
	formatRole
	typeRole
)

var gateNames = map[role]string{lintRole: "lint", formatRole: "format", typeRole: "typecheck"}

// words map commands to roles. The pattern must match whole words at the start of a
// command, without its variables and wrappers. This only chooses what is tried: the run
// shows whether something is a test command.
var words = []struct {
	language string
	role     role
	pattern  string
}{
	{"go", noRole, `go test .*-(?:fuzz|bench)\S*.*`}, {"go", testRole, `(?:go|richgo) test|gotestsum|ginkgo`}, {"go", lintRole, `golangci-lint run|go vet|staticcheck`},
	{"go", setupRole, `go mod download|go get`}, {"go", buildRole, `go build|go generate`},
	{"rust", noRole, `cargo (?:\S+ )*?(?:miri|hack|llvm-cov|tarpaulin|fuzz|bench)`},
	{"rust", testRole, `cargo (?:test|t|nextest run|nextest r)`}, {"rust", lintRole, `cargo clippy`},
	{"rust", formatRole, `cargo fmt .*--check.*`}, {"rust", buildRole, `cargo (?:build|check)`},
	{"deno", testRole, `deno test`}, {"deno", lintRole, `deno lint`}, {"deno", formatRole, `deno fmt .*--check.*`},
	{"deno", typeRole, `deno check`},
	{"node", setupRole, `(?:npm|pnpm|yarn|bun) (?:ci|install|i|clean-install)(?: .*)?|yarn(?: --.*)?$|(?:pnpm |yarn |npm )?playwright install`},
	{"node", testRole, `(?:turbo|lerna) run test\S*|turbo test|nx (?:run-many|affected) .*(?:-t|--targets?)[ =]\S*test.*`},
	{"node", testRole, `(?:pnpm |yarn )?(?:vitest|jest|mocha|ava|tap|jasmine|playwright test|cypress run)|node (?:\S+ )*?--test|bun test|yarn workspaces (?:foreach|run) .*\btest`},
	{"node", typeRole, `(?:yarn |pnpm )?tsc`}, {"node", lintRole, `(?:yarn |pnpm )?(?:eslint|oxlint|biome (?:ci|check|lint))`},
	{"node", formatRole, `(?:yarn |pnpm )?prettier .*(?:--check|-c|-l|--list-different).*`},
	{"python", setupRole, `(?:python\S* -m )?pip\d? install|uv sync|uv pip install|poetry install|pdm (?:install|sync)|pipenv (?:install|sync)|hatch env create|conda (?:install|env)`},
	{"python", typeRole, `(?:tox|nox) .*(?:-e|-s|--session|--env)[ =](?:typ|mypy|pyright|pyrefly)\S*.*`},
	{"python", lintRole, `(?:tox|nox) .*(?:-e|-s|--session|--env)[ =](?:lint|style|flake8|pre-commit|pep8|check|ruff|fmt|format)\S*.*`},
	{"python", noRole, `(?:tox|nox) .*--no-?tests?.*|(?:tox|nox) .*(?:-e|-s|--session|--env)[ =](?:doc|build|release|pkg|coverage|dist)\S*.*|pytest .*--(?:collect-only|co|version|help).*`},
	{"python", testRole, `tox|nox|pytest|py\.test|unittest|hatch (?:run )?(?:\S+:)?(?:test|cov)|(?:python\S* )?(?:\./)?manage\.py test|python\S* (?:\S*/)?(?:run_?)?tests?\S*\.py|trial|stestr run`},
	{"python", lintRole, `ruff check|flake8|pylint|pre-commit run|prek run`}, {"python", formatRole, `(?:ruff format|black|isort) .*--(?:check|diff|check-only).*`},
	{"python", typeRole, `mypy|pyright|basedpyright|ty check|pyrefly check`},
	{"java", formatRole, `(?:\./)?mvnw?d? .*(?:spotless:check|fmt:check|formatter:validate).*|(?:\./)?gradlew? .*(?:spotlessCheck|ktlintCheck).*`},
	{"java", testRole, `(?:\./)?mvnw?d?(?: .*)? (?:verify|test|install|package|integration-test)|(?:\./)?mvnw?(?: -\S+)*$`},
	{"java", lintRole, `(?:\./)?gradlew? .*(?:detekt|checkstyleMain|lint).*`},
	{"java", testRole, `(?:\./)?gradlew?(?: .*)? (?:\S*:)?(?:test|check|build|allTests|jvmTest)`},
	{"ruby", setupRole, `bundle(?: install.*)?$|(?:bin/|\./bin/)?(?:rails|rake) db:\S+|(?:\./)?bin/setup`}, {"ruby", buildRole, `rake (?:compile|build)`},
	{"ruby", lintRole, `(?:\./)?(?:bin/)?(?:rubocop|standardrb|rake (?:rubocop|standard|lint)\S*)`},
	{"ruby", testRole, `(?:\./)?(?:bin/)?(?:rails test\S*|rspec|rake(?: -\S+)*(?: (?:test|spec|default|ci|cucumber)\S*.*|$)|cucumber|m|minitest|mtest)`},
	{"php", setupRole, `composer (?:install|update|u|i)`},
	{"php", testRole, `(?:\./)?(?:phpunit|simple-phpunit|pest|paratest)|artisan test|composer (?:run |run-script |exec (?:-- )?)?(?:-\S+ )*(?:tests?|phpunit|unit|pest)(?::\S+)?`},
	{"php", typeRole, `(?:\./)?(?:phpstan|psalm)|composer (?:run |run-script )?(?:phpstan|stan|psalm|analy[sz]e|static)\S*`},
	{"php", formatRole, `(?:\./)?(?:pint|php-cs-fixer|phpcs|ecs)|composer (?:run |run-script )?(?:cs|lint|style|format)\S*`},
	{"elixir", setupRole, `mix (?:deps\.get|local\.\S+|ecto\.\S+|(?:\S+\.)?setup)`}, {"elixir", testRole, `mix (?:test|coveralls(?:\.\S+)?)|mix do .*\btest`},
	{"elixir", formatRole, `mix format .*--check-formatted.*`}, {"elixir", lintRole, `mix credo`}, {"elixir", typeRole, `mix dialyzer`},
	{"dotnet", testRole, `dotnet test`}, {"dotnet", setupRole, `dotnet restore`}, {"dotnet", formatRole, `dotnet format .*--verify-no-changes.*`},
	{"swift", testRole, `swift test`}, {"swift", lintRole, `swiftlint`}, {"swift", formatRole, `(?:swift format lint|swift-format lint|swiftformat .*--lint).*`},
	{"c", testRole, `ctest|meson test|ninja .*(?:test|check)|cmake --build .*(?:--target|-t) (?:test|check)`},
	{"c", buildRole, `cmake|meson (?:setup|compile|build)|ninja`},
	{"c", setupRole, `autoreconf|(?:sh )?(?:\S*/)?(?:configure|autogen\.sh|bootstrap(?:\.sh)?|buildconf)`},
	{"shell", testRole, `(?:\S*/)?bats|shellspec`}, {"shell", lintRole, `shellcheck`}, {"shell", formatRole, `shfmt .*(?:-d|--diff).*`},
	{"bazel", testRole, `(?:bazel|bazelisk) test`}, {"zig", testRole, `zig build (?:.* )?test`}, {"scala", testRole, `sbt .*\btest.*`},
	{"clojure", testRole, `lein (?:.* )?test|clojure .*:test.*`}, {"haskell", testRole, `(?:stack|cabal) (?:.* )?test`},
	{"ocaml", testRole, `dune (?:test|runtest|build @runtest)`}, {"gleam", testRole, `gleam test`},
	{"perl", testRole, `prove`}, {"perl", setupRole, `cpanm|perl (?:Makefile|Build)\.PL`}, {"lua", testRole, `busted`},
	{"dart", testRole, `(?:dart|flutter) test`}, {"dart", lintRole, `(?:dart|flutter) analyze`}, {"dart", setupRole, `(?:dart|flutter) pub get`},
}

// actions are actions that stand for a command.
var actions = map[string]string{
	"golangci/golangci-lint-action": "golangci-lint run", "astral-sh/ruff-action": "ruff check",
	"chartboost/ruff-action": "ruff check",
	"psf/black":              "black --check .", "pre-commit/action": "pre-commit run --all-files",
	"cypress-io/github-action":   "cypress run",
	"gradle/gradle-build-action": "./gradlew {arguments}", "actions-rs/cargo": "cargo {command} {args}",
	"ramsey/composer-install": "composer install", "bahmutov/npm-install": "npm ci",
}

var wordPatterns = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, w := range words {
		out = append(out, regexp.MustCompile(`^(?:`+w.pattern+`)(?:\s|$)`))
	}
	return out
})

// read returns the role of a command; the language is "" if unknown.
func read(text string) (language string, r role) {
	text = coreCommand(text)
	for i, re := range wordPatterns() {
		if re.MatchString(text) {
			return words[i].language, words[i].role
		}
	}
	return "", noRole
}

// starters are wrappers before a command that do not change its purpose.
var starters = [][]string{
	{"uv", "run"}, {"poetry", "run"}, {"pdm", "run"}, {"pipenv", "run"}, {"rye", "run"}, {"hatch", "run"}, {"pipx", "run"}, {"uvx"},
	{"uv", "tool", "run"}, {"bundle", "exec"}, {"npx"}, {"bunx"}, {"pnpm", "exec"}, {"pnpm", "dlx"}, {"npm", "exec"}, {"yarn", "exec"},
	{"yarn", "dlx"}, {"yarn", "run"}, {"mise", "exec"}, {"nyc"}, {"c8"}, {"php"}, {"coverage", "run", "-m"}, {"coverage", "run"}, {"opam", "exec"},
	{"composer", "exec"}, {"dotenv"}, {"cross-env"}, {"nix", "develop", "-c"},
}

// valued are options of starters that take an argument.
var valued = []string{"--group", "--extra", "--with", "--python", "-p", "-E", "--package", "--only-group",
	"--env-file",
	"--directory", "--no-group", "-d", "--reporter", "--source"}

// coreCommand returns a command without variables before it and without wrappers.
func coreCommand(text string) string {
	words := strings.Fields(unassigned(text))
	for again := true; again && len(words) > 0; {
		again = false
		for len(words) > 1 && assigns().MatchString(words[0]) {
			words, again = words[1:], true
		}
		for _, s := range starters {
			if len(words) > len(s) && slices.Equal(words[:len(s)], s) {
				words, again = afterOptions(words[len(s):]), true
				break
			}
		}
		if len(words) > 2 && python().MatchString(words[0]) && words[1] == "-m" {
			words, again = words[2:], true
		}
	}
	if len(words) > 0 && toolFolder().MatchString(words[0]) {
		words[0] = path.Base(words[0])
	}
	return strings.Join(words, " ")
}

// unassigned returns a command without the variables set before it.
func unassigned(text string) string { return assignments().ReplaceAllString(text, "") }

func afterOptions(words []string) []string {
	for len(words) > 1 && strings.HasPrefix(words[0], "-") {
		n := 1
		if slices.Contains(valued, words[0]) && len(words) > 2 {
			n = 2
		}
		words = words[n:]
	}
	return words
}

var (
	assigns     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*=`) })
	assignments = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+`)
	})
	python = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:\S*/)?python[\d.]*$`) })
	// toolFolder matches where package managers put programs.
	toolFolder = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|/)(vendor/bin|node_modules/\.bin|\.?venv/bin)/[^/]+$`)
	})
)

// ranks: what CI runs comes before targets and scripts of the repository, and those before
// what is usual for its tools.
const (
	ciRank         = 100
	targetRank     = 60
	conventionRank = 50
)

// oddness lowers names of special builds, and raises names about tests.
func oddness(name string) int {
	name = strings.ToLower(name)
	n := -25 * len(odd().FindAllString(name, 2))
	if plainName().MatchString(name) {
		n += 5
	}
	return n
}

var (
	odd = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`msrv|minimum|minimal|min[-_ ]|oldest|lowest|downgrade|nightly|canary|bench|fuzz|miri|sanit|asan|tsan|valgrind|cov\b|coverage|docs?\b|release|deploy|publish|wasm|android|\bios|aarch64|powerpc|s390x|\bi[3-6]86|riscv|mips|windows|macos|browserstack|saucelabs|smoke|upstream|cross|\barm|musl|stress|experimental|example|third[-_ ]?party|compat|edge|pre-?release|dist\b|docker|image|size|perf|lint|format|style|browser|e2e`)
	})
	// variant matches a command for another machine, or for statistics; heavy matches one
	// that starts more than the tests.
	variant = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)fuzz|bench|coverage|coveralls|\bcov\b|wasm|chrome|firefox|browser|memcheck|valgrind|nightly`)
	})
	heavy = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)e2e|integration|playwright|cypress|smoke|webpack`)
	})
	plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`test|\bci\b|build|unit|check|main`) })
	// ofCI matches variables that only a CI sets.
	ofCI = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:GITHUB_|CIRCLE|CI_|BUILDKITE|TRAVIS|CODECOV|BROWSERSTACK|SAUCE_)\w*|\bcircleci\b`)
	})
)

// scripts map the names of scripts and targets to roles.
var scripts = []struct {
	role    role
	pattern string
}{
	{typeRole, `^(?:typecheck|type-check|check-types|check:types|types|tsc|type:check|ts:check|check:ts|tests?[:_-](?:types?|dts|tsd|typings?|tsc)(?:[:_-].*)?|test-dts|types?[:_-]?tests?)$`},
	{formatRole, `^(?:format|fmt|prettier|style)[:_-](?:check|ci|lint|verify)$|^check[:_-](?:format|style|fmt|prettier)$|^prettier$`},
	{lintRole, `^lint(?:[:_-](?:js|ts|css|check|ci|all|code|go|py))?$|^(?:tests?|check)[:_-](?:lint|eslint|oxlint|biome)$|^(?:eslint|oxlint|biome|rubocop|golangci-lint|vet|clippy)$`},
	{setupRole, `^(?:deps|dependencies|bootstrap|setup|init|ensure|tools|install[-_:](?:deps|dev|tools|dependencies)|ensure[-_:]tools|deps[-_:]\w+|get-deps|dev[-_:]?(?:deps|setup|install))$`},
	{noRole, `(?i)doc|watch|update|debug|perf|bench|report|clean|setup|install|publish|release|deploy|fix|snapshot|latest|contest|attest|[:_-]ui$|smoke.*prod|browserstack|saucelabs|[:_-]help$|lint|fmt|format`},
	{testRole, `^(?:tests?|unit|e2e|specs?|jest|vitest|mocha|cypress|playwright|integration)(?:[:_.-].*)?$|[:_.-](?:spec|e2e)$|tests?$`},
	{buildRole, `^(?:build|compile|prebuild|generate|codegen|bundle|all)(?:[:_.-].*)?$`},
}

var scriptPatterns = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range scripts {
		out = append(out, regexp.MustCompile(s.pattern))
	}
	return out
})

var perhapsScript = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:ci|verify|coverage|cover|cov|check|all|validate)(?:[:_.-](?:tests?|all|unit|ci))?$|^ci[:_-]tests?$`)
})

// scriptRole goes by the name of a script or target; if that is not enough, its text
// decides.
func scriptRole(name, body string) role {
	switch {
	case name == "check" && strings.Contains(body, "tsc") && !strings.Contains(body, "test"):
		return typeRole
	case (name == "format" || name == "fmt" || name == "prettier") &&
		contains(body, "--check", "--list-different"):
		return formatRole
	case perhapsScript().MatchString(name):
		if contains(body, "test", "jest", "mocha", "spec", "$(") || body == "" {
			return testRole
		}
		return noRole
	}
	for i, re := range scriptPatterns() {
		if re.MatchString(name) {
			return scripts[i].role
		}
	}
	return noRole
}
