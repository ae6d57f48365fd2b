package proc

import (
	"bytes"
	"os"
	"strconv"
)

// processes reads the process table; what vanishes meanwhile is left out.
func processes() []info {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	all := make([]info, 0, len(names))
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		if p, ok := parseStat(pid, stat); ok {
			all = append(all, p)
		}
	}
	return all
}

// parseStat reads "pid (name) state ppid pgrp …"; the name may hold blanks and
// brackets, so it ends at the last closing one.
func parseStat(pid int, stat []byte) (info, bool) {
	end := bytes.LastIndexByte(stat, ')')
	if end < 0 {
		return info{}, false
	}
	fields := bytes.Fields(stat[end+1:])
	if len(fields) < 3 {
		return info{}, false
	}
	parent, err1 := strconv.Atoi(string(fields[1]))
	group, err2 := strconv.Atoi(string(fields[2]))
	state := fields[0][0]
	return info{pid: pid, parent: parent, group: group, zombie: state == 'Z' || state == 'X'},
		err1 == nil && err2 == nil
}

// marked reports whether a process was started with the mark in its environment.
func marked(pid int, mark string) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false
	}
	for v := range bytes.SplitSeq(env, []byte{0}) {
		if string(v) == mark {
			return true
		}
	}
	return false
}
