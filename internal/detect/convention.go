package detect

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// QualityGate is a check other than the tests; FixCommand may be empty.
type QualityGate struct {
	Name       string
	Command    string
	FixCommand string
}

// Project is a folder with a tool chain and its usual commands.
type Project struct {
	// Dir is a slash path, "." for the root.
	Dir      string
	Language string
	// Why names the file that it is based on.
	Why   string
	Setup string
	// Tests are commands that may run the tests, likeliest first.
	Tests []string
	Gates []QualityGate
	// own is set if the first of Tests is a script of the repository.
	own bool
	// covers reports whether Tests also run those of the project in a folder below; nil
	// covers none.
	covers func(dir string) bool
}

// usual holds the usual commands for a file of a tool chain. In commands, {x} stands for
// what starts the tool x in that folder.
type usual struct {
	language string
	files    []string // patterns, any of which is in the folder
	setup    string
	tests    []string
	// only is a folder, or a text in the file, without which there are no tests.
	only string
	// below is always, or a text in the file, if the tests of the folders below run too.
	below string
}

const always = "always"

// usuals are tried in this order for every folder; one of each language is used. The trial
// shows which of them run tests.
var usuals = []usual{
	{language: "rust", files: []string{"Cargo.toml"}, tests: []string{"cargo test --workspace"}, below: "[workspace"},
	{language: "deno", files: []string{"deno.json", "deno.jsonc"}, tests: []string{"deno task test"}, only: `"test"`, below: always},
	{language: "deno", files: []string{"deno.json", "deno.jsonc"}, tests: []string{"deno test -A"}, below: always},
	{language: "java", files: []string{"pom.xml"}, tests: []string{"{mvn} test"}, below: "<modules>"},
	{language: "java", files: []string{"settings.gradle", "settings.gradle.kts"}, tests: []string{"{gradle} test"}, below: always},
	{language: "java", files: []string{"build.gradle", "build.gradle.kts"}, tests: []string{"{gradle} test"}},
	{language: "ruby", files: []string{".rspec"}, setup: "{bundle install}", tests: []string{"{bundle}rspec"}},
	{language: "ruby", files: []string{"Gemfile", "*.gemspec"}, setup: "{bundle install}", tests: []string{"{bundle}rspec"}, only: "spec/"},
	{language: "ruby", files: []string{"Gemfile", "*.gemspec"}, setup: "{bundle install}", tests: []string{"{bundle}rspec"}, only: "rspec"},
	{language: "ruby", files: []string{"Gemfile", "Rakefile"}, setup: "{bundle install}", tests: []string{"bin/rails test"}, only: "bin/rails"},
	{language: "ruby", files: []string{"Gemfile"}, setup: "{bundle install}", tests: []string{"{bundle}rails test"}, only: `"rails"`},
	{language: "ruby", files: []string{"Rakefile"}, setup: "{bundle install}", tests: []string{"{bundle}rake test"}, only: "test"},
	{language: "ruby", files: []string{"Gemfile", "*.gemspec"}, setup: "{bundle install}", only: "test/",
		tests: []string{`{bundle}ruby -Ilib -Itest -e 'Dir["./test/**/{*_test,test_*}.rb"].sort.each { |f| require f }'`,
			`{bundle}ruby -Ilib -Itest -e 'Dir["./test/**/*.rb"].sort.each { |f| require f }'`}},
	{language: "php", files: []string{"composer.json"}, setup: "composer install --no-interaction",
		tests: []string{"composer test", "vendor/bin/phpunit"}, only: `"test":`, below: always},
	{language: "php", files: []string{"composer.json"}, setup: "composer install --no-interaction", tests: []string{"vendor/bin/pest"}, only: `"pestphp/pest"`, below: always},
	{language: "php", files: []string{"composer.json"}, setup: "composer install --no-interaction", tests: []string{"vendor/bin/phpunit"}, only: `phpunit/phpunit"`, below: always},
	{language: "php", files: []string{"phpunit.xml", "phpunit.xml.dist"}, tests: []string{"phpunit"}},
	{language: "elixir", files: []string{"mix.exs"}, setup: "mix deps.get", tests: []string{"mix test"}, below: "apps_path"},
	{language: "dotnet", files: []string{"*.sln", "*.slnx"}, tests: []string{"dotnet test {file}"}, below: always},
	{language: "dotnet", files: []string{"*.csproj", "*.fsproj"}, tests: []string{"dotnet test"}, only: "Test"},
	{language: "swift", files: []string{"Package.swift"}, tests: []string{"swift test"}, only: ".testTarget(", below: always},
	{language: "c", files: []string{"CMakeLists.txt"}, only: "test", below: always,
		tests: []string{"cmake -S . -B build && cmake --build build && ctest --test-dir build " +
			"--output-on-failure --no-tests=error"}},
	{language: "c", files: []string{"meson.build"}, below: always,
		tests: []string{"{ test -f build/build.ninja || meson setup build; } && meson test -C build " +
			"--print-errorlogs"}},
	{language: "c", files: []string{"configure.ac"}, setup: "autoreconf -i && ./configure", tests: []string{"make check"}, below: always},
	{language: "dart", files: []string{"pubspec.yaml"}, setup: "flutter pub get", tests: []string{"flutter test"}, only: "sdk: flutter"},
	{language: "dart", files: []string{"pubspec.yaml"}, setup: "dart pub get", tests: []string{"dart test"}, only: "test/"},
	{language: "bazel", files: []string{"MODULE.bazel", "WORKSPACE"}, tests: []string{"bazel test //..."}, below: always},
	{language: "zig", files: []string{"build.zig"}, tests: []string{"zig build test"}, below: always},
	{language: "scala", files: []string{"build.sbt"}, tests: []string{"sbt test"}, below: always},
	{language: "clojure", files: []string{"project.clj"}, tests: []string{"lein test"}, below: always},
	{language: "haskell", files: []string{"stack.yaml"}, tests: []string{"stack test"}, below: always},
	{language: "haskell", files: []string{"cabal.project"}, tests: []string{"cabal test all"}, below: always},
	{language: "ocaml", files: []string{"dune-project"}, tests: []string{"dune test"}, below: always},
	{language: "gleam", files: []string{"gleam.toml"}, tests: []string{"gleam test"}, below: always},
	{language: "perl", files: []string{"cpanfile", "Makefile.PL"}, tests: []string{"prove -lr t"}, only: "t/", below: always},
	{language: "erlang", files: []string{"erlang.mk"}, tests: []string{"make tests"}, below: always},
	{language: "erlang", files: []string{"rebar.config"}, tests: []string{"rebar3 eunit"}, below: always},
	{language: "r", files: []string{"DESCRIPTION"}, tests: []string{`Rscript -e "devtools::test()"`}, only: "tests/"},
	{language: "lua", files: []string{".busted"}, tests: []string{"busted"}, below: always},
	{language: "shell", files: []string{"*"}, tests: []string{"bats -r test"}, only: "test/*.bats", below: always},
	{language: "shell", files: []string{"*"}, tests: []string{"bats -r tests"}, only: "tests/*.bats", below: always},
	{language: "shell", files: []string{"*.bats"}, tests: []string{"bats ."}},
}

