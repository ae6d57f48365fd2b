package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/booty-cli/booty/internal/proc"
)

const (
	// enterWord as the first argument makes this program enter a sandbox.
	enterWord = "__booty-sandbox"
	// enterVariable is set for that alone: a program that finds it and yet
	// wraps commands was not able to enter.
	enterVariable = "BOOTY_SANDBOX"
	// enterFailed is the exit code where it could not; env and timeout use it so too.
	enterFailed = 125
	// maxRules bounds the size of the rules on a command line, and maxArgument that of
	// one argument, which the system bounds at 128 KiB.
	maxRules, maxArgument = 1 << 20, 100 << 10
)

// probe asks the system what it has and gives what is missing.
func (p *Plan) probe() (missing []string) {
	switch v := landlockVersion(); {
	case v < 1:
		missing = append(missing,
			"this kernel has no Landlock: the commands may read and write whatever you may")
	case v < versionRefer:
		missing = append(missing,
			"the Landlock of this kernel is too old (Linux 5.19 is needed): the commands may read and write whatever you may")
	default:
		p.Active = true
		if v < versionTruncate {
			missing = append(missing,
				"the Landlock of this kernel does not keep files outside from being emptied (Linux 6.2 is needed)")
		}
	}
	if !p.c.Network {
		users, err := trySpaces(spaces{network: true}, rules{})
		if err != nil {
			missing = append(missing,
				fmt.Sprintf("network not restricted: this system gives no network namespace (%v)", err))
		} else {
			p.offline, p.ownUsers = true, users
		}
	}
	if err := p.tryMounts(); err != nil {
		missing = append(missing,
			fmt.Sprintf("this system gives the commands no mounts of their own (%v): they may write to "+
				"git directories in the work tree, and cannot list directories that hold secrets", err))
	} else if !p.ownProcesses {
		missing = append(missing,
			"this system gives the commands no processes of their own: they see yours, and can change their limits")
	}
	return missing
}

// namespaces are what a command gets of its own: the network where it is to be cut
// off, mounts, and with these processes. For each an ordinary user
// needs a user namespace. The capabilities are for raising the loopback device
// and for the mounts, and are given up before the command begins.
func namespaces(s spaces, users bool) *syscall.SysProcAttr {
	attr := new(syscall.SysProcAttr)
	if s.processes {
		attr.Cloneflags |= syscall.CLONE_NEWPID
	}
	if s.network {
		attr.Cloneflags |= syscall.CLONE_NEWNET
		attr.AmbientCaps = append(attr.AmbientCaps, unix.CAP_NET_ADMIN)
	}
	if s.mounts {
		attr.Cloneflags |= syscall.CLONE_NEWNS
		attr.AmbientCaps = append(attr.AmbientCaps, unix.CAP_SYS_ADMIN)
		if users { // an overlay writes with these, the user's own files only
			attr.AmbientCaps = append(attr.AmbientCaps, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER,
				unix.CAP_CHOWN,
				unix.CAP_SETPCAP) // to be able to give up all for good
		}
	}
	if users {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	}
	return attr
}

// try enters namespaces once, on trial: some systems allow them and then allow
// nothing in them.
func try(attr *syscall.SysProcAttr, r rules) error {
	if os.Getenv(enterVariable) != "" {
		return errNested
	}
	words, err := r.words()
	if err != nil {
		return err
	}
	cmd := exec.Command("/proc/self/exe") //nolint:noctx // ends at once
	cmd.Args = append([]string{os.Args[0]}, words...)
	cmd.Env = []string{enterVariable + "=1"}
	cmd.SysProcAttr = attr
	var out []byte
	if err = proc.Dumpable(func() (err error) { out, err = cmd.CombinedOutput(); return err }); err != nil {
		if text := strings.TrimSpace(string(out)); text != "" {
			return errors.New(strings.TrimPrefix(text, "booty: sandbox: "))
		}
		return err
	}
	return nil
}

// spaces are namespaces that a command gets.
type spaces struct{ network, mounts, processes bool }

// trial is one of spaces, and whether with the mounts of a command that is restricted.
type trial struct {
	spaces
	restricted bool
}

// entered holds for each trial whether it took a user namespace: what the system gave once it
// gives again, and a trial costs as much as a command. Failures are tried again.
var entered sync.Map

// trySpaces enters namespaces on trial, and reports whether that takes a user namespace:
// root goes without if it can, since in one, files of others look like nobody's.
func trySpaces(s spaces, r rules) (users bool, err error) {
	if os.Getenv(enterVariable) != "" {
		return false, errNested
	}
	key := trial{s, r.Temp != ""}
	if users, ok := entered.Load(key); ok {
		return users == true, nil
	}
	r.Offline, r.Private, r.Processes = s.network, s.mounts, s.processes
	for _, users := range []bool{false, true} {
		if !users && os.Getuid() != 0 {
			continue
		}
		if err = try(namespaces(s, users), r); err == nil {
			entered.Store(key, users)
			return users, nil
		}
	}
	return false, err
}

// restricted are the mounts of a command that is restricted, for a trial; temp is a
// directory.
func restricted(temp string) rules {
	return rules{Devices: devices, Temp: temp, Hidden: []string{"/dev/null"}}
}

