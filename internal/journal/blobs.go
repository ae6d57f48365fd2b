package journal

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

const (
	blobRoot = "runs"
	// maxBlob bounds what is read back: a blob never holds more than a capped log.
	maxBlob = 512 << 20
)

// errPruned is wrapped by [Blobs.Read] where the blob is gone.
var errPruned = errors.New("no longer kept")

// Blobs are what runs keep beside their records: logs, prompts, replies and diffs.
type Blobs struct{ *database }

// Save stores data, redacted and compressed, under a name such as
// attempt-1/prompt.md, and gives the path to record and to read it back with.
// A blob of that name is replaced.
func (b *Blobs) Save(ctx context.Context, run, name string, data []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if err := validID(run); err != nil {
		return "", err
	}
	ref := path.Join(blobRoot, run, name) + ".gz"
	full, err := b.pathOf(ref)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	// A run waits for this; a better level takes four times as long for a fifth less.
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return "", fmt.Errorf("compress %s: %w", name, err)
	}
	if _, err := io.WriteString(w, b.redact(string(data))); err != nil {
		return "", fmt.Errorf("compress %s: %w", name, err)
	}
	if err := w.Close(); err != nil {
		return "", fmt.Errorf("compress %s: %w", name, err)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		return "", fmt.Errorf("keep %s: %w", name, err)
	}
	if err := atomicfile.Write(full, packed.Bytes(), 0o600); err != nil {
		return "", fmt.Errorf("keep %s: %w", name, err)
	}
	return ref, nil
}

// Read gives back what Save stored under ref.
func (b *Blobs) Read(ctx context.Context, ref string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	full, err := b.pathOf(ref)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.Usage, "logs, prompts and replies are kept for 30 days", "%s: %w", ref,
			errPruned)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	defer func() { _ = f.Close() }()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	data, err := io.ReadAll(io.LimitReader(r, maxBlob))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", ref, err)
	}
	return data, nil
}

// pathOf checks that ref stays below the directory of blobs. The database is
// the user's own, but a name in it may stem from a check's name in a config.
func (b *Blobs) pathOf(ref string) (string, error) {
	local, err := filepath.Localize(ref)
	if err != nil || path.Clean(ref) != ref || !strings.HasPrefix(ref, blobRoot+"/") ||
		strings.Count(ref, "/") < 2 || !strings.HasSuffix(ref, ".gz") {
		return "", fmt.Errorf("%q is no name for a blob", ref)
	}
	return filepath.Join(b.dir, local), nil
}

// Drop removes what runs kept beside their records, and gives its size in bytes.
func (b *Blobs) Drop(ctx context.Context, runs []string) (int64, error) {
	var sum int64
	for _, run := range runs {
		if validID(run) != nil || ctx.Err() != nil {
			continue
		}
		dir := filepath.Join(b.dir, blobRoot, run)
		_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // it is about to be removed
			}
			if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
				sum += info.Size()
			}
			return nil
		})
		if err := os.RemoveAll(dir); err != nil {
			return sum, err
		}
	}
	return sum, ctx.Err()
}

// Private are the places of the records that no command of a repository may read: the
// database with its log, and what the runs kept.
func (j *Journal) Private() []string {
	return []string{j.dbPath(), j.dbPath() + "-wal", j.dbPath() + "-shm", filepath.Join(j.dir, blobRoot)}
}
