package stream

import (
	"encoding/binary"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// Utf16Reader passes bytes on and counts them. Where the stream begins with
// the mark of UTF-16, as what PowerShell writes to a file does, it gives UTF-8.
type Utf16Reader struct {
	R     io.Reader
	N     int64 // bytes read from r
	begun bool
	order binary.ByteOrder // nil for anything but UTF-16
	raw   []byte           // read and not yet decoded
	out   []byte           // decoded and not yet given away
	err   error
}

func (u *Utf16Reader) Read(p []byte) (int, error) {
	if u.begun && u.order == nil && len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		n, err := u.R.Read(p)
		u.N += int64(n)
		return n, err
	}
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		u.fill()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

// fill reads more and decodes what it can.
func (u *Utf16Reader) fill() {
	buf := make([]byte, 32<<10)
	n, err := u.R.Read(buf)
	u.N += int64(n)
	u.err = err
	u.raw = append(u.raw, buf[:n]...)
	if !u.begun {
		if len(u.raw) < 2 && err == nil {
			return
		}
		u.begun = true
		switch {
		case len(u.raw) >= 2 && u.raw[0] == 0xff && u.raw[1] == 0xfe:
			u.order = binary.LittleEndian
		case len(u.raw) >= 2 && u.raw[0] == 0xfe && u.raw[1] == 0xff:
			u.order = binary.BigEndian
		default:
			u.out, u.raw = u.raw, nil
			return
		}
		u.raw = u.raw[2:]
	}
	i := 0
	for ; i+1 < len(u.raw); i += 2 {
		c := rune(u.order.Uint16(u.raw[i:]))
		if utf16.IsSurrogate(c) {
			if i+3 >= len(u.raw) && err == nil {
				break
			}
			if i+3 < len(u.raw) {
				if c = utf16.DecodeRune(c, rune(u.order.Uint16(u.raw[i+2:]))); c != utf8.RuneError {
					i += 2
				}
			}
		}
		u.out = utf8.AppendRune(u.out, c)
	}
	u.raw = append([]byte{}, u.raw[i:]...)
}
