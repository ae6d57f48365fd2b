package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/booty-cli/booty/internal/git"
)

// Adopt makes the first index of the shadow from that of the work tree, without reading the files
// again. It is for a new tree that git has written from its index, with nothing run in it since:
// the stat data in an older index may be anyone's.
func (r *Recorder) Adopt(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := newShadow(r.at)
	if !s.written() {
		return nil
	}
	if err := s.furnish(); err != nil {
		return err
	}
	if err := s.adopt(ctx); err != nil {
		return errors.Join(fmt.Errorf("prepare the snapshot index: %w", err), s.forget())
	}
	r.shadow = s
	return nil
}

// written reports whether git writes files as its objects have them, but for those whose
// attributes say otherwise, and all of them.
func (s *shadow) written() bool {
	value := func(key string) string { return git.ValueOf(s.at.Settings, key) }
	return runtime.GOOS != "windows" && !git.IsTrue(value("core.autocrlf")) && value("core.eol") != "crlf" &&
		!git.IsTrue(value("core.sparsecheckout"))
}

// adopt copies the index of the work tree. Files that git converted are left without stat data,
// so that the next look reads them.
func (s *shadow) adopt(ctx context.Context) error {
	entries, err := s.at.Git.IndexEntries(ctx)
	if err != nil {
		return err
	}
	converted, err := s.at.Git.Converted(ctx, entries)
	if err != nil {
		return err
	}
	if err := errors.Join(s.forget(), copyIndex(filepath.Join(s.at.GitDir, "index"), s.index)); err != nil {
		return err
	}
	if len(converted) == 0 {
		return nil
	}
	var list strings.Builder
	for _, e := range converted {
		fmt.Fprintf(&list, "%o %s\t%s\x00", e.Mode, e.Hash, e.Path)
	}
	_, err = s.git.Run(ctx, git.Call{Args: []string{"update-index", "-z", "--index-info"},
		Stdin: strings.NewReader(list.String())})
	return err
}

// copyIndex copies an index with its time: git reads files that are not older than the index.
func copyIndex(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, data, 0o600), os.Chtimes(to, info.ModTime(), info.ModTime()))
}
