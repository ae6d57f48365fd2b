//go:build unix

package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

// noteUnchanged notes the stat data of files that are as a new index says. Git would read them one
// after the other; here each processor reads some.
func (s *shadow) noteUnchanged(ctx context.Context) error {
	data, err := os.ReadFile(s.index)
	if err != nil {
		return err
	}
	idx := new(index.Index)
	if err := index.NewDecoder(bytes.NewReader(data)).Decode(idx); err != nil {
		return fmt.Errorf("read the snapshot index: %w", err)
	}
	links := git.ValueOf(s.at.Settings, "core.symlinks")
	flat := links != "" && !git.IsTrue(links) // each link is a file that holds where it leads
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for some := range slices.Chunk(idx.Entries, 500) {
		g.Go(func() error {
			for _, e := range some {
				if err := ctx.Err(); err != nil {
					return err
				}
				noteIfUnchanged(ctx, s.at.Root, e, flat)
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	var out bytes.Buffer
	if err := index.NewEncoder(&out).Encode(idx); err != nil {
		return fmt.Errorf("write the snapshot index: %w", err)
	}
	return atomicfile.Write(s.index, out.Bytes(), 0o644)
}

// noteIfUnchanged notes the stat data of an entry whose file has its mode and its bytes. It asks for
// them before it reads: they show a change after that.
func noteIfUnchanged(ctx context.Context, root string, e *index.Entry, flat bool) {
	path := filepath.Join(root, e.Name)
	var st unix.Stat_t
	if e.SkipWorktree || unix.Lstat(path, &st) != nil {
		return
	}
	created, modified := time.Unix(st.Ctim.Unix()), time.Unix(st.Mtim.Unix())
	if min(created.Unix(), modified.Unix()) < 0 || max(created.Unix(), modified.Unix()) > math.MaxUint32 {
		return // an index holds no such time
	}
	mode, hash := filemode.Regular, ""
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		if flat && e.Mode == filemode.Symlink {
			mode = filemode.Symlink
		} else if st.Mode&unix.S_IXUSR != 0 {
			mode = filemode.Executable
		}
		hash, _ = hashFile(ctx, path, st.Size)
	case unix.S_IFLNK:
		target, _ := os.Readlink(path)
		mode, hash = filemode.Symlink, hashBlob([]byte(target))
	}
	if mode != e.Mode || hash != e.Hash.String() {
		return
	}
	e.CreatedAt, e.ModifiedAt = created, modified
	e.Dev, e.Inode = uint32(st.Dev), uint32(st.Ino)
	e.UID, e.GID, e.Size = st.Uid, st.Gid, uint32(st.Size)
}
