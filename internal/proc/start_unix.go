//go:build unix

package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// impl is one of two: supervised has control and status, direct has neither.
type impl struct {
	cmd   *exec.Cmd
	mark  string
	grace time.Duration

	control *os.File // to the supervisor: a specification, then words
	status  *os.File // from the supervisor: how the command ended

	mu   sync.Mutex
	seen map[int]bool // all that the tree was ever seen to hold

	stop sync.Once
	kill sync.Once
	over chan struct{} // closed when Wait is through
	work sync.WaitGroup
}

func start(cmd *exec.Cmd, o Options) (*Process, error) {
	p := &Process{impl{cmd: cmd, grace: o.Grace, over: make(chan struct{})}}
	p.mark = mark(cmd)
	if o.Supervise {
		return p, p.startSupervised()
	}
	attr := cmd.SysProcAttr
	if attr == nil {
		attr = new(syscall.SysProcAttr)
		cmd.SysProcAttr = attr
	}
	attr.Setpgid = true
	return p, cmd.Start()
}

// Wait waits until the command has ended and its tree with it. It must be
// called exactly once.
func (p *Process) Wait() (Exit, error) {
	defer p.work.Wait()
	defer close(p.over)
	if p.control != nil {
		return p.waitSupervised()
	}
	err := p.cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return Exit{}, fmt.Errorf("wait for the command: %w", err)
	}
	exit := exitOf(p.cmd.ProcessState.Sys().(syscall.WaitStatus))
	exit.Leftovers = p.sweep()
	return exit, nil
}

// Stop asks the tree to end and makes it end after the grace period. It returns
// at once; Wait tells when it is done.
func (p *Process) Stop() {
	p.stop.Do(func() {
		if p.control != nil {
			_, _ = p.control.WriteString("stop\n") // a supervisor that is gone has stopped already
			return
		}
		p.work.Go(func() {
			signalAll(p.tree(), syscall.SIGTERM)
			select {
			case <-p.over:
			case <-time.After(p.grace):
				p.Kill()
			}
		})
	})
}

// Kill makes the tree end now.
func (p *Process) Kill() {
	p.kill.Do(func() {
		if p.control != nil {
			_, _ = p.control.WriteString("kill\n")
			return
		}
		signalAll(p.tree(), syscall.SIGKILL)
	})
}

// tree lists what can be seen of the command, itself included.
func (p *Process) tree() []int {
	pid := p.cmd.Process.Pid
	pids := find(func(all []info) map[int]bool {
		return members(all, pid, p.mark)
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.seen == nil {
		p.seen = map[int]bool{}
	}
	for _, pid := range pids {
		p.seen[pid] = true
	}
	return pids
}

// sweep ends what the command left behind and says how much that was.
func (p *Process) sweep() int {
	defer p.vanish()
	left := p.survivors()
	if len(left) == 0 {
		return 0
	}
	signalAll(left, syscall.SIGTERM)
	deadline := time.Now().Add(min(p.grace, leftoverGrace))
	for time.Now().Before(deadline) {
		if len(p.survivors()) == 0 {
			return len(left)
		}
		time.Sleep(5 * time.Millisecond)
	}
	for deadline = time.Now().Add(killPatience); time.Now().Before(deadline); time.Sleep(
		5 * time.Millisecond) {
		still := p.survivors()
		if len(still) == 0 {
			break
		}
		signalAll(still, syscall.SIGKILL)
	}
	return len(left)
}

// survivors is the tree, looked at more than once before it counts as gone: a
// process in the middle of its exec shows no environment, and one that was
// forked during a look may be missing from it.
func (p *Process) survivors() []int {
	for range 3 {
		if left := p.tree(); len(left) > 0 {
			return left
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// vanish waits for processes that are on their way out: they lose their
// environment, and so the mark, before they are gone.
func (p *Process) vanish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.seen) == 0 {
		return
	}
	for deadline := time.Now().Add(killPatience); time.Now().Before(deadline); time.Sleep(
		2 * time.Millisecond) {
		if len(find(func([]info) map[int]bool { return p.seen })) == 0 {
			return
		}
	}
}

const (
	// leftoverGrace is how long what outlived its command may take to end by
	// itself; it was not meant to be there, so it gets less.
	leftoverGrace = time.Second
	// killPatience bounds the wait for killed processes: one that hangs in the
	// kernel (a dead network disk) must not hang booty.
	killPatience = 10 * time.Second
)

func signalAll(pids []int, sig syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, sig) // gone, or not ours (set-user-id): nothing to be done
	}
}

// exitOf reads a wait status as a shell does.
func exitOf(ws syscall.WaitStatus) Exit {
	if ws.Signaled() {
		return Exit{Code: 128 + int(ws.Signal()), Signal: ws.Signal().String()}
	}
	return Exit{Code: ws.ExitStatus()}
}
