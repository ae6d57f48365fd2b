//go:build unix

package proc

import "os"

// info is what the process table tells of one process.
type info struct {
	pid, parent, group int
	zombie             bool
}

// find lists the processes that choose picks, this process never among them.
func find(choose func([]info) map[int]bool) []int {
	all := processes()
	chosen := choose(all)
	pids := make([]int, 0, len(chosen))
	for _, p := range all {
		if chosen[p.pid] && !p.zombie && p.pid != os.Getpid() {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// members picks the tree of the command root: its group, its descendants, and
// all that carry the mark, with their descendants.
func members(all []info, root int, mark string) map[int]bool {
	in := map[int]bool{}
	for _, p := range all {
		if p.pid == root || p.group == root || (p.pid > 1 && marked(p.pid, mark)) {
			in[p.pid] = true
		}
	}
	delete(in, os.Getpid())
	return addDescendants(all, in)
}

// addDescendants adds to in whatever descends from what is in it.
func addDescendants(all []info, in map[int]bool) map[int]bool {
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if !in[p.pid] && in[p.parent] && p.pid != os.Getpid() {
				in[p.pid] = true
				grew = true
			}
		}
	}
	return in
}
