package proof

import "testing"

func TestManifestsMayTakeOtherVersions(t *testing.T) {
	const npm = "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"dependencies\": {\n    \"a\": \"1\"\n  }\n}\n"
	for _, c := range []struct {
		name, path, old, now string
		stays                bool
	}{
		{"a dependency alone", "package.json", npm, "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"dependencies\": {\n    \"a\": \"1\",\n    \"@x/b\": \"^2.0.1 || >=3\"\n  }\n}\n", true},
		{"the first ones", "package.json", "{\n  \"type\": \"module\"\n}\n", "{\n  \"type\": \"module\",\n  \"devDependencies\": {\n    \"a\": \"~1\"\n  }\n}\n", true},
		{"the last one went", "package.json", npm, "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  }\n}\n", true},
		{"a script", "a/package.json", npm, "{\n  \"scripts\": {\n    \"test\": \"true\"\n  },\n  \"dependencies\": {\n    \"a\": \"2\"\n  }\n}\n", false},
		{"a setting of the runner", "package.json", npm, "{\n  \"jest\": {\n    \"bail\": 1\n  },\n" + npm[2:], false},
		{"a file", "package.json", npm, "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"dependencies\": {\n    \"a\": \"file:./a\"\n  }\n}\n", false},
		{"somebody's repository", "package.json", npm, "{\n  \"scripts\": {\n    \"test\": \"jest\"\n  },\n  \"dependencies\": {\n    \"a\": \"kim/a\"\n  }\n}\n", false},
		{"overrides", "package.json", npm, "{\n  \"overrides\": {\n    \"chai\": \"1\"\n  },\n" + npm[2:], false},
		{"what cannot be read", "package.json", npm, "{", false},
		{"composer", "composer.json", "{\n\"require\": {\n\"a/b\": \"1\"\n}\n}\n", "{\n\"require\": {\n\"a/b\": \"^2\"\n}\n}\n", true},
		{"cargo", "Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"1\"\nb = {version = \"2\", features = [\"x\"]}\n", true},
		{"cargo, a library without tests", "Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"1\"\n[lib]\ntest = false\n", false},
		{"cargo, by a path", "Cargo.toml", "[dependencies]\n", "[dependencies]\nb = {path = \"b\"}\n", false},
		{"cargo, patched", "Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"1\"\n[patch.crates-io]\na = {path = \"a\"}\n", false},
		{"python", "pyproject.toml", "[project]\ndependencies = [\n  \"a\",\n]\n", "[project]\ndependencies = [\n  \"a\",\n  \"b[x]>=1,<2; python_version > '3'\",\n]\n", true},
		{"python, options of pytest", "pyproject.toml", "[tool.pytest.ini_options]\naddopts = \"\"\n", "[tool.pytest.ini_options]\naddopts = \"-k x\"\n", false},
		{"python, paths of tests", "pyproject.toml", "testpaths = [\n  \"a\",\n  \"b\",\n]\n", "testpaths = [\n  \"a\",\n]\n", false},
		{"python, by an address", "pyproject.toml", "dependencies = [\n\"a>=1\",\n]\n", "dependencies = [\n\"a @ https://example.com/a.whl\",\n]\n", false},
		{"poetry", "pyproject.toml", "[tool.poetry.dependencies]\na = \"1\"\n", "[tool.poetry.dependencies]\na = {version = \"^1\", optional = true}\n", true},
		{"poetry, by git", "pyproject.toml", "[tool.poetry.dependencies]\na = \"1\"\n", "[tool.poetry.dependencies]\na = {git = \"https://example.com/b\"}\n", false},
		{"go", "go.mod", "module a\n\ngo 1.21\n", "module a\n\ngo 1.22\n\nrequire (\n\texample.com/b v1.0.0 // indirect\n)\n", true},
		{"go, replaced", "go.mod", "module a\n\nrequire example.com/b v1.0.0\n", "module a\n\nrequire example.com/b v1.1.0\n\nreplace example.com/b => ./b\n", false},
		{"go, replaced in a block", "go.mod", "module a\n", "module a\nreplace (\n\texample.com/b => ./b\n)\n", false},
		{"go, ignored", "go.mod", "module a\n", "module a\nignore ./tests\n", false},
		{"requirements", "requirements-dev.txt", "a==1\n", "a==2\nb[x]>=1,<2 ; python_version > '3'\n", true},
		{"requirements of a tool", "mkdocs-requirements.txt", "a==1\n", "a==2\n", true},
		{"requirements, by an address", "requirements.txt", "a==1\n", "a @ https://example.com/a.whl\n", false},
		{"requirements, in place", "requirements.txt", "a==1\n", "a==1\n-e ./b\n", false},
		{"gems", "Gemfile", "gem 'a'\n", "gem 'a', '~> 1'\ngem \"b\", require: false\n", true},
		{"gems by a path", "Gemfile", "gem 'a'\n", "gem 'a', path: 'a'\n", false},
		{"gems by a repository", "Gemfile", "gem 'a'\n", "gem 'a', git: 'https://example.com/a'\n", false},
		{".NET", "a.csproj", "<Project>\n</Project>\n", "<Project>\n<PackageReference Include=\"A.B\" Version=\"1.0\" />\n</Project>\n", true},
		{".NET, left out", "a.csproj", "<Project>\n</Project>\n", "<Project>\n<Compile Remove=\"ATest.cs\" />\n</Project>\n", false},
		{"gradle", "build.gradle.kts", "dependencies {\n}\n", "dependencies {\n    testImplementation(\"a.b:c:1.0\")\n}\n", true},
		{"gradle, a file", "build.gradle", "dependencies {\n}\n", "dependencies {\n    testImplementation files('a.jar')\n}\n", false},
		{"gradle, left out", "build.gradle", "test {\n}\n", "test {\n    exclude '**/ATest.class'\n}\n", false},
		{"a make file is a program", "Makefile", "test:\n\ta\n", "test:\n\tb\n", false},
	} {
		want := c.old
		if c.stays {
			want = c.now
		}
		if got := string(WithOldSettings(c.path, []byte(c.old), []byte(c.now))); got != want {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}
