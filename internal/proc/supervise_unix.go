//go:build unix

package proc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

const (
	// superviseWord as the first argument makes this program a supervisor.
	superviseWord = "__booty-supervise"
	// nestedVariable is set for supervisors alone: a program that finds it and
	// yet starts commands was not able to be one.
	nestedVariable = "BOOTY_SUPERVISOR"
	// notPrepared is the exit code where Prepare failed.
	notPrepared = 125
	controlFD   = 3
	statusFD    = 4
)

// spec is what a supervisor is to start: the first line of its control pipe.
type spec struct {
	Program
	Grace time.Duration
	Mark  string
	// First says that the supervisor is the first process of a namespace.
	First bool `json:",omitempty"`
}

// report is what a supervisor says at its end, as JSON on its status pipe.
type report struct {
	Exit
	Error string `json:",omitempty"`
}

func (p *Process) startSupervised() (err error) {
	if os.Getenv(nestedVariable) != "" {
		return errNested
	}
	controlR, controlW, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("open the control pipe: %w", err)
	}
	defer controlR.Close()
	statusR, statusW, err := os.Pipe()
	if err != nil {
		_ = controlW.Close()
		return fmt.Errorf("open the status pipe: %w", err)
	}
	defer statusW.Close()

	what := p.cmd
	if what.Err != nil {
		err = what.Err
	}
	self, args, err2 := ourselves()
	if err == nil {
		err = err2
	}
	// The supervisor gets the command's environment, not booty's: the command
	// may read that of its ancestors.
	sup := &exec.Cmd{
		Path: self, Args: append(args, superviseWord),
		Env: append(what.Env[:len(what.Env):len(what.Env)], nestedVariable+"=1"), Dir: what.Dir,
		Stdin: what.Stdin, Stdout: what.Stdout, Stderr: what.Stderr, WaitDelay: what.WaitDelay,
		ExtraFiles:  []*os.File{controlR, statusW},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}, // no Ctrl-C and no terminal down there
	}
	first := enterNamespaces(sup.SysProcAttr, what.SysProcAttr)
	if err == nil {
		err = Dumpable(sup.Start)
	}
	if err == nil {
		line, _ := json.Marshal(spec{ // plain data: cannot fail
			Program: Program{Path: what.Path, Args: what.Args, Env: what.Env, Dir: what.Dir},
			Grace:   p.grace, Mark: p.mark, First: first,
		})
		_, _ = controlW.Write(append(line, '\n')) // if it died, Wait tells
		p.cmd, p.control, p.status = sup, controlW, statusR
		return nil
	}
	_ = controlW.Close()
	_ = statusR.Close()
	return fmt.Errorf("start the supervisor: %w", err)
}

func (p *Process) waitSupervised() (Exit, error) {
	defer p.control.Close()
	defer p.status.Close()
	said, _ := io.ReadAll(io.LimitReader(p.status, 64<<10))
	_ = p.cmd.Wait() // its exit code says no more than the report
	var r report
	if err := json.Unmarshal(said, &r); err != nil {
		// Killed from outside: its orphans are nobody's children now.
		left := p.sweep()
		return Exit{Code: 128 + int(syscall.SIGKILL), Signal: syscall.SIGKILL.String(), Leftovers: left},
			ErrSupervisor
	}
	if r.Error != "" {
		return Exit{}, fmt.Errorf("start the command: %s", r.Error)
	}
	return r.Exit, nil
}

// Supervise makes this process a supervisor if args (those of the program, its
// name first) say so. main calls it before anything else and, where handled,
// ends with the exit code. prepare may be nil.
func Supervise(args []string, prepare Prepare) (exit int, handled bool) {
	if len(args) < 2 || args[1] != superviseWord || os.Getenv(nestedVariable) == "" {
		return 0, false
	}
	syscall.CloseOnExec(controlFD)
	syscall.CloseOnExec(statusFD)
	control := bufio.NewReader(os.NewFile(controlFD, "control"))
	status := os.NewFile(statusFD, "status")
	r := supervise(control, prepare)
	_ = json.NewEncoder(status).Encode(r) // booty may be gone; nobody to tell
	return 0, true
}

