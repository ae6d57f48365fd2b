package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is a client of a server; ended is closed when the server has.
func session(t *testing.T, s Server, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, in, out) }()
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, o).
		Connect(ctx, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		stop()
		_ = in.Close()
		_ = out.Close()
		if err := <-done; err != nil {
			t.Error("the server ended with", err)
		}
	})
	return c
}

func textOf(r *sdk.CallToolResult) string { return r.Content[0].(*sdk.TextContent).Text }

func same(s string) string { return s }

func TestEachToolIsACommandLine(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(below, "-log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var got Call
	c := session(t, Server{Dir: dir, Redact: same, Run: func(_ context.Context, c Call) Answer {
		got = Call{Args: c.Args, Input: c.Input}
		return Answer{Result: "said\n"}
	}}, nil)
	here, there := "--dir="+dir, "--dir="+below
	for _, test := range []struct {
		tool string
		args map[string]any
		want Call
	}{
		{"distill", map[string]any{"text": "a\nb"}, Call{Args: []string{"distill", here}, Input: "a\nb"}},
		{"distill", map[string]any{"text": "", "exit_code": 0, "budget": 9, "json": true},
			Call{Args: []string{"distill", here, "--exit-code=0", "--budget=9", "--json"}}},
		{"distill", map[string]any{"file": "-log", "directory": "below"},
			Call{Args: []string{"distill", there, filepath.Join(below, "-log")}}},
		{"check", nil, Call{Args: []string{"check", here}}},
		{"check", map[string]any{"staged": true, "setup": true, "json": true, "directory": below},
			Call{Args: []string{"check", there, "--staged", "--setup", "--json"}}},
		{"run_status", map[string]any{"limit": 0}, Call{Args: []string{"status", here, "--limit=0"}}},
		{"run_status", map[string]any{"run": "--html=x", "show": "output", "attempt": 0},
			Call{Args: []string{"status", here, "--show=output", "--attempt=0", "--", "--html=x"}}},
		{"prove", map[string]any{"ref": "--yes", "base": "main", "mutants": 0, "time": "1m"},
			Call{Args: []string{"prove", here, "--base=main", "--mutants=0", "--time=1m", "--", "--yes"}}},
		{"refine", map[string]any{"hint": "--yes", "files": []string{"*.go", "--yes"}, "max_retries": 2},
			Call{Args: []string{"refine", here, "--hint=--yes", "--file=*.go", "--file=--yes", "--max-retries=2"}}},
	} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: test.tool, Arguments: test.args})
		if err != nil {
			t.Fatal(err)
		}
		if r.IsError || textOf(r) != "said" {
			t.Errorf("%s %v: got %v %q", test.tool, test.args, r.IsError, textOf(r))
		}
		if diff := cmp.Diff(got, test.want); diff != "" {
			t.Errorf("%s %v: got -, want +\n%s", test.tool, test.args, diff)
		}
	}
}

func TestInvalidCallsRunNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/", filepath.Join(dir, "way-out")); err != nil {
		t.Skip(err)
	}
	c := session(t, Server{Dir: dir, Redact: same, Run: func(_ context.Context, c Call) Answer {
		t.Errorf("%v was run", c.Args)
		return Answer{}
	}}, nil)
	for _, test := range []struct {
		tool, want string
		args       any
	}{
		{"distill", "exactly one of text and file", map[string]any{}},
		{"distill", "outside of", map[string]any{"file": "way-out/etc/hosts"}},
		{"distill", "outside of", map[string]any{"file": "../.."}},
		{"distill", "file: ", map[string]any{"file": "no-such-file"}},
		{"check", "outside of", map[string]any{"directory": "way-out"}},
		{"refine", `unknown field "allow"`, map[string]any{"allow": []string{"**"}}},
		{"refine", "files: got string", map[string]any{"files": "*.go"}},
		{"run_status", "want an object, got array", []int{1}},
	} {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: test.tool, Arguments: test.args})
		if err != nil {
			t.Fatal(err)
		}
		if !r.IsError || !strings.Contains(textOf(r), test.want) {
			t.Errorf("%s %v: got %v %q, want %q", test.tool, test.args, r.IsError, textOf(r), test.want)
		}
	}
}

