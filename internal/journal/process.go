package journal

import (
	"os"
	"time"
)

// process names a process so that a later one with the same number is not
// taken for it.
type process struct {
	pid   int
	start string
	host  string
}

// silentAfter is how long a process on another machine may be silent before it
// counts as gone: nobody can ask that machine.
const silentAfter = 15 * time.Minute

func thisProcess() process {
	host, _ := os.Hostname() // empty is a name too
	pid := os.Getpid()
	return process{pid: pid, start: startOf(pid), host: host}
}

// alive reports whether p still runs. seen is its last sign of life.
func (j *Journal) alive(p process, seen time.Time) bool {
	if p.host != j.self.host {
		return j.now().Sub(seen) < silentAfter
	}
	if p.pid <= 0 || !exists(p.pid) {
		return false
	}
	now := startOf(p.pid)
	return p.start == "" || now == "" || p.start == now
}
