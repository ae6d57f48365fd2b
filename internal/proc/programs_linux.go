package proc

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Programs gives the command lines of the programs that the command runs now, those that they
// started included; none where the system does not tell.
func (p *Process) Programs() []string {
	var out []string
	pids := []string{strconv.Itoa(p.cmd.Process.Pid)}
	for i := 0; i < len(pids); i++ {
		dir := filepath.Join("/proc", pids[i])
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if line = bytes.TrimRight(line, "\x00"); err == nil && len(line) > 0 && !supervises(line) {
			out = append(out, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
		tasks, err := os.ReadDir(filepath.Join(dir, "task"))
		if err != nil {
			continue
		}
		for _, t := range tasks {
			children, err := os.ReadFile(filepath.Join(dir, "task", t.Name(), "children"))
			if err == nil {
				pids = append(pids, strings.Fields(string(children))...)
			}
		}
	}
	return out
}

// supervises reports whether a command line is that of a supervisor.
func supervises(line []byte) bool { return bytes.HasSuffix(line, []byte("\x00"+superviseWord)) }