// TestTheSchemasNameTheArguments holds what agents are told against what is read.
func TestTheSchemasNameTheArguments(t *testing.T) {
	for name, a := range map[string]any{
		"distill": distillArguments{}, "check": checkArguments{}, "prove": proveArguments{}, "run_status": statusArguments{}, "refine": refineArguments{},
	} {
		var want []string
		for i := range reflect.TypeOf(a).NumField() {
			want = append(want, reflect.TypeOf(a).Field(i).Tag.Get("json"))
		}
		for _, tool := range tools() {
			if tool.name != name {
				continue
			}
			var schema struct {
				Properties map[string]struct{ Type, Description string }
			}
			if err := json.Unmarshal(tool.definition().InputSchema.(json.RawMessage), &schema); err != nil {
				t.Fatal(name, err)
			}
			var got []string
			for p, about := range schema.Properties {
				if got = append(got, p); about.Type == "" || about.Description == "" {
					t.Errorf("%s: %s is not described", name, p)
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if diff := cmp.Diff(got, want); diff != "" {
				t.Errorf("%s: got -, want +\n%s", name, diff)
			}
		}
	}
}

// TestTheDocumentNamesTheTools holds docs/mcp.md against what agents are told.
func TestTheDocumentNamesTheTools(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "mcp.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools() {
		_, row, there := strings.Cut(string(doc), "\n| `"+tool.name+"` |")
		row, _, _ = strings.Cut(row, "\n")
		if !there {
			t.Errorf("there is no row of %s", tool.name)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.definition().InputSchema.(json.RawMessage), &schema); err != nil {
			t.Fatal(err)
		}
		for p := range schema.Properties { // json and directory are told above the table
			if p != "json" && p != "directory" && !strings.Contains(row, "`"+p+"`") {
				t.Errorf("the row of %s does not name %s", tool.name, p)
			}
		}
	}
}

func TestAnAnswerIsForAModel(t *testing.T) {
	long := strings.Repeat("a line of it\n", 10_000)
	for name, test := range map[string]struct {
		of         Answer
		text, json string
		isError    bool
	}{
		"told, result and code": {of: Answer{Result: "b\n", Messages: "a\n", Exit: 3}, text: "a\n\nb\nexit code 3"},
		"nothing said":          {text: "exit code 0"},
		"what could not be":     {of: Answer{Messages: "a\n", Exit: 8}, text: "a\nexit code 8", isError: true},
		"the last event":        {of: Answer{Result: "{\"a\":1}\n{\"b\":2}\n", Messages: "x", Exit: 4}, text: `{"b":2}`, json: `{"b":2}`},
		"too long": {of: Answer{Result: long},
			text: strings.Repeat("a line of it\n", 3076) + "… 70018 bytes left out …\n" + strings.TrimSuffix(strings.Repeat("a line of it\n", 1538), "\n")},
	} {
		r := answer(test.of)
		if diff := cmp.Diff(textOf(r), test.text); diff != "" || r.IsError != test.isError {
			t.Errorf("%s: error %t, got -, want +\n%s", name, r.IsError, diff)
		}
		if got, _ := r.StructuredContent.(json.RawMessage); string(got) != test.json {
			t.Errorf("%s: got %s, want %s", name, got, test.json)
		}
	}
}

// TestProgressIsForWhoAsked: lines as they come, a sign of life every few seconds of
// silence, nothing after the answer, and nothing where nobody asked.
func TestProgressIsForWhoAsked(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := Server{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, "secret", "[REDACTED]") }}
		s.Run = func(_ context.Context, c Call) Answer {
			c.OnMessage("  begun")
			c.OnOutput("building")
			time.Sleep(6 * time.Second)
			c.OnOutput("  the secret test\n")
			time.Sleep(5100 * time.Millisecond) // between two looks at the lines
			c.OnMessage("done")
			return Answer{Result: "x"}
		}
		var heard []string
		var at []float64
		c := session(t, s, &sdk.ClientOptions{
			ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
				heard, at = append(heard, r.Params.Message), append(at, r.Params.Progress)
			},
		})
		if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "check"}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(heard) > 0 {
			t.Errorf("nobody asked for %q", heard)
		}
		p := &sdk.CallToolParams{Name: "check"}
		p.SetProgressToken("p")
		if _, err := c.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if diff := cmp.Diff(heard, []string{"begun", "5s: building", "10s: the [REDACTED] test"}); diff != "" {
			t.Errorf("got -, want +\n%s", diff)
		}
		if diff := cmp.Diff(at, []float64{1, 2, 3}); diff != "" {
			t.Errorf("got -, want +\n%s", diff)
		}
	})
}

