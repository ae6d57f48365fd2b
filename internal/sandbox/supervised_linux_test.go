package sandbox

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/proc"
)

// TestASandboxBelowASupervisor is how booty runs its checks: booty, the
// supervisor, the sandbox, the shell.
func TestASandboxBelowASupervisor(t *testing.T) {
	home, root := place(t)
	for _, network := range []bool{true, false} {
		if !network && !offline() {
			t.Log("no network namespaces here")
			continue
		}
		p := plan(t, Config{Root: root, Home: home, Network: network})
		cmd := exec.Command("/bin/sh", "-c", `cat "$HOME/.ssh/id_ed25519"; echo x >"$HOME/out"; tail -n +3 /proc/net/dev | cut -d: -f1
(env -i /usr/bin/setsid /bin/sleep 600 &); kill -9 $PPID; sleep 0.1; echo here; exit 5`)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "HOME="+home)
		if err := p.Wrap(cmd); err != nil {
			t.Fatal(err)
		}
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdout, cmd.Stderr = w, w
		running, err := proc.Start(cmd, proc.Options{Supervise: true, Grace: 200 * time.Millisecond})
		_ = w.Close()
		if err != nil {
			t.Fatal(err)
		}
		out, err := io.ReadAll(r) // to the end: nobody holds the pipe any more
		if err != nil {
			t.Fatal(err)
		}
		exit, err := running.Wait()
		text := string(out)
		if err != nil || exit.Code != 5 || exit.Leftovers == 0 || strings.Contains(text, "PLANTED") || !strings.Contains(text, "here") {
			t.Errorf("network %v: %+v, %v\n%s", network, exit, err, text)
		}
		if _, err := os.Stat(home + "/out"); err == nil {
			t.Error("the home directory was written to")
		}
		devices := 0
		for line := range strings.Lines(text) {
			if name := strings.TrimSpace(line); name == "lo" || strings.HasPrefix(name, "e") && !strings.Contains(name, " ") {
				devices++
			}
		}
		if !network && devices != 1 {
			t.Errorf("without network there should be the loopback device only:\n%s", text)
		}
	}
}

// offline reports whether commands can be cut off from the network here.
func offline() bool {
	_, err := trySpaces(spaces{network: true}, rules{})
	return err == nil
}
