//go:build !linux

package proc

// Programs gives the command lines of the programs that the command runs now: here nothing is
// known of them.
func (p *Process) Programs() []string { return nil }