// gates belong to a configuration file, or to a text in one.
var gates = []struct {
	language, name string
	files          []string
	says           string // "" if the file is enough
	command, fix   string
}{
	{"go", "lint", []string{".golangci.*"}, "", "golangci-lint run", "golangci-lint run --fix"},
	{"rust", "format", []string{"rustfmt.toml", ".rustfmt.toml"}, "", "cargo fmt --check", "cargo fmt"},
	{"rust", "lint", []string{"clippy.toml", ".clippy.toml"}, "", "cargo clippy --all-targets -- -D warnings", "cargo clippy --all-targets --fix --allow-dirty"},
	{"rust", "lint", []string{"Cargo.toml"}, "lints.clippy", "cargo clippy --all-targets -- -D warnings", "cargo clippy --all-targets --fix --allow-dirty"},
	{"deno", "lint", []string{"deno.json", "deno.jsonc"}, "", "deno lint", "deno lint --fix"},
	{"python", "lint", []string{"ruff.toml", ".ruff.toml"}, "", "{py}ruff check .", "{py}ruff check --fix ."},
	{"python", "lint", []string{"pyproject.toml"}, "[tool.ruff", "{py}ruff check .", "{py}ruff check --fix ."},
	{"python", "lint", []string{".flake8", "setup.cfg", "tox.ini"}, "[flake8]", "{py}flake8", ""},
	{"python", "format", []string{"pyproject.toml"}, "[tool.black]", "{py}black --check .", "{py}black ."},
	{"python", "typecheck", []string{"mypy.ini", ".mypy.ini", "setup.cfg"}, "[mypy]", "{py}mypy .", ""},
	{"python", "typecheck", []string{"pyproject.toml"}, "[tool.mypy", "{py}mypy .", ""},
	{"python", "typecheck", []string{"pyrightconfig.json"}, "", "{py}pyright", ""},
	{"python", "typecheck", []string{"pyproject.toml"}, "[tool.pyright]", "{py}pyright", ""},
	{"java", "format", []string{"pom.xml"}, "spotless-maven-plugin", "{mvn} spotless:check", "{mvn} spotless:apply"},
	{"java", "format", []string{"build.gradle", "build.gradle.kts"}, "com.diffplug.spotless", "{gradle} spotlessCheck", "{gradle} spotlessApply"},
	{"java", "lint", []string{"build.gradle", "build.gradle.kts"}, "ktlint", "{gradle} ktlintCheck", "{gradle} ktlintFormat"},
	{"ruby", "lint", []string{".rubocop.yml"}, "", "{bundle}rubocop", "{bundle}rubocop -a"},
	{"ruby", "lint", []string{".standard.yml"}, "", "{bundle}standardrb", "{bundle}standardrb --fix"},
	{"php", "format", []string{"pint.json"}, "", "vendor/bin/pint --test", "vendor/bin/pint"},
	{"php", "format", []string{".php-cs-fixer.*php"}, "", "vendor/bin/php-cs-fixer fix --dry-run --diff", "vendor/bin/php-cs-fixer fix"},
	{"php", "typecheck", []string{"phpstan.*neon*"}, "", "vendor/bin/phpstan analyse --no-progress", ""},
	{"php", "typecheck", []string{"psalm.xml*"}, "", "vendor/bin/psalm --no-progress", ""},
	{"elixir", "format", []string{".formatter.exs"}, "", "mix format --check-formatted", "mix format"},
	{"elixir", "lint", []string{".credo.exs"}, "", "mix credo", ""},
	{"dotnet", "format", []string{".editorconfig"}, "", "dotnet format --verify-no-changes", "dotnet format"},
	{"swift", "lint", []string{".swiftlint.yml"}, "", "swiftlint", "swiftlint --fix"},
	{"dart", "lint", []string{"analysis_options.yaml"}, "", "dart analyze", "dart fix --apply"},
	{"node", "lint", []string{"biome.json*"}, "", "{npx}biome check .", "{npx}biome check --write ."},
	{"node", "lint", []string{"eslint.config.*", ".eslintrc*"}, "", "{npx}eslint .", "{npx}eslint . --fix"},
	{"node", "typecheck", []string{"tsconfig.json"}, "", "{npx}tsc --noEmit", ""},
}