// supervise starts what the first line of control asks for and looks after it
// until nothing of it lives.
func supervise(control *bufio.Reader, prepare Prepare) report {
	line, err := control.ReadBytes('\n')
	var s spec
	if err != nil || json.Unmarshal(line, &s) != nil {
		return report{Error: "the supervisor was told nothing"}
	}
	// Notify, not Ignore: what is ignored stays ignored in the command.
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)

	w, err := adopt(s, prepare)
	if err != nil {
		return report{Error: err.Error()}
	}
	words := make(chan string)
	go listen(control, words)

	var kill <-chan time.Time
	for {
		select {
		case exit := <-w.ended:
			exit.Leftovers = w.end(min(s.Grace, leftoverGrace))
			return report{Exit: exit}
		case word := <-words:
			kill = w.obey(word, s.Grace, kill)
		case sig := <-signals:
			if sig != syscall.SIGPIPE {
				kill = w.obey("stop", s.Grace, kill)
			}
		case <-kill:
			w.signal(syscall.SIGKILL)
			kill = time.After(20 * time.Millisecond) // again: it may have forked meanwhile
		}
	}
}

// listen passes on the words of the control pipe; its end means that booty has
// gone, and is passed on as "gone".
func listen(control *bufio.Reader, words chan<- string) {
	for {
		word, err := control.ReadString('\n')
		if err != nil {
			words <- "gone"
			return
		}
		words <- strings.TrimSpace(word)
	}
}

// obey does what a word says and gives the time at which to kill.
func (w *ward) obey(word string, grace time.Duration, kill <-chan time.Time) <-chan time.Time {
	switch word {
	case "kill":
		return time.After(0)
	case "gone": // nobody waits for a tidy end
		grace = min(grace, leftoverGrace)
	}
	if kill == nil {
		w.signal(syscall.SIGTERM)
		kill = time.After(grace)
	}
	return kill
}

// ward is the tree in a supervisor's care.
type ward struct {
	pid   int
	mark  string
	first bool
	ended chan Exit     // the command's end, once
	empty chan struct{} // closed when there is no child left
}

// adopt starts the command and reaps it and all orphans.
func adopt(s spec, prepare Prepare) (*ward, error) {
	w := &ward{mark: s.Mark, first: s.First, ended: make(chan Exit, 1), empty: make(chan struct{})}
	if prepare == nil {
		prepare = func(*Program) error { return nil }
	}
	started := make(chan error)
	go w.live(s.Program, prepare, started)
	return w, <-started
}

// begin prepares and starts the command. An error of prepare goes to the command's output, where
// its reader looks for the causes of a failure.
func (w *ward) begin(p Program, prepare Prepare, sys *syscall.SysProcAttr) error {
	if err := prepare(&p); err != nil {
		fmt.Fprintf(os.Stderr, "booty: %v\n", err)
		w.ended <- Exit{Code: notPrepared}
		return nil
	}
	hideMemory()
	pid, err := syscall.ForkExec(p.Path, p.Args,
		&syscall.ProcAttr{Dir: p.Dir, Env: p.Env, Files: []uintptr{0, 1, 2}, Sys: sys})
	w.pid = pid
	if err != nil {
		return &os.PathError{Op: "exec", Path: p.Path, Err: err}
	}
	return nil
}

// reap waits for children, the command and adopted orphans, until there are none.
func (w *ward) reap() {
	defer close(w.empty)
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD
			return
		case pid == w.pid && (ws.Exited() || ws.Signaled()):
			w.ended <- exitOf(ws)
		}
	}
}

// end ends what outlived the command, and says how much that was.
func (w *ward) end(grace time.Duration) int {
	if w.settled() {
		return 0
	}
	left := w.tree()
	w.signal(syscall.SIGTERM)
	deadline := time.Now().Add(grace)
	for pause := time.Millisecond; time.Now().Before(deadline) &&
		!w.done(); pause = min(2*pause, 20*time.Millisecond) {
		time.Sleep(pause)
	}
	for deadline = time.Now().Add(killPatience); time.Now().Before(deadline) &&
		!w.done(); time.Sleep(2 * time.Millisecond) {
		w.signal(syscall.SIGKILL)
	}
	return len(left)
}
