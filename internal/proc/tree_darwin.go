package proc

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// processes reads the process table.
func processes() []info {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	const zombie = 5 // SZOMB of sys/proc.h
	all := make([]info, 0, len(table))
	for i := range table {
		p := &table[i]
		all = append(all, info{
			pid: int(p.Proc.P_pid), parent: int(p.Eproc.Ppid), group: int(p.Eproc.Pgid),
			zombie: p.Proc.P_stat == zombie,
		})
	}
	return all
}

// marked reports whether a process was started with the mark in its environment:
// kern.procargs2 gives arguments and environment, NUL-terminated each.
func marked(pid int, mark string) bool {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil {
		return false
	}
	return bytes.Contains(raw, append(append([]byte{0}, mark...), 0))
}
