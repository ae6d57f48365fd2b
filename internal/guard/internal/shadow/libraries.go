// Package shadow finds files that would be loaded in place of others when tests run: in
// place of the runner, its library, the standard library, or the product.
package shadow

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// libraries are the packages of runners and assertion libraries, by the name under which a
// language would find a file of ours instead.
var libraries = []string{
	// Python: a module at an import root
	"{,src/,tests/,test/}{py,site,inspect,traceback,coverage,hypothesis,mock,xdist}.py",
	"{,src/,lib/,test/,tests/,app/}{pytest,_pytest,unittest,doctest,pluggy,iniconfig,nose,nose2,runpy," +
		"builtins,importlib,difflib,assertpy,sitecustomize}{.py,/*.py,/**/*.py,.pyc,.so,.pyi}",
	"**/{pytest,_pytest,unittest,pluggy}.py", "**/{pytest,_pytest,unittest,pluggy}/__init__.py",
	"**/{site-packages,dist-packages,.venv,venv,.tox,.nox,virtualenv}/**", "**/__pycache__/**",
	// JavaScript
	"**/node_modules/**", "**/.{yarn,pnp}*/{releases,plugins,cache}/**", "**/.pnp.{cjs,js,loader.mjs}",
	"{jest,vitest,mocha,chai,ava,tap,jasmine,assert}.{js,cjs,mjs,json}",
	// Ruby
	"{lib,spec,test,.}/{rspec,minitest,test-unit,test/unit,bundler,bundler/setup}.rb",
	"{lib,spec,test,.}/{rspec/core,rspec/expectations,rspec/mocks,minitest/autorun,minitest/spec}.rb",
	"{lib,spec,test}/{rspec,minitest,bundler}/**/*.{rb,so,bundle}", "lib/test/unit/**",
	"{rspec,minitest,bundler}.rb",
	// PHP
	"**/vendor/{phpunit,pestphp,codeception,mockery,behat,phpspec,symfony/phpunit-bridge}/**",
	"**/{PHPUnit,Pest}/**/*.php",
	// Go
	"**/vendor/github.com/{stretchr/testify,onsi,google/go-cmp,matryer/is,frankban/quicktest,smartystreets}/**",
	"**/vendor/{gotest.tools,testing}/**",
	// Rust
	"**/vendor/{proptest,quickcheck,rstest,pretty_assertions,insta,libtest*}*/**",
	// JVM
	"**/org/{junit,testng,assertj,hamcrest,mockito,spockframework,scalatest}/**",
	"**/{kotlin/test,io/kotest,io/mockk,junit/framework,com/google/common/truth,munit}/**",
	// C and C++
	"**/{assert.h,cassert,gtest.h,gmock.h,catch.hpp,catch_amalgamated.*,doctest.h}",
	"**/{unity.h,unity.c,unity_internals.h,check.h,cmocka.h,CUnit.h,greatest.h,munit.h,munit.c}",
	"**/{acutest.h,minunit.h,utest.h,criterion.h}",
	"**/{boost/test/**,gtest/**,gmock/**,catch2/**,CppUTest/**,CUnit/**}",
	// Elixir
	"**/ex_unit{.ex,/**}", "deps/*/{mix.exs,lib/**,src/**/*.{erl,hrl},ebin/**,priv/**}", "_build/**",
	// .NET
	"**/{xunit,nunit,MSTest}*/**/*.dll",
	// shell
	"**/bats-{core,assert,support,file,mock}/**", "**/shunit2",
}

// commands are programs that a check may start by name. A file of that name in a directory
// for programs, or next to the script, would be started instead.
var commands = strings.Fields(`go gofmt node npm npx yarn pnpm bun bunx deno tsc ts-node tsx jest vitest
	mocha ava eslint python python2 python3 py pytest py.test pip
	tox nox poetry uv uvx hatch pdm pipenv coverage mypy ruff cargo rustc rustup rustdoc java javac mvn
	gradle kotlin kotlinc sbt ruby rspec bundle bundler rake minitest
	php phpunit pest composer mix elixir iex erl rebar3 make gmake cmake ctest ninja meson gcc g++ cc c++
	clang clang++ ld dotnet msbuild xunit nunit swift swiftc xcodebuild xcrun
	bats prove perl sh bash dash zsh env git just task bazel buck true false test timeout dart flutter
	busted lua prettier golangci-lint gotestsum ginkgo`)

