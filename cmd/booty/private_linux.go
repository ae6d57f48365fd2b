package main

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// private keeps this process's memory and environment from other processes of the
// user: they could not be told from the commands that it runs. The environment
// was copied when the program began, so that the block which the kernel shows in
// /proc can be cleared; what is not a secret may as well go with the rest. Where
// any of it cannot be done, the sandbox still stands before it.
func private() {
	clearEnvironmentBlock()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

// clearEnvironmentBlock overwrites the environment as the kernel gave it.
func clearEnvironmentBlock() {
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name before may hold blanks
	const envStart, envEnd = 50 - 3, 51 - 3                         // numbered from 1; two have been cut off
	if len(fields) <= envEnd {
		return
	}
	start, err1 := strconv.ParseUint(string(fields[envStart]), 10, 63)
	end, err2 := strconv.ParseUint(string(fields[envEnd]), 10, 63)
	if err1 != nil || err2 != nil || end <= start || end-start > 4<<20 {
		return
	}
	memory, err := os.OpenFile("/proc/self/mem", os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer memory.Close()
	_, _ = memory.WriteAt(make([]byte, end-start), int64(start)) // nothing depends on it
}
