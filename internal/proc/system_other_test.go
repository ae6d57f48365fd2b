//go:build unix && !linux

package proc

const subreaper = false
