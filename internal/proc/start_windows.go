package proc

import (
	"errors"
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

type impl struct {
	cmd   *exec.Cmd
	job   windows.Handle
	grace time.Duration
	kill  sync.Once
}

// start puts the command, still suspended, into a job object that ends all its
// members when its last handle closes: also when booty itself is killed.
func start(cmd *exec.Cmd, o Options) (*Process, error) {
	mark(cmd)
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("create a job object: %w", err)
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		if cmd.SysProcAttr == nil {
			cmd.SysProcAttr = new(syscall.SysProcAttr)
		}
		cmd.SysProcAttr.CreationFlags |= windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_SUSPENDED
		err = cmd.Start()
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, err
	}
	if err := enter(job, uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("put the command into its job object: %w", err)
	}
	return &Process{impl{cmd: cmd, job: job, grace: o.Grace}}, nil
}

// enter puts a suspended process into job and lets it run.
func enter(job windows.Handle, pid uint32) error {
	p, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(p)
	if err := windows.AssignProcessToJobObject(job, p); err != nil {
		return err
	}
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(threads)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &entry); err == nil; err = windows.Thread32Next(threads,
		&entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(t)
		_ = windows.CloseHandle(t)
		return err
	}
	return errors.New("its thread was not found")
}

// Wait waits until the command has ended, and ends what it left behind.
func (p *Process) Wait() (Exit, error) {
	err := p.cmd.Wait()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) && !errors.Is(err, exec.ErrWaitDelay) {
		return Exit{}, fmt.Errorf("wait for the command: %w", err)
	}
	p.Kill()
	_ = windows.CloseHandle(p.job)
	return Exit{Code: p.cmd.ProcessState.ExitCode()}, nil
}

// Stop ends the tree at once: there is no TERM here that a console program in a
// job would be sure to get.
func (p *Process) Stop() { p.Kill() }

// Kill makes the tree end now.
func (p *Process) Kill() {
	p.kill.Do(func() { _ = windows.TerminateJobObject(p.job, 1) })
}

// Supervise has nothing to do here: the job object needs no supervisor.
func Supervise([]string, Prepare) (exit int, handled bool) { return 0, false }

// Dumpable does something that needs nothing more here.
func Dumpable(do func() error) error { return do() }