// tryMounts asks whether commands can have mounts of their own, and processes. Those need
// mounts: what is seen of processes is a file system.
func (p *Plan) tryMounts() error {
	if p.c.noMounts {
		return errors.ErrUnsupported
	}
	var r rules
	if !p.disabled {
		r = restricted(p.tmp)
	}
	s := spaces{network: p.offline, mounts: true, processes: !p.disabled}
	users, err := trySpaces(s, r)
	if err != nil && s.processes {
		s.processes = false
		users, err = trySpaces(s, r)
	}
	if err != nil {
		return err
	}
	p.ownUsers, p.canMount, p.canFix, p.ownProcesses = users, true, !p.disabled, s.processes
	return nil
}

var errNested = errors.New("this program cannot set up a sandbox")

// enclose makes cmd this program, told to enter the sandbox: the supervisor that starts it does
// so, see [Inside].
func (p *Plan) enclose(cmd *exec.Cmd, r rules) error {
	if os.Getenv(enterVariable) != "" {
		return errNested
	}
	if cmd.Err != nil {
		return cmd.Err
	}
	words, err := r.words()
	if err != nil {
		return err
	}
	cmd.Args = slices.Concat([]string{os.Args[0]}, words, []string{cmd.Path}, cmd.Args)
	cmd.Path = "/proc/self/exe"
	cmd.Env = append(cmd.Env, enterVariable+"=1")
	if r.Offline || r.Private {
		attr := namespaces(spaces{r.Offline, r.Private, r.Processes}, p.ownUsers)
		if cmd.SysProcAttr != nil {
			attr.Setpgid = cmd.SysProcAttr.Setpgid
		}
		cmd.SysProcAttr = attr
	}
	return nil
}

// words are the arguments by which this program enters.
func (r rules) words() ([]string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if len(text) > maxRules {
		return nil, fmt.Errorf("the rules are too many: %d places to read, %d to write, %d overlays",
			len(r.Read), len(r.Write), len(r.Overlays))
	}
	words := []string{enterWord, ""}
	for part := range slices.Chunk(text, maxArgument) {
		words = append(words, string(part))
	}
	words[1] = strconv.Itoa(len(words) - 2)
	return words, nil
}

// Enter enters a sandbox on trial, if args (those of the program, its name first) say so. main
// calls it before anything else and, where handled, ends with the exit code.
func Enter(args []string) (exit int, handled bool) {
	text, argv, ok := entering(args)
	if !ok || os.Getenv(enterVariable) == "" {
		return 0, false
	}
	err := errUnsupervised
	if len(argv) == 0 {
		err = enter(text)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "booty: sandbox: %v\n", err)
		return enterFailed, true
	}
	return 0, true
}

// errUnsupervised: whoever starts a command has its supervisor call [Inside].
var errUnsupervised = errors.New("a command in a sandbox needs a supervisor")

// Inside is a [proc.Prepare]: where the program is this one, started to enter a sandbox, the
// thread enters it, and the program is the command.
func Inside(p *proc.Program) error {
	text, argv, ok := entering(p.Args)
	if !ok || len(argv) < 2 {
		return nil
	}
	r, err := readRules(text)
	if err == nil {
		err = confine(r)
	}
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	p.Path, p.Args, p.Env = argv[0], argv[1:], without(p.Env, enterVariable)
	if r.Dir != "" {
		p.Dir = r.Dir
	}
	return nil
}

// entering splits the arguments of a program that is to enter a sandbox into the rules and the
// command's path and arguments, of which there are none on trial.
func entering(args []string) (rules string, argv []string, ok bool) {
	if len(args) < 3 || args[1] != enterWord {
		return "", nil, false
	}
	n, err := strconv.Atoi(args[2])
	if err != nil || n < 0 || n > len(args)-3 {
		return "", nil, false
	}
	return strings.Join(args[3:3+n], ""), args[3+n:], true
}

func readRules(text string) (r rules, err error) {
	if err = json.Unmarshal([]byte(text), &r); err != nil {
		err = fmt.Errorf("read the rules: %w", err)
	}
	return r, err
}

// enter is a trial. With an overlay it writes through that one.
func enter(text string) error {
	r, err := readRules(text)
	if err != nil {
		return err
	}
	runtime.LockOSThread() // what follows is a matter of the thread
	if len(r.Overlays) == 0 {
		return confine(r)
	}
	if err := arrange(r); err != nil {
		return err
	}
	return useOverlay(r.Overlays[0].Target)
}

// confine puts this process's mounts and network, and this thread's rights, under the rules. The
// caller keeps the thread.
func confine(r rules) error {
	if r.Offline {
		if err := raiseLoopback(); err != nil {
			return fmt.Errorf("raise the loopback device: %w", err)
		}
	}
	if err := arrange(r); err != nil {
		return err
	}
	if err := dropCapabilities(r.Free); err != nil {
		return err
	}
	if len(r.Read)+len(r.Write) > 0 {
		return restrict(r)
	}
	return nil
}

// raiseLoopback brings up "lo", which is down in a new network namespace.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, request); err != nil {
		return err
	}
	request.SetUint16(request.Uint16() | unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, request)
}

// mayWrite reports whether the user may write to path, or make it.
func mayWrite(path string) bool { return unix.Access(nearest(path), unix.W_OK) == nil }
