package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// permissions notes the bits of files that neither git's two modes nor the
// umask would give a file again, so that what is put back is as private as it
// was. The first checkpoint looks at every file, later ones at what changed.
func (r *Repo) permissions(ctx context.Context, s *shadow, prev meta, all bool, d *drift) (map[string]uint32, error) {
	usual, err := r.usualMode()
	if err != nil {
		return nil, err
	}
	m := map[string]uint32{}
	note := func(path string) {
		info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
		if err != nil || !info.Mode().IsRegular() {
			return
		}
		perm := info.Mode().Perm()
		if perm != withExec(usual, fileMode(perm, 0)) {
			m[path] = uint32(perm)
		}
	}
	if !all {
		for path, mode := range prev.Modes {
			if _, changed := d.changed[path]; !changed {
				m[path] = mode
			}
		}
		for path := range d.changed {
			note(path)
		}
		return m, nil
	}
	files, err := s.listed(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the recorded files: %w", err)
	}
	for _, e := range files {
		note(e.path)
	}
	return m, nil
}

// usualMode gives the bits that a new file gets here.
func (r *Repo) usualMode() (fs.FileMode, error) {
	probe := filepath.Join(r.ownDir(), ".booty-mode")
	_ = removeFile(probe)
	f, err := os.OpenFile(probe, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, fault.New(fault.Refused, "make it writable", "keep booty's own files of the work tree: %w", err)
	}
	defer func() { _ = removeFile(probe) }()
	info, err := f.Stat()
	if err := errors.Join(err, f.Close()); err != nil {
		return 0, fmt.Errorf("learn the usual mode of files: %w", err)
	}
	return info.Mode().Perm(), nil
}

// anchorMeta gives the record of the checkpoint that the shadow's index stands
// for; an empty one where there is none.
func (r *Repo) anchorMeta(s *shadow) meta {
	if r.anchored(s) == "" {
		return meta{}
	}
	data, err := os.ReadFile(s.anchor())
	if err != nil {
		return meta{}
	}
	f := strings.Fields(string(data))
	if len(f) != 3 {
		return meta{}
	}
	m, err := r.metaOf(Checkpoint{Commit: f[1]})
	if err != nil {
		return meta{}
	}
	return m
}
