package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/booty-cli/booty/internal/proc"
)

func ownProcesses(t *testing.T, p *Plan) {
	t.Helper()
	if !p.ownProcesses {
		t.Skip("this system gives commands no processes of their own")
	}
}

// TestNoProcessOutsideIsReached: not by signals, limits, tracing, priorities or /proc, in
// which there are only a command's own. Neither is the process that looks after it harmed
// in a way that changes a result.
func TestNoProcessOutsideIsReached(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	ownProcesses(t, p)
	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = victim.Process.Kill()
		_ = victim.Wait()
	}()
	script := fmt.Sprintf(`
import ctypes, os, resource
libc = ctypes.CDLL(None, use_errno=True)
tries = {
  "limit": lambda p: resource.prlimit(p, resource.RLIMIT_FSIZE, (0, 0)),
  "signal": lambda p: os.kill(p, 9),
  "nice": lambda p: os.setpriority(os.PRIO_PROCESS, p, 19),
  "cpus": lambda p: os.sched_setaffinity(p, {0}),
  "environ": lambda p: open("/proc/%%d/environ" %% p, "rb").read(),
  "mem": lambda p: open("/proc/%%d/mem" %% p, "r+b"),
}
for p in (%d, %d, %d):
  for name, do in tries.items():
    try: do(p); print("reached", name, p)
    except Exception as e: pass
  if libc.ptrace(16, p, 0, 0) == 0: print("traced", p)
for name in ("environ", "mem", "signal"):
  try: tries[name](1); name == "signal" or print("reached", name, 1)
  except Exception: pass
if libc.ptrace(16, 1, 0, 0) == 0: print("traced the first")
resource.prlimit(1, resource.RLIMIT_FSIZE, (0, 0))
pids = sorted(int(n) for n in os.listdir("/proc") if n.isdigit())
print("seen", len(pids), pids[0], os.getpgid(0) > 1)
`, victim.Process.Pid, os.Getpid(), os.Getppid())
	if err := os.WriteFile(filepath.Join(root, "reach.py"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	// Numbers of processes outside mean others inside, or none: there are few.
	out, code := supervised(t, p, root, python+" reach.py; exit 7")
	if !strings.HasPrefix(out, "seen ") || !strings.HasSuffix(out, " 1 True\n") || code != 7 {
		t.Errorf("got %d\n%s", code, out)
	}
	var limit unix.Rlimit
	if err := unix.Prlimit(victim.Process.Pid, unix.RLIMIT_FSIZE, nil, &limit); err != nil || limit.Cur == 0 {
		t.Errorf("the limit outside is %d, %v", limit.Cur, err)
	}
	if err := victim.Process.Signal(unix.Signal(0)); err != nil {
		t.Errorf("the process outside: %v", err)
	}
}

// TestProcessesEndAsTheyDoOutside: codes, signals and what is left behind are told the same,
// and a command that is asked to end can do so in good order.
func TestProcessesEndAsTheyDoOutside(t *testing.T) {
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	ownProcesses(t, p)
	start := func(script string) *proc.Process {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-c", script)
		cmd.Dir = root
		if err := p.Wrap(cmd); err != nil {
			t.Fatal(err)
		}
		running, err := proc.Start(cmd, proc.Options{Supervise: true, Grace: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		return running
	}
	for script, want := range map[string]proc.Exit{
		`exit 3`:        {Code: 3},
		`kill -9 $$`:    {Code: 137, Signal: "killed"},
		`kill -TERM $$`: {Code: 143, Signal: "terminated"},
		`(sleep 600 & sleep 600 & wait) & sleep 0.2; exit 4`:                                                                   {Code: 4, Leftovers: 3},
		`(setsid sh -c 'trap "" TERM; sleep 600') & sleep 0.2`:                                                                 {Leftovers: 2},
		`for i in 1 2 3 4 5 6 7 8 9; do (sh -c 'exit 1' &); done; sleep 0.2; ls /proc | grep -c '^[0-9]*$' | grep -qx '[1-6]'`: {},
	} {
		exit, err := start(script).Wait()
		if exit.Leftovers > 0 && want.Leftovers > 0 {
			exit.Leftovers = want.Leftovers // counted roughly
		}
		if err != nil || exit != want {
			t.Errorf("%s: got %+v, %v; want %+v", script, exit, err, want)
		}
	}
	running := start(`trap 'echo ended >stopped; exit 9' TERM; echo x >began; while :; do sleep 0.05; done`)
	for range 200 {
		if _, err := os.Stat(filepath.Join(root, "began")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	running.Stop()
	exit, err := running.Wait()
	if _, missing := os.Stat(filepath.Join(root, "stopped")); err != nil || exit.Code != 9 || missing != nil {
		t.Errorf("stopped: %+v, %v, %v", exit, err, missing)
	}
}

// TestAKilledSupervisorTakesAllWithIt: where the first process ends, so do the others.
func TestAKilledSupervisorTakesAllWithIt(t *testing.T) {
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	ownProcesses(t, p)
	mark := "sleep 1" + strconv.Itoa(os.Getpid())
	cmd := exec.Command("/bin/sh", "-c", "setsid "+mark+" & "+mark+" & echo x >began; wait; exit 0")
	cmd.Dir = root
	if err := p.Wrap(cmd); err != nil {
		t.Fatal(err)
	}
	running, err := proc.Start(cmd, proc.Options{Supervise: true, Grace: 200 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if _, err := os.Stat(filepath.Join(root, "began")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	children, err := exec.Command("ps", "--ppid", strconv.Itoa(os.Getpid()), "-o", "pid=,args=").Output()
	if err != nil {
		t.Skip("ps is not here")
	}
	for line := range strings.Lines(string(children)) {
		if pid, args, _ := strings.Cut(strings.TrimSpace(line), " "); strings.Contains(args, "supervise") {
			n, _ := strconv.Atoi(pid)
			_ = unix.Kill(n, unix.SIGKILL)
		}
	}
	if exit, err := running.Wait(); err == nil && exit.Code == 0 {
		t.Errorf("it should not count as passed: %+v", exit)
	}
	list, err := exec.Command("ps", "-eo", "args").Output()
	if err == nil && strings.Contains(string(list), mark) {
		t.Errorf("something lives on:\n%s", list)
	}
}
