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

// errPruned is wrapped by ReadBlob where the blob is gone.
var errPruned = errors.New("no longer kept")

// SaveBlob stores data, redacted and compressed, under a name such as
// attempt-1/prompt.md, and gives the path to record and to read it back with.
// A blob of that name is replaced.
func (j *Journal) SaveBlob(ctx context.Context, run, name string, data []byte) (string, error) {
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if err := validID(run); err != nil {
		return "", err
	}
	ref := path.Join(blobRoot, run, name) + ".gz"
	full, err := j.blobPath(ref)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	// A run waits for this; a better level takes four times as long for a fifth less.
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return "", fmt.Errorf("compress %s: %w", name, err)
	}
	if _, err := io.WriteString(w, j.redact(string(data))); err != nil {
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

// ReadBlob gives back what SaveBlob stored under ref.
func (j *Journal) ReadBlob(ctx context.Context, ref string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	full, err := j.blobPath(ref)
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

// blobPath checks that ref stays below the directory of blobs. The database is
// the user's own, but a name in it may stem from a check's name in a config.
func (j *Journal) blobPath(ref string) (string, error) {
	local, err := filepath.Localize(ref)
	if err != nil || path.Clean(ref) != ref || !strings.HasPrefix(ref, blobRoot+"/") ||
		strings.Count(ref, "/") < 2 || !strings.HasSuffix(ref, ".gz") {
		return "", fmt.Errorf("%q is no name for a blob", ref)
	}
	return filepath.Join(j.dir, local), nil
}

// Private are the places of the records that no command of a repository may read: the
// database with its log, and what the runs kept.
func (j *Journal) Private() []string {
	return []string{j.dbPath(), j.dbPath() + "-wal", j.dbPath() + "-shm", filepath.Join(j.dir, blobRoot)}
}
