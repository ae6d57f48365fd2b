package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// Bounds of one answer. A frame that comes in pieces is parsed again with each piece, so
// their number is limited.
const (
	maxFrame  = 8 << 20
	maxStream = 256 << 20
	maxPieces = 64
)

// frames reads a server's answer and returns its JSON values one at a time: RecvRaw returns
// them as they are, Read as "data: <json>" lines for go-openai. The reader of go-openai
// counts comments as empty messages, misses an error frame after a comment, and takes the
// end of the connection for the end of the answer. A plain JSON body (from a server that
// ignores "stream": true) also comes out as a frame.
type frames struct {
	body  io.ReadCloser
	src   *bufio.Reader
	alive func()
	ready [][]byte
	out   bytes.Buffer
	// data is a frame that spans several lines, raw one without "data:".
	data   []byte
	raw    bool
	pieces int
	read   int
	err    error
	// done: [DONE] was seen. repaired: some text was not UTF-8.
	done, repaired, html bool
	first                bool
}

func newFrames(body io.ReadCloser, alive func()) *frames {
	return &frames{body: body, src: bufio.NewReaderSize(body, 32<<10), alive: alive, first: true}
}

// Close closes the connection.
func (f *frames) Close() error { return f.body.Close() }

// RecvRaw returns the next frame.
func (f *frames) RecvRaw() ([]byte, error) {
	for len(f.ready) == 0 {
		if f.err != nil {
			return nil, f.err
		}
		f.next()
	}
	frame := f.ready[0]
	f.ready = f.ready[1:]
	return frame, nil
}

// Read implements io.Reader.
func (f *frames) Read(p []byte) (int, error) {
	if f.out.Len() == 0 {
		frame, err := f.RecvRaw()
		if err != nil {
			return 0, err
		}
		f.out.WriteString("data: ")
		// A space after the brace hides error frames from go-openai, which takes those of
		// an unknown form for the end of the reply.
		if frame[0] == '{' {
			f.out.WriteString("{ ")
			frame = frame[1:]
		}
		f.out.Write(frame)
		f.out.WriteByte('\n')
	}
	return f.out.Read(p)
}

// next reads one line.
func (f *frames) next() {
	line, err := f.line()
	if f.first {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
		f.html = isHTML(line)
		f.first = false
	}
	f.take(bytes.TrimSpace(line))
	if err != nil {
		f.flush(true)
		f.err = err
	}
}

// line reads up to a line feed, at most maxFrame bytes.
func (f *frames) line() ([]byte, error) {
	var line []byte
	for {
		part, err := f.src.ReadSlice('\n')
		f.read += len(part)
		if len(part) > 0 {
			f.alive()
		}
		if len(line)+len(part) > maxFrame || f.read > maxStream {
			return nil, fmt.Errorf("%w: more than %d MiB", errTooLarge, maxFrame>>20)
		}
		if line == nil && err == nil {
			return part, nil
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// take classifies a line: data, an unframed JSON body, or nothing useful.
func (f *frames) take(line []byte) {
	rest, isData := bytes.CutPrefix(line, []byte("data:"))
	switch {
	case isData:
		if f.raw {
			f.data, f.raw = nil, false
		}
		rest = bytes.TrimSpace(rest)
		if len(f.data) == 0 && string(rest) == "[DONE]" {
			f.done = true
			return
		}
		if len(f.data) == 0 && !bytes.HasPrefix(rest, []byte("{")) && !bytes.HasPrefix(rest, []byte("[")) {
			return // a keep-alive in the wrong form
		}
		f.add(rest)
		f.flush(false)
	case len(line) == 0:
		if !f.raw {
			f.flush(true)
		}
	case f.raw || len(f.data) == 0 && line[0] == '{':
		first := !f.raw
		f.raw = true
		f.add(line)
		if first { // one printed over many lines is complete at its end
			f.flush(false)
		}
	}
	// The rest is comments, event names, ids and noise.
}

func (f *frames) add(part []byte) {
	if f.pieces++; len(f.data)+len(part) > maxFrame || !f.raw && f.pieces > maxPieces {
		f.data = nil
		f.err = fmt.Errorf("%w: a piece of more than %d MiB or %d lines", errTooLarge, maxFrame>>20,
			maxPieces)
		return
	}
	if len(f.data) > 0 {
		f.data = append(f.data, ' ')
	}
	f.data = append(f.data, part...)
}

// flush passes on the collected frame if it is complete. At the end an incomplete one is
// passed on too, so that the reader sees that it is malformed.
func (f *frames) flush(end bool) {
	if len(f.data) == 0 || !end && !json.Valid(f.data) {
		return
	}
	if !utf8.Valid(f.data) {
		f.repaired = true
		f.data = bytes.ToValidUTF8(f.data, []byte("\uFFFD"))
	}
	f.ready = append(f.ready, slices.Clone(f.data))
	f.data, f.raw, f.pieces = f.data[:0], false, 0
}
