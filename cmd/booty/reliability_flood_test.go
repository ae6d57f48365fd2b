//go:build slow && unix

package main

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

// TestFloodStaysBounded: 200 MB of output do not end up in booty's memory.
func TestFloodStaysBounded(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		".booty.yml":          "test_command: sh run_tests.sh\ntimeout: 2m\n",
		"run_tests.sh":        "yes 'a line of noise that no one asked for, over and over again' | head -c 200000000\n" + suite["run_tests.sh"],
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
		"greet.sh":            "echo bye\n",
	}
	l := newLab(t, files, func(string) string { return rightReply })
	cmd := l.command("run", "--task", "greet with hello", "-q")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	peak := peakMemory(cmd.ProcessState)
	t.Logf("peak memory of booty: %d MB", peak>>20)
	if peak > 200<<20 {
		t.Errorf("got %d MB, want less than 200", peak>>20)
	}
}

// peakMemory is what a process, or the largest of its children, used at most, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	peak := int64(u.Maxrss) //nolint:unconvert // an int32 on some systems
	if runtime.GOOS == "darwin" {
		return peak
	}
	return peak << 10
}
