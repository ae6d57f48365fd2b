package proc

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/exec"
)

// mark sets the mark in cmd's environment and gives it as "NAME=value".
func mark(cmd *exec.Cmd) string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	m := MarkVariable + "=" + hex.EncodeToString(b[:])
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], m)
	return m
}
