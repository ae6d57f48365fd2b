package agent

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
)

// script puts a shell script on a PATH of its own and gives the environment.
func script(t *testing.T, name, body string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the fake agents are shell scripts")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAPresetGetsThePromptInItsOwnWay(t *testing.T) {
	long := strings.Repeat("do this and that\n", 5000)
	cases := []struct{ name, preset, model, prompt, args, seen string }{
		{"on standard input", "claude", "opus", "fix it", "--model|opus|-p|", "fix it"},
		{"behind a subcommand", "codex", "gpt-6.1-sol", "fix it", "exec|-m|gpt-6.1-sol|", "fix it"},
		{"as a file", "aider", "", "fix it", "--message-file|", "fix it"},
		{"as an argument", "copilot", "", "fix it", "-p|fix it|", "fix it"},
		{"as a file where it is too long for an argument", "cursor-agent", "", long, "Read the file ", strings.TrimSpace(long)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			script(t, c.preset, `
for a in "$@"; do printf '%s|' "$a" >> args; done
cat > seen
for a in "$@"; do
  case "$a" in
  */prompt.md) cat "$a" > seen ;;
  "Read the file "*) f=${a#Read the file }; cat "${f%% *}" > seen ;;
  "fix it") printf %s "$a" > seen ;;
  esac
done
echo done
`)
			dir := t.TempDir()
			res, err := Run(t.Context(), Options{Preset: c.preset, Model: c.model, Dir: dir, Prompt: c.prompt})
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, filepath.Join(dir, "args")); !strings.Contains(got, c.args) {
				t.Errorf("got arguments %q, want %q in them", got, c.args)
			}
			if got := strings.TrimSpace(read(t, filepath.Join(dir, "seen"))); got != c.seen {
				t.Errorf("the agent read %d bytes, want %d", len(got), len(c.seen))
			}
			if res.Output != "done" {
				t.Errorf("got output %q", res.Output)
			}
		})
	}
}

func TestAnyCommandCanBeAnAgent(t *testing.T) {
	script(t, "mine", `cat > from_stdin; printf '%s' "$1" > arg; echo edited > new.txt`)
	dir := t.TempDir()
	if _, err := Run(t.Context(), Options{Command: []string{"mine", "x"}, Dir: dir, Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "from_stdin")); got != "p" {
		t.Errorf("got %q on standard input", got)
	}
	if _, err := Run(t.Context(), Options{Command: []string{"mine", "do: {prompt}"}, Dir: dir, Prompt: "p q"}); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "arg")); got != "do: p q" {
		t.Errorf("got argument %q", got)
	}
	if got := read(t, filepath.Join(dir, "from_stdin")); got != "" {
		t.Errorf("got %q on standard input beside the argument", got)
	}
}

func TestReadsUsageOfAnAgent(t *testing.T) {
	cases := []struct {
		name, preset, output string
		message              string
		want                 Usage
	}{
		{"Claude Code", "claude", `{"type":"result","subtype":"success","is_error":false,"result":"ok then","total_cost_usd":0.25,"usage":{"input_tokens":10,"cache_creation_input_tokens":5,"cache_read_input_tokens":100,"output_tokens":7}}`,
			"ok then", Usage{Input: 115, Output: 7, Cached: 100, CostUSD: 0.25, CostKnown: true, Known: true}},
		{"Codex", "codex", "{\"type\":\"thread.started\",\"thread_id\":\"1\"}\n{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"hi\"}}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":20,\"cached_input_tokens\":4,\"output_tokens\":3}}",
			"hi", Usage{Input: 20, Output: 3, Cached: 4, Known: true}},
		{"Gemini behind a warning", "gemini", "a warning\n{\n \"response\": \"yes\",\n \"stats\": {\"models\": {\"m\": {\"tokens\": {\"prompt\": 9, \"candidates\": 2, \"thoughts\": 3, \"cached\": 1}}}}\n}",
			"yes", Usage{Input: 9, Output: 5, Cached: 1, Known: true}},
		{"plain text", "goose", "just words", "just words", Usage{}},
		{"something else than expected", "claude", "not JSON", "not JSON", Usage{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			script(t, c.preset, "cat >/dev/null; cat <<'END'\n"+c.output+"\nEND\n")
			res, err := Run(t.Context(), Options{Preset: c.preset, Dir: t.TempDir(), Prompt: "p"})
			if err != nil {
				t.Fatal(err)
			}
			if res.Output != c.message || res.Usage != c.want {
				t.Errorf("got %q, %+v; want %q, %+v", res.Output, res.Usage, c.message, c.want)
			}
		})
	}
}

func TestReportsAFailingAgent(t *testing.T) {
	cases := []struct {
		name    string
		command string
		body    string
		kind    fault.Kind
		say     string
	}{
		{"exit code and the end of what it said", "goose", "echo some text; echo no credentials >&2; exit 3", fault.Model, "exit code 3: no credentials"},
		{"an error in its own words", "claude", `echo '{"type":"result","is_error":true,"result":"Invalid API key"}'`, fault.Model, "Invalid API key"},
		{"a failed turn", "codex", `echo '{"type":"turn.failed","error":{"message":"quota"}}'; exit 1`, fault.Model, "quota"},
		{"a command that is not there", "no-such-agent-here", "", fault.Usage, "no-such-agent-here"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.body != "" {
				script(t, c.command, c.body)
			}
			_, err := Run(t.Context(), Options{Command: []string{c.command}, Dir: t.TempDir(), Prompt: "p"})
			if fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.say) {
				t.Errorf("got %v of kind %v", err, fault.KindOf(err))
			}
			if fault.HintOf(err) == "" {
				t.Error("there is no hint")
			}
		})
	}
}

func TestWithoutACommandTheWaysAreNamed(t *testing.T) {
	for _, o := range []Options{{}, {Preset: "nobody"}, {Command: []string{""}}} {
		_, err := Run(t.Context(), o)
		if fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "claude") {
			t.Errorf("%+v: got %v, hint %q", o, err, fault.HintOf(err))
		}
	}
}

func TestTimeIsBounded(t *testing.T) {
	script(t, "hang", `cat >/dev/null; exec sleep 300`)
	_, err := Run(t.Context(), Options{Command: []string{"hang"}, Dir: t.TempDir(), Prompt: "p", Timeout: 50 * time.Millisecond, Supervise: true})
	if fault.KindOf(err) != fault.Model || !strings.Contains(err.Error(), "did not end within 50ms") {
		t.Errorf("got %v", err)
	}
}
