package proof

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestManifestsKeepTheirDependencies(t *testing.T) {
	for _, c := range []struct{ name, path, old, now, want string }{
		{"a dependency alone", "package.json", `{"type":"module","dependencies":{"a":"1"}}`, `{"type":"module","dependencies":{"a":"1","b":"^2"}}`, "now"},
		{"a script goes back, a dependency stays", "a/package.json", `{"scripts":{"test":"jest"},"dependencies":{"a":"1"}}`,
			`{"scripts":{"test":"true"},"dependencies":{"a":"2"}}`, `{"scripts":{"test":"jest"},"dependencies":{"a":"2"}}`},
		{"a setting of the runner is new", "package.json", `{"name":"a"}`, `{"name":"a","jest":{"testPathIgnorePatterns":["a"]}}`, `{"name":"a"}`},
		{"a file goes back", "package.json", `{"devDependencies":{"chai":"4"}}`, `{"devDependencies":{"chai":"file:./chai","b":"1"}}`, `{"devDependencies":{"chai":"4","b":"1"}}`},
		{"a repository of somebody's is none", "package.json", `{"dependencies":{}}`, `{"dependencies":{"a":"kim/a"}}`, `{"dependencies":{}}`},
		{"overrides go back", "package.json", `{"name":"a"}`, `{"name":"a","overrides":{"chai":"1"}}`, `{"name":"a"}`},
		{"dependencies that went", "package.json", `{"name":"a","dependencies":{"a":"1"}}`, `{"name":"a"}`, "now"},
		{"what cannot be read goes back whole", "package.json", `{"name":"a"}`, `{`, "old"},
		{"composer", "composer.json", `{"require":{"a/b":"1"},"scripts":{"test":"x"}}`, `{"require":{"a/b":"2"},"scripts":{"test":"y"}}`, `{"require":{"a/b":"2"},"scripts":{"test":"x"}}`},
		{"cargo", "Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"1\"\nb = {version = \"2\", features = [\"x\"]}\n[lib]\ntest = false\n", "[dependencies]\na = \"1\"\nb = {version = \"2\", features = [\"x\"]}\n"},
		{"cargo, by a path", "Cargo.toml", "[dependencies]\n", "[dependencies]\nb = {path = \"b\"}\n", "[dependencies]\n"},
		{"cargo, patched", "Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"1\"\n[patch.crates-io]\na = {path = \"a\"}\n", "[dependencies]\na = \"1\"\n"},
		{"python", "pyproject.toml", "[project]\ndependencies = [\"a\"]\n[tool.pytest.ini_options]\naddopts = \"\"\n",
			"[project]\ndependencies = [\"a\", \"b>=1\"]\n[tool.pytest.ini_options]\naddopts = \"-k x\"\n", "[project]\ndependencies = [\"a\", \"b>=1\"]\n[tool.pytest.ini_options]\naddopts = \"\"\n"},
		{"python, by an address", "pyproject.toml", "[project]\ndependencies = [\"a\"]\n", "[project]\ndependencies = [\"a @ https://example.com/a.whl\"]\n", "[project]\ndependencies = []\n"},
		{"python, by tables", "pyproject.toml", "[tool.poetry.dependencies]\na = \"1\"\n", "[tool.poetry.dependencies]\na = {version = \"1\", optional = true}\nb = {git = \"https://example.com/b\"}\n",
			"[tool.poetry.dependencies]\na = {version = \"1\", optional = true}\n"},
		{"go", "go.mod", "module a\n\ngo 1.21\n", "module a\n\ngo 1.22\n\nrequire (\n\texample.com/b v1.0.0 // indirect\n)\n", "now"},
		{"go, replaced", "go.mod", "module a\n\nrequire example.com/b v1.0.0\n", "module a\n\nrequire example.com/b v1.1.0\n\nreplace example.com/b => ./b\n", "old"},
		{"go, replaced in a block", "go.mod", "module a\n", "module a\nreplace (\n\texample.com/b => ./b\n)\n", "old"},
		{"go, ignored", "go.mod", "module a\n", "module a\nignore ./tests\n", "old"},
		{"requirements", "requirements-dev.txt", "a==1\n", "a==2\nb[x]>=1,<2 ; python_version > '3'\n", "now"},
		{"requirements, by an address", "requirements.txt", "a==1\n", "a @ https://example.com/a.whl\n", "old"},
		{"requirements, in place", "requirements.txt", "a==1\n", "a==1\n-e ./b\n", "old"},
		{"gems", "Gemfile", "gem 'a'\n", "gem 'a', '~> 1'\ngem \"b\", require: false\n", "now"},
		{"gems by a path", "Gemfile", "gem 'a'\n", "gem 'a', path: 'a'\n", "old"},
		{"gems by a repository", "Gemfile", "gem 'a'\n", "gem 'a', git: 'https://example.com/a'\n", "old"},
		{".NET", "a.csproj", "<Project>\n</Project>\n", "<Project>\n<PackageReference Include=\"A.B\" Version=\"1.0\" />\n</Project>\n", "now"},
		{".NET, left out", "a.csproj", "<Project>\n</Project>\n", "<Project>\n<Compile Remove=\"ATest.cs\" />\n</Project>\n", "old"},
		{"gradle", "build.gradle.kts", "dependencies {\n}\n", "dependencies {\n    testImplementation(\"a.b:c:1.0\")\n}\n", "now"},
		{"gradle, a file", "build.gradle", "dependencies {\n}\n", "dependencies {\n    testImplementation files('a.jar')\n}\n", "old"},
		{"gradle, left out", "build.gradle", "test {\n}\n", "test {\n    exclude '**/ATest.class'\n}\n", "old"},
		{"a make file is a program", "Makefile", "test:\n\ta\n", "test:\n\tb\n", "old"},
	} {
		got := string(WithOldSettings(c.path, []byte(c.old), []byte(c.now)))
		want := map[string]string{"old": c.old, "now": c.now}[c.want]
		if want == "" {
			want = c.want
		}
		if got != want && !reflect.DeepEqual(parsed(got), parsed(want)) {
			t.Errorf("%s: got %q, want %q", c.name, got, want)
		}
	}
}

// parsed reads one of the two forms; texts that are neither are equal only as texts.
func parsed(text string) any {
	var v map[string]any
	if json.Unmarshal([]byte(text), &v) == nil || toml.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}

func TestTheOrderOfConditionsStays(t *testing.T) {
	old := `{"exports":{"import":"a","default":"b"},"dependencies":{}}`
	got := WithOldSettings("package.json", []byte(old), []byte(`{"exports":{},"dependencies":{"a":"1"}}`))
	if i := bytes.Index(got, []byte(`"import"`)); i < 0 || bytes.Index(got, []byte(`"default"`)) < i {
		t.Errorf("got %s", got)
	}
}
