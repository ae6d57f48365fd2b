package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// refLog is where every booty notes which references of the repository it sets,
// among the records, where no command can: two may be at work in different work
// trees, and neither may take the other's references for tampering.
func (r *Repo) refLog() string {
	if r.stateDir == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(r.commonDir))
	return filepath.Join(r.stateDir, "trees", "refs-"+hex.EncodeToString(sum[:10])+".log")
}

func (r *Repo) refLogSize() int64 {
	info, err := os.Stat(r.refLog())
	if err != nil { // none yet
		return 0
	}
	return info.Size()
}

// noteRefs notes references that are about to be set; "" is for one that goes.
func (r *Repo) noteRefs(changes ...refChange) error {
	path := r.refLog()
	if path == "" {
		return nil
	}
	if err := r.makeOwnDir(); err != nil {
		return err
	}
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintf(&b, "%s %s\n", c.name, c.new)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("note booty's references: %w", err)
	}
	_, err = f.WriteString(b.String())
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return err
}

// noted tells whether a booty has set a reference to what it is now, since the
// log had a size.
func (r *Repo) noted(ref string, is sealed, since int64) bool {
	if is.mode.IsDir() {
		return false
	}
	log, err := os.ReadFile(r.refLog())
	if err != nil || int64(len(log)) < since {
		return false
	}
	value := strings.TrimSpace(string(is.data))
	return strings.Contains("\n"+string(log[since:]), "\n"+ref+" "+value+"\n")
}

// sharedLock is the lock of a work tree that lies in its git directory.
const sharedLock = "shared.lock"

// held tells whether a process holds a lock.
func held(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	l := flock.New(path)
	ok, err := l.TryLock()
	if ok {
		_ = l.Unlock()
	}
	return err == nil && !ok
}
