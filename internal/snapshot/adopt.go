package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/git"
)

// Adopt makes the first index of the shadow from that of the work tree, whose entries are given,
// without reading the files again. Only for a tree that git has just written whole: what ran in an
// older one may have put sizes and times back. Where it cannot, the next look reads every file.
func (r *Recorder) Adopt(ctx context.Context, entries []git.IndexEntry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := newShadow(r.at)
	if !s.asStored() {
		return nil
	}
	if err := s.furnish(); err != nil {
		return err
	}
	if err := s.adopt(ctx, entries); err != nil {
		return errors.Join(ctx.Err(), s.forget())
	}
	r.shadow = s
	return nil
}

// asStored reports whether git wrote every file, each with its object's bytes unless its
// attributes say otherwise, and will look at each again.
func (s *shadow) asStored() bool {
	set := func(key string, harmless ...string) bool {
		value := strings.ToLower(git.ValueOf(s.at.Settings, key))
		return value != "" && !slices.Contains(harmless, value)
	}
	return runtime.GOOS != "windows" && !set("core.autocrlf", "false", "no", "off", "0", "input") &&
		!set("core.eol", "lf", "native") && !set("core.sparsecheckout", "false") &&
		!set("core.splitindex", "false") && !set("core.ignorestat", "false")
}

// adopt copies the index of the work tree. Files that git converted are left without stat data,
// so that the next look reads them.
func (s *shadow) adopt(ctx context.Context, entries []git.IndexEntry) error {
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
