package check

import (
	"os"
	"time"
)

// A step that writes without end is stopped before the disk is full, since a
// full disk harms more than the step. It takes both: little room left, and that
// it was this step's time in which the room went.
const (
	diskReserve = 256 << 20
	diskEaten   = 1 << 30
	diskEvery   = 500 * time.Millisecond
)

// disks watches the room on the file systems that a step may fill.
type disks struct {
	free  func(dir string) (uint64, error)
	dirs  []string
	start []uint64
}

func (r *Runner) watchDisks() *disks {
	d := &disks{free: r.c.free, dirs: []string{r.c.Dir, os.TempDir()}}
	for _, dir := range d.dirs {
		n, err := d.free(dir)
		if err != nil {
			n = 0 // it cannot be told: then nothing can have been eaten
		}
		d.start = append(d.start, n)
	}
	return d
}

// filled reports whether it is time to stop.
func (d *disks) filled() bool {
	for i, dir := range d.dirs {
		n, err := d.free(dir)
		if err == nil && n < diskReserve && d.start[i] > n+diskEaten {
			return true
		}
	}
	return false
}