// looks handle tool chains that need more than the presence of a file.
var looks = []struct {
	language string
	look     func(d *dir) *Project
}{{"go", lookGo}, {"node", lookNode}, {"python", lookPython}}

// conventions returns the projects of a repository, outer folders first.
func conventions(t *tree) []Project {
	var found []Project
	for _, d := range t.dirs {
		if testsData().MatchString(d.path) {
			continue
		}
		here := len(found)
		add := func(language string, look func() *Project) {
			taken := slices.ContainsFunc(found[here:], func(p Project) bool { return p.Language == language })
			if taken || covered(found, language, d.path) {
				return
			}
			if p := look(); p != nil {
				p.Dir, p.Language = d.path, language
				found = append(found, *p)
			}
		}
		for _, l := range looks {
			add(l.language, func() *Project { return l.look(d) })
		}
		for _, u := range usuals {
			if u.language != "deno" ||
				!slices.ContainsFunc(found[here:], func(p Project) bool { return p.Language == "node" }) {
				add(u.language, func() *Project { return d.usual(u) })
			}
		}
		for i := range found[here:] {
			found[here+i].Gates = append(found[here+i].Gates, d.gates(found[here+i])...)
		}
	}
	// A project without tests and gates is only listed if there is no other.
	if slices.ContainsFunc(found, func(p Project) bool { return len(p.Tests) > 0 }) {
		found = slices.DeleteFunc(found,
			func(p Project) bool { return len(p.Tests) == 0 && len(p.Gates) == 0 })
	}
	return found
}

