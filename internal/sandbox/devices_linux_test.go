package sandbox

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal opens one as another window of the user's has it.
func terminal(t *testing.T) (master *os.File, name string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	if err := unix.SetNonblock(int(master.Fd()), true); err != nil {
		t.Fatal(err)
	}
	return master, fmt.Sprintf("/dev/pts/%d", number)
}

// TestOtherTerminalsAreOutOfReach: what the user types in another window is not
// read, and nothing is written there.
func TestOtherTerminalsAreOutOfReach(t *testing.T) {
	eitherWay(t, func(t *testing.T, noMounts bool) {
		home, root := place(t)
		p := plan(t, Config{Root: root, Home: home, Network: true, noMounts: noMounts})
		master, name := terminal(t)
		shell := exec.Command("sleep", "60") // holds the terminal, as a shell does
		theirs, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer theirs.Close()
		shell.Stdin, shell.Stdout = theirs, theirs
		if err := shell.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = shell.Process.Kill()
			_ = shell.Wait()
		}()
		if _, err := master.WriteString("hunter2\n"); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{name, fmt.Sprintf("/proc/%d/fd/0", shell.Process.Pid), fmt.Sprintf("/proc/%d/fd/1", shell.Process.Pid)} {
			out, _ := inBox(t, p, `echo evil >`+path+`; timeout 1 head -n 1 <`+path)
			if strings.Contains(out, "hunter2") {
				t.Errorf("%s was read: %s", path, out)
			}
		}
		buf := make([]byte, 4096)
		_ = master.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		n, _ := master.Read(buf)
		if strings.Contains(string(buf[:n]), "evil") {
			t.Errorf("it was written to: %q", buf[:n])
		}
		out, err := inBox(t, p, `ls /dev/pts`)
		if strings.Contains(out, filepath.Base(name)+"\n") {
			t.Errorf("it is seen: %s %v", out, err)
		}
	})
}

// TestProgramsWithTerminalsWork: those that run another program in one.
func TestProgramsWithTerminalsWork(t *testing.T) {
	if s := Mounts(t.TempDir()); !s.View {
		t.Skip(s.Why)
	}
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	for _, c := range []struct{ tool, script, want string }{
		{"python3", `python3 -c 'import os, pty; m, s = pty.openpty(); os.write(s, b"here\n"); print(os.read(m, 9), os.ttyname(s))'`, "here"},
		{"python3", `python3 -c 'import pty; pty.spawn(["sh", "-c", "test -t 0 && tty && echo x >/dev/tty && echo here"])'`, "here"},
		{"script", `script -qec 'tty && echo here' /dev/null </dev/null`, "here"},
		{"tmux", `export SHELL=/bin/sh; tmux -L t -f /dev/null new-session -d 'echo here >out; sleep 9' && sleep 0.5 && cat out; tmux -L t kill-server`, "here"},
	} {
		if _, err := exec.LookPath(c.tool); err != nil {
			t.Logf("%s is not here", c.tool)
			continue
		}
		if out, code := supervised(t, p, root, c.script); code != 0 || !strings.Contains(out, c.want) {
			t.Errorf("%s: %d %s", c.script, code, out)
		}
	}
}

// TestDevices: those of use are there, and no others unless they are named.
func TestDevices(t *testing.T) {
	if s := Mounts(t.TempDir()); !s.View {
		t.Skip(s.Why)
	}
	home, root := place(t)
	use := `head -c 4 /dev/urandom | wc -c && : >/dev/null && echo x >/dev/fd/2 && echo y >/dev/stdout && head -c 1 /dev/zero | wc -c &&
		: >/dev/shm/x && ls /dev && rm /dev/shm/x && ! echo x >/dev/new && ls /dev/kmsg`
	p := plan(t, Config{Root: root, Home: home, Network: true})
	if out, err := inBox(t, p, use); err == nil || strings.Contains(out, "vda") || strings.Contains(out, "tty1") || !strings.HasPrefix(out, "4\nx\ny\n1\n") {
		t.Errorf("got %v %s", err, out)
	}
	p = plan(t, Config{Root: root, Home: home, Network: true, Write: []string{"/dev/kmsg"}})
	if out, err := inBox(t, p, use); err != nil {
		t.Errorf("named in sandbox.write: %v %s", err, out)
	}
}

// TestAgentsCannotBeFound: the sockets of programs that do the user's bidding are hidden
// where they are, unless the variable that leads there is let through.
func TestAgentsCannotBeFound(t *testing.T) {
	if s := Mounts(t.TempDir()); !s.View {
		t.Skip(s.Why)
	}
	home, root := place(t)
	runtime := filepath.Join(home, "run")
	for _, name := range []string{"bus", "keyring/ssh", "agent/sock"} {
		path := filepath.Join(runtime, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Skip(err)
		}
		defer l.Close()
	}
	c := Config{Root: root, Home: home, Network: true, Getenv: func(name string) string {
		return map[string]string{"XDG_RUNTIME_DIR": runtime, "SSH_AUTH_SOCK": filepath.Join(runtime, "agent/sock")}[name]
	}}
	const script = `for s in bus keyring/ssh agent/sock; do test -S "$HOME/run/$s" && echo $s; done; true`
	if out, err := inBox(t, plan(t, c), script); err != nil || out != "" {
		t.Errorf("got %v %s", err, out)
	}
	own := `test -d "$XDG_RUNTIME_DIR" && test -z "$(ls -A "$XDG_RUNTIME_DIR")" && echo x >"$XDG_RUNTIME_DIR/x"; ls "$HOME/run"`
	if out, err := inBox(t, plan(t, c), own, "XDG_RUNTIME_DIR="+runtime); err == nil && out != "" || err != nil && !strings.Contains(out, "No such file") {
		t.Errorf("a directory of its own: %v %s", err, out)
	}
	c.Env = []string{"SSH_AUTH_SOCK"}
	if out, err := inBox(t, plan(t, c), script); err != nil || out != "keyring/ssh\nagent/sock\n" {
		t.Errorf("let through: %v %s", err, out)
	}
	c.Env = []string{"XDG_RUNTIME_DIR"}
	c.Read = []string{runtime}
	if out, err := inBox(t, plan(t, c), `test -S "$XDG_RUNTIME_DIR/agent/sock" || test -S "$HOME/run/bus" && echo kept`, "XDG_RUNTIME_DIR="+runtime); err != nil {
		t.Errorf("all let through: %v %s", err, out)
	}
}
