package git

import (
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"

	"github.com/booty-cli/booty/internal/fault"
)

// Classify gives an error its kind where it has none yet: what git and the
// file system refuse is no defect of booty's.
func Classify(doing string, err error) error {
	var known *fault.Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	said := Stderr(err)
	var g *Error
	switch {
	case errors.Is(err, syscall.ENOSPC) || strings.Contains(said, "No space left"):
		return fault.New(fault.Environment, "free some disk space, then run the same command again",
			"%s: the disk is full: %w", doing, err)
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || containsAny(said, "Permission denied", "Read-only file system"):
		return fault.New(fault.Refused, "make the checkout and its git directory writable", "%s: %w", doing,
			err)
	case strings.Contains(said, "unable to write"): // git does not say why
		return fault.New(fault.Environment, "see whether the disk is full: df -h", "%s: %w", doing, err)
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return fault.New(fault.Git, "git fsck; what was recorded may have been pruned", "%s: %w", doing, err)
	case errors.As(err, &g) || errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrChecksum) || errors.Is(err, objfile.ErrHeader):
		return fault.New(fault.Git, "for details: git status, git fsck", "%s: %w", doing, err)
	}
	return err
}

func containsAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// Some joins at most five paths for a message.
func Some(paths []string) string {
	if len(paths) > 5 {
		return strings.Join(paths[:5], ", ") + fmt.Sprintf(" and %d more", len(paths)-5)
	}
	return strings.Join(paths, ", ")
}
