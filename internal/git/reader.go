package git

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
)

// Reader reads git objects through one git cat-file --batch for all who ask: it maps the
// packs of both repositories once, whatever their size, and finds new ones by itself.
// The child ends with booty.
type Reader struct {
	// git gives what to start; it is asked at each start, since the store may
	// have been made since the last one.
	git func() Client

	mu    sync.Mutex
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	known cache.Object
}

// maxKnown bounds the size of an object that is kept in memory: trees and sources.
const maxKnown = 256 << 10

// NewReader reads with the clients that g gives.
func NewReader(g func() Client) *Reader {
	return &Reader{git: g, known: cache.NewObjectLRU(16 * cache.MiByte)}
}

// object gives an object, plumbing.ErrObjectNotFound where there is none.
func (b *Reader) object(h plumbing.Hash) (plumbing.EncodedObject, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if o, ok := b.known.Get(h); ok {
		return o, nil
	}
	o, err := b.ask(h)
	if err != nil && !errors.Is(err, plumbing.ErrObjectNotFound) { // a child that has ended since
		b.end()
		o, err = b.ask(h)
	}
	if err != nil {
		return nil, err
	}
	if o.Size() <= maxKnown {
		b.known.Put(o)
	}
	return o, nil
}

func (b *Reader) ask(h plumbing.Hash) (plumbing.EncodedObject, error) {
	if err := b.start(); err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintln(b.in, h.String()); err != nil {
		return nil, fmt.Errorf("ask git for an object: %w", err)
	}
	head, err := b.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("read a git object: %w", err)
	}
	f := strings.Fields(head)
	if len(f) == 2 && f[1] == "missing" {
		return nil, plumbing.ErrObjectNotFound
	}
	if len(f) != 3 {
		return nil, fmt.Errorf("read a git object: odd answer %q", head)
	}
	kind, err1 := plumbing.ParseObjectType(f[1])
	size, err2 := strconv.ParseInt(f[2], 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		return nil, fmt.Errorf("read a git object: %w", err)
	}
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	if _, err := io.CopyN(o, b.out, size); err != nil {
		return nil, fmt.Errorf("read a git object: %w", err)
	}
	_, err = b.out.Discard(1)
	return o, err
}

// start starts the child, if it is not there.
func (b *Reader) start() error {
	if b.cmd != nil {
		return nil
	}
	g := b.git()
	cmd := exec.Command(g.Bin, "cat-file", "--batch") //nolint:noctx // it ends when it is not needed
	cmd.Dir, cmd.Env = g.Dir, g.Env
	OwnGroup(cmd)
	cmd.Cancel = nil
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start git: %w", err)
	}
	b.cmd, b.in, b.out = cmd, in, bufio.NewReaderSize(out, 64<<10)
	return nil
}

// end ends the child. b.mu is held.
func (b *Reader) end() {
	if b.cmd == nil {
		return
	}
	_ = b.in.Close()
	_ = b.cmd.Wait()
	b.cmd = nil
}

// Close ends the child, such as before a folder that it reads is removed. It starts again when asked.
func (b *Reader) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.end()
}