var programDirs = map[string]bool{"bin": true, ".bin": true, "sbin": true, "libexec": true, "shims": true,
	".local": true, "tools": true, "scripts": true, ".": true}

// Is reports whether a file is where the runner, its library or its command is looked up.
func Is(p string) bool { return IsLibrary(p) || isProgram(p) }

// IsLibrary reports whether a file belongs to a runner or an assertion library.
func IsLibrary(p string) bool { return librarySet().Match(p) && !stylesOfData().MatchString(p) }

// stylesOfData matches style sheets and prose in a package folder among test data. No code
// is loaded from there.
var stylesOfData = pattern.Lazy(`(?i)(^|/)(testdata|__fixtures__|fixtures?)/([^/]+/)*node_modules/([^/]+/)*[^/]+\.` +
	`(css|scss|sass|less|styl|md|txt)$`)

var librarySet = sync.OnceValue(func() *globs.Set { return globs.New(libraries...) })

// isProgram reports whether a file would be found in place of a command.
func isProgram(p string) bool {
	base := path.Base(p)
	switch ext := strings.ToLower(path.Ext(base)); ext {
	case ".exe", ".cmd", ".bat", ".com", ".ps1":
		base = strings.TrimSuffix(base, path.Ext(base))
	}
	if !programDirs[path.Base(path.Dir(p))] {
		return false
	}
	for _, c := range commands {
		if base == c {
			return true
		}
	}
	return false
}

// ordinary are names of test libraries that are also common words or products. A package
// with such a name only shadows tests that mean the library.
var ordinary = []struct {
	langs string
	roots []string
	names func() *pattern.Pattern
	use   string // how a test uses the library, with its name for %s
}{
	{"python", []string{"", "src", "lib", "test", "tests", "app"}, pattern.Lazy(`^(hypothesis|mock|` +
		`xdist|pytest_\w+|coverage|trial|testtools|py|site|inspect|traceback|expects|sure|nox|tox|` +
		`behave|robot|ward|green)$`),
		`(?m)^\s*(?:import|from)\s+%s\b|^\s*-p\s+%s\b`},
	{"js", []string{"", "src", "lib", "test", "tests"}, pattern.Lazy(`^(jest|vitest|mocha|chai|ava|` +
		`tap|jasmine|assert|expect|@jest|@vitest|playwright|@playwright|should|sinon)$`),
		`(?:\bfrom|require\(|import\()\s*['"]%s['"/]`},
}

// loadedUnasked are libraries that the runner loads whenever they are installed.
var loadedUnasked = pattern.Lazy(`^(pytest_\w+|xdist|hypothesis)$`)

// HidesLibrary reports whether a new package takes the name under which old tests use a
// library.
func HidesLibrary(c *checkout.Files, s checkout.FileChange) bool {
	lang := lexer.Of(s.Path)
	if s.Existed || !s.Stays || lang == nil {
		return false
	}
	if hidesStandard(c, s, lang) {
		return true
	}
	for _, o := range ordinary {
		for _, root := range o.roots {
			rest := strings.TrimPrefix(s.Path, root+"/")
			if root != "" && rest == s.Path || !strings.Contains(" "+o.langs+" ", " "+lang.Name+" ") {
				continue
			}
			first, _, _ := strings.Cut(rest, "/")
			name := strings.TrimSuffix(first, path.Ext(first))
			if !o.names().MatchString(name) {
				continue
			}
			if kind, err := c.Kind(path.Join(root, first)); err == nil && kind == checkout.Dir {
				continue // it is the product itself
			}
			if loadedUnasked().MatchString(name) || c.ChecksName(name) ||
				c.TestsMention(strings.ReplaceAll(o.use, "%s", regexp.QuoteMeta(name)), lang) {
				return true
			}
		}
	}
	return false
}