// TestOneLongToolAtATime: two would check each other's files. What is quick goes on.
func TestOneLongToolAtATime(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		at := 0
		s := Server{Dir: dir, Redact: same}
		s.Run = func(_ context.Context, c Call) Answer {
			if c.Args[0] == "status" {
				return Answer{Result: "quick"}
			}
			if at++; at > 1 {
				t.Error("two are at work")
			}
			time.Sleep(time.Minute)
			at--
			return Answer{Result: c.Args[0]}
		}
		c := session(t, s, nil)
		done := make(chan string)
		for _, name := range []string{"check", "refine"} {
			go func() {
				r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: name})
				if err != nil {
					t.Error(err)
					done <- ""
					return
				}
				done <- textOf(r)
			}()
		}
		synctest.Wait()
		if r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "run_status"}); err != nil || textOf(r) != "quick" {
			t.Error(r, err)
		}
		got := []string{<-done, <-done}
		slices.Sort(got)
		if diff := cmp.Diff(got, []string{"check", "refine"}); diff != "" {
			t.Errorf("got -, want +\n%s", diff)
		}
	})
}

// TestABugIsAnAnswer: no stack, and the session goes on.
func TestABugIsAnAnswer(t *testing.T) {
	s := Server{Dir: t.TempDir(), Redact: same, Run: func(context.Context, Call) Answer { panic("no") }}
	c := session(t, s, nil)
	for range 2 {
		r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "check"})
		if err != nil || !r.IsError || textOf(r) != "a bug in booty: no" {
			t.Errorf("got %v, %v", r, err)
		}
	}
}

// TestLinesOfAnyLength: one that is too long is answered, and the next one read.
func TestLinesOfAnyLength(t *testing.T) {
	short := strings.Repeat("x", 200_000)
	r := bufio.NewReader(io.MultiReader(
		strings.NewReader(short+"\n"), io.LimitReader(endless{}, maxLine+1), strings.NewReader("\nlast")))
	for _, want := range []struct {
		n   int
		err error
	}{{200_001, nil}, {0, errTooLong}, {4, nil}, {0, io.EOF}} {
		got, err := readLine(r)
		if len(got) != want.n || !errors.Is(err, want.err) {
			t.Errorf("got %d bytes, %v, want %d, %v", len(got), err, want.n, want.err)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'y'
	}
	return len(p), nil
}

// FuzzWire: whatever a client writes, it gets lines of JSON-RPC and the session ends
// with its input.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "{", "[]", "[[]]", "null", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[]}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}`, "[1,\"\xff\",{}]",
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check","arguments":"x"}}`,
	} {
		f.Add([]byte(seed))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, input []byte) {
		s := Server{Dir: dir, Redact: same, Run: func(context.Context, Call) Answer { return Answer{Result: "x"} }}
		var out strings.Builder
		if err := s.Serve(t.Context(), strings.NewReader(string(input)), &out); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
			var m struct {
				Version string `json:"jsonrpc"`
			}
			if line != "" && (json.Unmarshal([]byte(line), &m) != nil || m.Version != "2.0") {
				t.Errorf("%q was written", line)
			}
		}
	})
}

// TestALongToolThatIsEndedBeforeItBegins: the answer is that of one ended at work.
func TestALongToolThatIsEndedBeforeItBegins(t *testing.T) {
	gone, stop := context.WithCancel(t.Context())
	stop()
	all := tools()
	i := slices.IndexFunc(all, func(t tool) bool { return t.long })
	h := handler{server: Server{Redact: same}, tool: all[i], until: gone, one: make(chan struct{})} // never free
	r, err := h.call(t.Context(), &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{}})
	if err != nil || !r.IsError || textOf(r) != "interrupted\nexit code 130" {
		t.Errorf("got %v, %v", textOf(r), err)
	}
}
