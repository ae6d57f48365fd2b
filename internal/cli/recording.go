package cli

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// recording is the cassette of --record. FILE is written at the end of the run, if there
// were replies: a run that is refused leaves an older cassette as it is, and in the work
// tree it is no change beside the run's.
type recording struct {
	path string
	bytes.Buffer
}

// newRecording sees that FILE can be written to before anything is paid for.
func newRecording(path string) (*recording, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "", "--record: %w", err)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return nil, fault.New(fault.Usage, "", "--record: %s is a folder", path)
	case err == nil && !info.Mode().IsRegular():
		return nil, fault.New(fault.Usage, "", "--record: %s is not a file", path)
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".booty-record-")
	if err == nil {
		err = probe.Close()
	}
	if err != nil {
		return nil, fault.New(fault.Usage, "choose a folder that exists and can be written to",
			"--record: %w", err)
	}
	return &recording{path: path}, os.Remove(probe.Name())
}

// Close puts the cassette in its place.
func (r *recording) Close() error {
	if r.Len() == 0 {
		return nil
	}
	if err := atomicfile.Write(r.path, r.Bytes(), 0o600); err != nil {
		return fault.New(fault.Usage, "", "--record: %w", err)
	}
	return nil
}