// usual applies an entry of usuals to the folder; nil if its files are missing.
func (d *dir) usual(u usual) *Project {
	file := d.first(u.files)
	if file == "" || u.only != "" && !d.holds(u.only) &&
		!contains(strings.ToLower(d.text(file)), strings.ToLower(u.only)) {
		return nil
	}
	p := &Project{Why: file, Setup: d.fill(u.setup, file)}
	for _, c := range u.tests {
		p.Tests = append(p.Tests, d.fill(c, file))
	}
	if d.has("Gemfile") != "" { // Bundler may be missing where the gems are not
		for _, c := range u.tests {
			if plain := strings.TrimPrefix(c, "{bundle}"); plain != c {
				p.Tests = append(p.Tests, d.fill(plain, file))
			}
		}
	}
	switch {
	case u.below == always, u.below != "" && strings.Contains(d.text(file), u.below):
		p.covers = everything
	case u.language == "rust": // a single crate
		p.Tests = []string{"cargo test"}
	}
	return p
}

// holds reports whether a folder, or a file matching a pattern, is here.
func (d *dir) holds(what string) bool {
	folder, files, ok := strings.Cut(what, "/")
	switch {
	case !ok || strings.ContainsAny(folder, `"<. `):
		return false
	case files == "":
		return d.hasFolder(folder)
	}
	s := d.sub(folder)
	return s != nil && len(s.match(files)) > 0 || d.tree.isFile(path.Join(d.path, what))
}

// gates returns the gates for the files here, one of each name.
func (d *dir) gates(p Project) (out []QualityGate) {
	for _, g := range gates {
		same := func(o QualityGate) bool { return o.Name == g.name }
		if g.language != p.Language || slices.ContainsFunc(p.Gates, same) || slices.ContainsFunc(out, same) {
			continue
		}
		for _, pattern := range g.files {
			if file := d.first([]string{pattern}); file != "" && strings.Contains(d.text(file), g.says) {
				out = append(out, QualityGate{g.name, d.fill(g.command, file), d.fill(g.fix, file)})
				break
			}
		}
	}
	return out
}

// first returns the first file here that matches a pattern.
func (d *dir) first(patterns []string) string {
	for _, p := range patterns {
		if list := d.match(p); len(list) > 0 {
			return list[0]
		}
	}
	return ""
}

// fill replaces {x} in a command by what starts the tool here.
func (d *dir) fill(command, file string) string {
	if !strings.Contains(command, "{") {
		return command
	}
	wrapped := func(wrapper, tool string) string {
		if d.has(wrapper) != "" {
			return "./" + wrapper
		}
		return tool
	}
	bundle, install := "", ""
	if d.has("Gemfile") != "" {
		bundle, install = "bundle exec ", "bundle install"
	}
	py, _ := d.python()
	npx, _ := d.packager()
	return strings.NewReplacer("{mvn}", wrapped("mvnw", "mvn")+" -B", "{gradle}",
		wrapped("gradlew", "gradle"), "{bundle}", bundle,
		"{bundle install}", install, "{py}", py, "{npx}", npx.exec, "{file}", quoted(file)).Replace(command)
}

// covered reports whether a project above runs the tests of a folder.
func covered(found []Project, language, dir string) bool {
	return slices.ContainsFunc(found, func(p Project) bool {
		return p.Language == language && len(p.Tests) > 0 && p.covers != nil && below(p.Dir, dir) &&
			p.covers(dir)
	})
}

