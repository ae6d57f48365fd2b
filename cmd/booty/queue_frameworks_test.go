//go:build slow && unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// framework is a real test runner with its specs, each of which asks a function of
// the product for the word "yes".
type framework struct {
	// name begins the ids of its specs, tools are what it needs to run.
	name  string
	tools []string
	// command runs its tests, which lie in the file tests: head and the specs.
	command, tests, head string
	// files stand beside it.
	files map[string]string
	// spec writes one, above it annotation; code gives the file of product code for
	// a key that says a word, and its text.
	spec func(title, key, annotation string) string
	code func(key, word string) (path, text string)
}

// plan is what is to become of a spec.
type plan struct{ framework, title, annotation, end string }

// plans are the specs in the order in which the queue takes them; two more easy ones are
// among them with BOOTY_KILL_ALL alone.
func plans() []plan {
	return slices.DeleteFunc(slices.Clone(twelve), func(p plan) bool {
		id, _ := p.id()
		return !all() && (id == "JS-001" || id == "PY-001")
	})
}

// twelve are all of them.
var twelve = []plan{
	{"GO", "001 is easy", "", "merged 1/5"},
	{"GO", "002 takes two attempts", "@tdd-max-attempts 3", "merged 2/3"},
	{"GO", "003 is never solved", "@tdd-max-attempts 2", "manual-intervention 2/2"},
	{"JS", "001 is easy", "", "merged 1/5"},
	{"JS", "002 comes into conflict", "", "conflict 1/5"},
	{"JS", "003 is too dear", "@tdd-max-attempts 9", "budget-exceeded 6/9"},
	{"PY", "001 is easy", "", "merged 1/5"},
	{"PY", "002 passes at once", "", "merged 1/5"},
	{"PY", "003 is stuck", "", "spec-review-needed 2/5"},
	{"RS", "001 is easy", "", "merged 1/5"},
	{"RS", "002 is easy", "", "merged 1/5"},
	{"SH", "001 is easy", "", "merged 1/5"},
}

// id gives the id of a spec and the key of its product code.
func (p plan) id() (id, key string) {
	return p.framework + "-" + p.title[:3], strings.ToLower(p.framework) + p.title[2:3]
}

// codes are the exit codes of the turns that it takes.
func (p plan) codes() []int {
	switch word, _, _ := strings.Cut(p.end, " "); word {
	case "merged", "conflict":
		return []int{0}
	case "budget-exceeded":
		return []int{5}
	}
	return []int{3}
}

// state is how its pull request ends.
func (p plan) state() string {
	id, _ := p.id()
	word, attempt, _ := strings.Cut(p.end, " ")
	state, labels := "open draft=true merged=false", "tdd-automation tdd-automation:"+word
	if word == "merged" || word == "conflict" {
		state, labels = "closed draft=false merged=true", "tdd-automation"
	}
	return fmt.Sprintf("tdd/%s: %s comments=1 %s [TDD] Implement %s | Attempt %s\n",
		id, state, labels, id, attempt)
}

// issue is the one that asks for a person, closed once the work is merged.
func (p plan) issue() string {
	id, _ := p.id()
	word, _, _ := strings.Cut(p.end, " ")
	switch word {
	case "merged":
		return ""
	case "conflict":
		return "issue closed: TDD spec " + id + " needs human review\n"
	}
	return "issue open: TDD spec " + id + " needs human review\n"
}

func frameworks() []framework {
	return []framework{
		{
			name: "GO", tools: []string{"go version"}, command: "go test ./go", tests: "go/spec_test.go",
			head:  "package lib\n\nimport \"testing\"\n",
			files: map[string]string{"go.mod": "module example.com/app\n\ngo 1.22\n"},
			spec: func(title, key, annotation string) string {
				return fmt.Sprintf("\n%sfunc Test_%s(t *testing.T) {\n\tt.Skip(\"booty: %s\")\n"+
					"\tif got := %s(); got != \"yes\" {\n\t\tt.Errorf(\"got %%s, want yes\", got)\n\t}\n}\n",
					noted("// ", annotation), key, title, key)
			},
			code: func(key, word string) (string, string) {
				return "go/" + key + ".go", fmt.Sprintf("package lib\n\nfunc %s() string { return %q }\n", key, word)
			},
		},
		{
			name: "JS", tools: []string{"node --version"},
			command: "node --test js/spec.test.js", tests: "js/spec.test.js",
			head: "const test = require('node:test')\nconst assert = require('node:assert')\n",
			spec: func(title, key, annotation string) string {
				return fmt.Sprintf("\n%stest.todo('%s', () => {\n  assert.equal(require('./%s.js')(), 'yes')\n})\n",
					noted("// ", annotation), title, key)
			},
			code: func(key, word string) (string, string) {
				return "js/" + key + ".js", fmt.Sprintf("module.exports = () => '%s'\n", word)
			},
		},
		{
			name: "PY", tools: []string{"python3 --version"},
			command: "python3 -B -m unittest discover -s py", tests: "py/test_spec.py",
			head: "import importlib\nimport unittest\n\n\nclass TestSpec(unittest.TestCase):\n",
			spec: func(title, key, annotation string) string {
				return fmt.Sprintf("\n%s    @unittest.skip(\"booty: %s\")\n    def test_%s(self):\n"+
					"        self.assertEqual(importlib.import_module(\"%s\").word(), \"yes\")\n",
					noted("    # ", annotation), title, key, key)
			},
			code: func(key, word string) (string, string) {
				return "py/" + key + ".py", fmt.Sprintf("def word():\n    return %q\n", word)
			},
		},
		{
			name: "RS", tools: []string{"cargo --version", "rustc --version"},
			command: "cargo test --offline --manifest-path rs/Cargo.toml --test spec", tests: "rs/tests/spec.rs",
			files: map[string]string{
				"rs/Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n" +
					"[profile.dev]\ndebug = false\nincremental = false\n",
				"rs/Cargo.lock": "# This file is automatically @generated by Cargo.\n" +
					"# It is not intended for manual editing.\nversion = 3\n\n" +
					"[[package]]\nname = \"app\"\nversion = \"0.1.0\"\n",
				"rs/src/lib.rs": "pub mod rs1;\npub mod rs2;\n",
			},
			spec: func(title, key, annotation string) string {
				return fmt.Sprintf("%s#[test]\n#[ignore = \"booty: %s\"]\nfn %s() {\n"+
					"    assert_eq!(app::%s::word(), \"yes\");\n}\n\n",
					noted("// ", annotation), title, key, key)
			},
			code: func(key, word string) (string, string) {
				return "rs/src/" + key + ".rs", fmt.Sprintf("pub fn word() -> &'static str {\n    %q\n}\n", word)
			},
		},
		{
			name: "SH", tools: []string{"bats --version"}, command: "bats sh/spec.bats", tests: "sh/spec.bats",
			head: "#!/usr/bin/env bats\n",
			spec: func(title, key, annotation string) string {
				return fmt.Sprintf("\n%s@test \"%s\" {\n  skip \"booty: %s\"\n"+
					"  . sh/%s.sh\n  [ \"$(word)\" = yes ]\n}\n",
					noted("# ", annotation), title, title, key)
			},
			code: func(key, word string) (string, string) {
				return "sh/" + key + ".sh", fmt.Sprintf("word() { echo %s; }\n", word)
			},
		},
	}
}

