package proc

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"os/exec"
	"strings"
)

// mark sets the mark in cmd's environment, by which every process of its tree is
// known, and gives it as "NAME=value". The name is another one each time: no code
// can tell by it that it runs below booty.
func mark(cmd *exec.Cmd) string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails, see crypto/rand
	text := strings.ToUpper(hex.EncodeToString(b[:]))
	m := "V" + text[:8] + "=" + text[8:]
	if cmd.Env == nil {
		cmd.Env = os.Environ()
	}
	cmd.Env = append(cmd.Env[:len(cmd.Env):len(cmd.Env)], m)
	return m
}
