package main

import (
	"bufio"
	"context"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// slowly fails at once, or, where there is a file of that name, works for an hour and
// says who does.
var slowly = map[string]string{
	".booty.yml": "test_command: sh test.sh\nsandbox: {mode: off}\n", ".gitignore": "slow\n",
	"test.sh": "if [ -e slow ]; then sh -c 'echo $$ >$OUT/pid.new; mv $OUT/pid.new $OUT/pid; exec sleep 3600'; fi\n" +
		"echo 1..1\necho 'not ok 1 - hello'\nexit 1\n",
}

// TestMCPWithAClientFromNpm talks to booty mcp through the official client for
// JavaScript, whose folder BOOTY_MCP_SDK names.
func TestMCPWithAClientFromNpm(t *testing.T) {
	need(t, "sh", "node")
	sdk := os.Getenv("BOOTY_MCP_SDK")
	if sdk == "" {
		t.Skip("BOOTY_MCP_SDK does not name a folder with @modelcontextprotocol/sdk")
	}
	booty := buildBooty(t)
	files := maps.Clone(slowly)
	files[".booty.yml"] += "gates:\n  - {name: first, command: 'false'}\n" +
		"  - {name: second, command: 'until [ -e $OUT/heard ]; do sleep 0.05; done'}\n"
	repo, _ := exampleRepo(t, files)
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute) // hanging is failing
	defer stop()
	cmd := exec.CommandContext(ctx, "node", filepath.Join("testdata", "mcp_client.mjs"), sdk, booty, repo)
	cmd.Env = append(os.Environ(), "OUT="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all well") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestMCPCancels cancels a call, by the protocol and by going away: what it started
// ends, and no answer comes to what nobody waits for.
func TestMCPCancels(t *testing.T) {
	need(t, "sh", "sleep")
	booty := buildBooty(t)
	repo, _ := exampleRepo(t, slowly)
	testkit.Write(t, repo, map[string]string{"slow": ""})
	outside := t.TempDir()
	pidFile := filepath.Join(outside, "pid")
	ctx, stop := context.WithTimeout(t.Context(), 3*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, booty, "mcp")
	cmd.Dir, cmd.Env = repo, append(os.Environ(), "OUT="+outside)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	say := func(line string) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	answers := bufio.NewScanner(out)
	say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}`)
	say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	say(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"check"}}`)
	pid := awaitPid(ctx, t, pidFile)
	say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
	awaitEnd(ctx, t, pid)
	say(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"check"}}`)
	pid = awaitPid(ctx, t, pidFile)
	say(`{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	awaitEnd(ctx, t, pid)
	var text []string
	for answers.Scan() {
		text = append(text, answers.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	all := strings.Join(text, "\n")
	for want, there := range map[string]bool{`"id":1,`: true, `"id":2,`: false, `"id":3,`: true, `"id":4,`: true} {
		if strings.Contains(all, want) != there {
			t.Errorf("an answer with %s: want %t in\n%s", want, there, all)
		}
	}
}

// awaitPid waits for the process that writes its number to a file, and takes that away.
func awaitPid(ctx context.Context, t *testing.T, file string) int {
	t.Helper()
	for ctx.Err() == nil {
		data, err := os.ReadFile(file)
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil {
			t.Fatal(err)
		}
		return pid
	}
	t.Fatal("the command was never started")
	return 0
}

func awaitEnd(ctx context.Context, t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	for err == nil && ctx.Err() == nil && p.Signal(syscall.Signal(0)) == nil {
		time.Sleep(10 * time.Millisecond)
	}
	if ctx.Err() != nil {
		t.Fatalf("process %d lives on", pid)
	}
}
