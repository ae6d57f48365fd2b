package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// recording is the cassette of --record. FILE is touched with the first reply
// only: a run that is refused leaves an older cassette as it is. Where FILE
// lies in the work tree it is put there at the end, for else it would itself be
// a change beside the run's.
type recording struct {
	path   string
	inside bool
	f      *os.File
}

// newRecording sees that FILE can be written to before anything is paid for.
func newRecording(path, root string) (*recording, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "--record: %w", err)
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return nil, fault.New(fault.Usage, "create its folder first", "--record: %w", err)
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return nil, fault.New(fault.Usage, "", "--record: %s is a folder", path)
	}
	if err == nil { // opened to see whether one may, nothing is changed
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			return nil, fault.New(fault.Usage, "", "--record: %w", err)
		}
	}
	if real, err := filepath.EvalSymlinks(root); err == nil {
		root = real
	}
	rel, err := filepath.Rel(root, dir)
	within := err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	return &recording{path: path, inside: within && (info == nil || info.Mode().IsRegular())}, nil
}

// Write implements io.Writer.
func (r *recording) Write(p []byte) (int, error) {
	if r.f == nil {
		var err error
		if r.inside {
			r.f, err = os.CreateTemp("", "booty-record-")
		} else {
			r.f, err = os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		}
		if err != nil {
			return 0, err
		}
	}
	return r.f.Write(p)
}

// Close puts the cassette in its place.
func (r *recording) Close() error {
	if r.f == nil {
		return nil
	}
	if !r.inside {
		return r.f.Close()
	}
	err := r.place()
	if err != nil {
		return errors.Join(fault.New(fault.Usage, "the replies are in "+r.f.Name(), "--record: %w", err), r.f.Close())
	}
	return errors.Join(r.f.Close(), os.Remove(r.f.Name()))
}

func (r *recording) place() error {
	if _, err := r.f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	to, err := os.OpenFile(r.path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, r.f); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", r.path, err), to.Close())
	}
	return to.Close()
}