func noted(comment, annotation string) string {
	if annotation == "" {
		return ""
	}
	return comment + annotation + "\n"
}

// present are the frameworks whose tools are here. Go, and one of the others, must be.
func present(t *testing.T) map[string]framework {
	found := map[string]framework{}
	for _, f := range frameworks() {
		missing := ""
		for _, tool := range f.tools {
			args := strings.Fields(tool)
			if err := exec.Command(args[0], args[1:]...).Run(); err != nil {
				missing = args[0]
			}
		}
		if missing != "" {
			t.Logf("without %s: the specs %s-… are left out", missing, f.name)
			continue
		}
		found[f.name] = f
	}
	if _, ok := found["GO"]; !ok || len(found) < 2 {
		t.Fatal("go, and one other test runner, must be there")
	}
	return found
}

// frameworkFiles is the repository with the specs of the frameworks that are here,
// and frameworkEnd how they end: their pull requests, and the exit codes.
func frameworkFiles(with map[string]framework) (files map[string]string, end string, codes []int) {
	var lines []string
	last := []int{4}
	files = map[string]string{".gitignore": "target/\n__pycache__/\n"}
	config := "model: {max_output_tokens: 1000, prices: {input: 1, output: 1}}\nbudget: {run_usd: 0.0108}\nreview: {mode: off}\n" +
		"specs:\n  patterns:\n" +
		"    - {files: \"sh/*.bats\", pending: '^ *skip \"booty: ([^\"]*)\"\\n', active: ''}\ntest_command:\n"
	for _, f := range frameworks() {
		if _, ok := with[f.name]; !ok {
			continue
		}
		config += "  - " + f.command + "\n"
		files[f.tests] = f.head
		for path, text := range f.files {
			files[path] = text
		}
	}
	for _, p := range plans() {
		f, ok := with[p.framework]
		if !ok {
			continue
		}
		id, key := p.id()
		word := "no"
		if strings.Contains(p.title, "passes at once") {
			word = "yes"
		}
		files[f.tests] += f.spec(id+p.title[3:], key, p.annotation)
		path, text := f.code(key, word)
		files[path] = text
		lines = append(lines, p.state(), p.issue())
		codes = append(codes, p.codes()...)
		if strings.HasPrefix(p.end, "conflict") {
			last = []int{4, 4} // in the end a person merges it
		}
	}
	files[".booty.yml"] = config
	slices.Sort(lines)
	return files, strings.Join(lines, ""), append(codes, last...)
}

// solve is their model: it does what the title of the spec says.
func solve(f framework, id, key, request string, try int) string {
	word := "yes"
	switch id {
	case "GO-002":
		if strings.Contains(request, "This is attempt 1 of") {
			word = fmt.Sprint("wrong", try)
		}
	case "GO-003", "JS-003":
		word = fmt.Sprint("wrong", try)
	case "PY-003":
		word = "wrong"
	}
	path, text := f.code(key, word)
	return fmt.Sprintf("Summary: feat: solve %s\n\n%s\n```\n%s```\n", id, path, text)
}

// compilers lets what runs in the lab use what compilers have built before.
func compilers() []string {
	env := []string{"GOTOOLCHAIN=local", "GOFLAGS=-mod=mod", "GOCACHE=" + builtBefore()}
	for k, dir := range map[string]string{"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} {
		if v := os.Getenv(k); v != "" {
			env = append(env, k+"="+v)
		} else if home, err := os.UserHomeDir(); err == nil {
			env = append(env, k+"="+filepath.Join(home, dir))
		}
	}
	return env
}
