//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if code, ok := Supervise(os.Args, nil); ok {
		os.Exit(code)
	}
	if os.Getenv("PROC_TEST_PARENT") != "" {
		os.Exit(beParent())
	}
	os.Exit(m.Run())
}

// modes runs a test with and without a supervisor.
func modes(t *testing.T, test func(t *testing.T, supervise bool)) {
	t.Helper()
	for _, supervise := range []bool{true, false} {
		t.Run(fmt.Sprintf("supervised %v", supervise), func(t *testing.T) {
			t.Parallel()
			test(t, supervise)
		})
	}
}

// untilReported is the line of a script that waits until the file pids names
// that many processes.
func untilReported(n int) string {
	return fmt.Sprintf("\nuntil [ \"$(wc -w <pids || echo 0)\" -ge %d ]; do sleep 0.01; done\n", n)
}

// begin starts a script in a directory of its own.
func begin(t *testing.T, supervise bool, script string) (*Process, string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir = t.TempDir()
	p, err := Start(cmd, Options{Supervise: supervise, Grace: 300 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	return p, cmd.Dir
}

func wait(t *testing.T, p *Process) Exit {
	t.Helper()
	exit, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return exit
}

// pids waits until file names want processes and gives them.
func pids(t *testing.T, dir string, want int) []int {
	t.Helper()
	for range 2000 {
		b, _ := os.ReadFile(filepath.Join(dir, "pids"))
		if fields := strings.Fields(string(b)); len(fields) == want && strings.HasSuffix(string(b), "\n") {
			var list []int
			for _, f := range fields {
				n, err := strconv.Atoi(f)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, n)
			}
			return list
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("the processes did not report")
	return nil
}

func alive(pid int) bool {
	for _, p := range processes() {
		if p.pid == pid {
			return !p.zombie
		}
	}
	return false
}

func TestExitCodesAndSignals(t *testing.T) {
	modes(t, func(t *testing.T, supervise bool) {
		for script, want := range map[string]Exit{
			"exit 0": {}, "exit 7": {Code: 7},
			"kill -TERM $$": {Code: 143, Signal: "terminated"},
		} {
			p, _ := begin(t, supervise, script)
			if got := wait(t, p); got != want {
				t.Errorf("%s: got %+v, want %+v", script, got, want)
			}
		}
	})
}

// tricks are ways to stay alive. Each writes the process ids that must not
// remain into the file pids; what comes after waits for that.
var tricks = map[string]struct {
	script string
	pids   int
	needs  string
}{
	"a plain background process":           {`sleep 600 & echo $! >>pids`, 1, ""},
	"one that ignores TERM":                {`sh -c 'trap "" TERM; echo $$ >>pids; while :; do sleep 600; done' & :`, 1, ""},
	"one that ignores HUP, INT and TERM":   {`nohup sh -c 'trap "" HUP INT TERM; echo $$ >>pids; while :; do sleep 600; done' >/dev/null 2>&1 & :`, 1, ""},
	"one in its own session":               {`setsid sh -c 'echo $$ >>pids; exec sleep 600' & :`, 1, "setsid"},
	"one whose parents are gone":           {`(setsid sh -c 'sleep 600 & echo $! >>pids' &)`, 1, "setsid"},
	"one that forked twice, ignoring TERM": {`(setsid sh -c '(trap "" TERM; sh -c "echo \$PPID >>pids"; while :; do sleep 600; done) &' &)`, 1, "setsid"},
	"a chain of sessions":                  {`setsid sh -c 'echo $$ >>pids; setsid sh -c "echo \$\$ >>pids; exec sleep 600" & exec sleep 600' & :`, 2, "setsid"},
	"one that cleared its environment":     {`env -i /bin/sh -c 'echo $$ >>pids; exec sleep 600' & :`, 1, ""},
}

func TestNothingOutlivesACommand(t *testing.T) {
	for name, trick := range tricks {
		for _, how := range []string{"ends by itself", "is stopped", "is killed"} {
			t.Run(name+", the command "+how, func(t *testing.T) {
				modes(t, func(t *testing.T, supervise bool) {
					if trick.needs != "" {
						if _, err := exec.LookPath(trick.needs); err != nil {
							t.Skipf("%s is not here", trick.needs)
						}
					}
					last := "sleep 600"
					if how == "ends by itself" {
						last = "exit 3"
					}
					p, dir := begin(t, supervise, trick.script+untilReported(trick.pids)+last)
					switch how {
					case "is stopped":
						pids(t, dir, trick.pids)
						p.Stop()
					case "is killed":
						pids(t, dir, trick.pids)
						p.Kill()
					}
					exit := wait(t, p)
					for _, pid := range pids(t, dir, trick.pids) {
						if alive(pid) {
							t.Errorf("process %d lives on", pid)
							_ = syscall.Kill(pid, syscall.SIGKILL)
						}
					}
					if how == "ends by itself" && (exit.Code != 3 || exit.Leftovers == 0) {
						t.Errorf("got %+v", exit)
					}
				})
			})
		}
	}
}

func TestEvenForgetsOldTraces(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("setsid is not here")
	}
	// Own session, parents gone, environment empty: only a subreaper knows it.
	if !subreaper {
		t.Skip("this system has no subreaper")
	}
	p, dir := begin(t, true, `(env -i /usr/bin/setsid /bin/sh -c '/bin/sleep 600 & echo $! >>pids' &)`+untilReported(1))
	wait(t, p)
	for _, pid := range pids(t, dir, 1) {
		if alive(pid) {
			t.Errorf("process %d lives on", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func TestAForkingCrowdEnds(t *testing.T) {
	t.Parallel()
	p, dir := begin(t, true, `f() { trap '' TERM; while :; do sh -c 'sleep 0.05' & sleep 0.02; done; }; f & f & f & f & echo $$ >>pids; sleep 600`)
	pids(t, dir, 1)
	p.Stop()
	wait(t, p)
}

// beParent starts what PROC_TEST_PARENT says and waits to be killed.
func beParent() int {
	cmd := exec.Command("/bin/sh", "-c", os.Getenv("PROC_TEST_PARENT"))
	cmd.Env = append(os.Environ(), "PROC_TEST_PARENT=")
	p, err := Start(cmd, Options{Supervise: true, Grace: 300 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return 1
	}
	_, _ = p.Wait()
	return 0
}

func TestNothingOutlivesBootyEvenKilled(t *testing.T) {
	for name, trick := range tricks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if trick.needs != "" {
				if _, err := exec.LookPath(trick.needs); err != nil {
					t.Skipf("%s is not here", trick.needs)
				}
			}
			dir := t.TempDir()
			parent := exec.Command(os.Args[0])
			parent.Dir = dir
			parent.Env = append(os.Environ(), "PROC_TEST_PARENT=echo $$ $PPID >>pids;"+trick.script+untilReported(trick.pids+2)+"sleep 600")
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			list := pids(t, dir, trick.pids+2)
			_ = parent.Process.Kill()
			_ = parent.Wait()
			gone(t, list)
		})
	}
}

// gone waits until none of the processes lives.
func gone(t *testing.T, list []int) {
	t.Helper()
	for _, pid := range list {
		for n := 0; alive(pid); n++ {
			if n > 1000 {
				t.Errorf("process %d lives on", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func TestAKilledSupervisorLeavesNothing(t *testing.T) {
	t.Parallel()
	p, dir := begin(t, true, `echo $$ >>pids; sleep 600 & echo $! >>pids; sleep 600`)
	list := pids(t, dir, 2)
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	exit, err := p.Wait()
	if !errors.Is(err, ErrSupervisor) || exit.Signal == "" {
		t.Errorf("got %+v, %v", exit, err)
	}
	gone(t, list)
}

func TestAProgramThatIsNoSupervisorDoesNotStartItselfForEver(t *testing.T) {
	t.Setenv(nestedVariable, "1")
	if _, err := Start(exec.Command("/bin/sh", "-c", "true"), Options{Supervise: true}); !errors.Is(err, errNested) {
		t.Errorf("got %v", err)
	}
}

func TestACommandThatIsNotThereIsAnError(t *testing.T) {
	modes(t, func(t *testing.T, supervise bool) {
		cmd := exec.Command("/no/such/program")
		cmd.Dir = t.TempDir()
		p, err := Start(cmd, Options{Supervise: supervise})
		if err == nil {
			_, err = p.Wait()
		}
		if err == nil || !strings.Contains(err.Error(), "/no/such/program") {
			t.Errorf("got %v", err)
		}
	})
}
