package journal

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// startOf tells when a process began: boot and clock ticks since then. Empty
// where /proc does not say.
func startOf(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The name, in brackets, may hold anything; the fields are counted behind it.
	i := bytes.LastIndexByte(stat, ')')
	fields := strings.Fields(string(stat[i+1:]))
	const starttime = 22 - 3 // proc(5), with pid and name left out
	if len(fields) <= starttime {
		return ""
	}
	if fields[0] == "Z" || fields[0] == "X" {
		return "ended" // only its parent has not asked yet
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(boot)) + "/" + fields[starttime]
}