// testsData matches folders inside test folders: projects there are test data.
var testsData = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|/)(?:tests?|specs?)/.`) })

func everything(string) bool { return true }

// python returns how Python's tools are started in a folder, and its setup.
func (d *dir) python() (prefix, setup string) {
	pyproject := d.text("pyproject.toml")
	for _, m := range []struct{ lock, says, prefix, setup string }{
		{"uv.lock", "[tool.uv]", "uv run ", "uv sync"}, {"poetry.lock", "[tool.poetry]", "poetry run ", "poetry install"},
		{"pdm.lock", "[tool.pdm", "pdm run ", "pdm install"}, {"Pipfile", "[tool.pipenv]", "pipenv run ", "pipenv sync --dev"},
	} {
		if d.has(m.lock) != "" || strings.Contains(pyproject, m.says) {
			return m.prefix, m.setup
		}
	}
	return "", ""
}

var pyTest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^test_.*\.py$|_test\.py$|^tests\.py$`) })

// looseTest matches tests at the root or in its test folder: further down they are more
// likely helpers of a project in another language.
var looseTest = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(tests?/.*|[^/]*)\.py$`) })

// lookPython tries pytest, Django, unittest and tox, in an order based on the files.
func lookPython(d *dir) *Project {
	why := d.first([]string{"pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "pytest.ini", "noxfile.py",
		"conftest.py", "manage.py",
		"requirements*.txt", "Pipfile"})
	test := d.find(pyTest().MatchString)
	if why == "" && (d.path != "." || !looseTest().MatchString(test)) {
		return nil
	}
	p := &Project{Why: cmp.Or(why, test), covers: everything}
	prefix, setup := d.python()
	p.Setup = setup
	python, pytest := "python3", "python3 -m pytest"
	if prefix != "" {
		python, pytest = prefix+"python", prefix+"pytest"
	}
	config := d.texts("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "pytest.ini", "Pipfile") +
		d.texts(d.match("*requirements*.txt")...)
	isTest := func(p string) bool { return pyTest().MatchString(path.Base(p)) }
	add := func(when bool, command string) {
		if when && !slices.Contains(p.Tests, command) {
			p.Tests = append(p.Tests, command)
		}
	}
	add(strings.Contains(config, "pytest") ||
		d.find(func(n string) bool { return n == "conftest.py" }) != "" ||
		d.findText(isTest, pyImport("pytest")) != "", pytest)
	add(d.has("manage.py") != "", python+" manage.py test")
	add(test != "" && d.findText(isTest, pyImport("unittest")) != "",
		python+" -m unittest discover"+d.startDir(test))
	add(d.has("tox.ini") != "", prefix+"tox")
	add(d.has("noxfile.py") != "", prefix+"nox")
	add(test != "", pytest)
	if src := d.sub("src"); prefix == "" && src != nil && src.holdsPython() {
		for _, c := range slices.Clone(p.Tests) { // the package may not be installed
			add(strings.HasPrefix(c, python+" -m"), "PYTHONPATH=src "+c)
		}
	}
	return p
}

// holdsPython reports whether a module or package is directly in the folder.
func (d *dir) holdsPython() bool {
	return len(d.match("*.py")) > 0 || slices.ContainsFunc(d.folders, func(name string) bool {
		s := d.sub(name)
		return s != nil && s.has("__init__.py") != ""
	})
}

func pyImport(module string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*(?:from |import (?:[\w. ]+, *)*)` + module + `\b`)
}

// startDir returns the folder of unittest's tests: without __init__.py in it, discover
// would not find them from the root.
func (d *dir) startDir(test string) (out string) {
	top, _, nested := strings.Cut(strings.TrimPrefix(test, d.path+"/"), "/")
	if s := d.sub(top); nested && s != nil && s.has("__init__.py") == "" {
		out = " -s " + quoted(top)
	}
	if !strings.HasPrefix(path.Base(test), "test") {
		out += " -p " + quoted("*_test.py")
	}
	return out
}
