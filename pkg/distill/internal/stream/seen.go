package stream

import (
	"strings"
)

// Seen holds the lines of another output, such as that of the last good run, for comparison. Numbers
// and times do not count. Its memory is bounded.
type Seen struct {
	lines map[uint64]bool
	last  []string // the last of the different lines, for those that are missing elsewhere
	bytes int
}

// Bounds of what is compared.
const (
	maxSeen     = 200_000
	maxSeenText = 1 << 20
)

// add files a clean line with its keys.
func (s *Seen) add(clean []byte, keys lineKeys) {
	known := s.lines[keys.key]
	if keys.key == 0 || known && s.lines[keys.values] || len(s.lines) >= maxSeen {
		return
	}
	if s.lines == nil {
		s.lines = map[uint64]bool{}
	}
	s.lines[keys.values] = true
	if known {
		return
	}
	s.lines[keys.key] = true
	if s.bytes += len(clean); s.bytes < maxSeenText {
		s.last = append(s.last, string(clean))
	}
}

// Has reports whether a line stands there, too. One of numbers alone belongs to the line above it, and
// above says what is true of that.
func (s *Seen) Has(line string, above bool) bool { return s.has(keysOf(line), above) }

func (s *Seen) has(k lineKeys, above bool) bool { return k.key == 0 && above || s.lines[k.key] }

// changed reports whether a line stands there with other values only.
func (s *Seen) changed(k lineKeys) bool { return k.key != 0 && s.lines[k.key] && !s.lines[k.values] }

// Missing returns the lines that do not stand in another output, in order.
func (s *Seen) Missing(in *Seen) []string {
	var out []string
	for _, l := range s.last {
		if !in.Has(l, true) {
			out = append(out, l)
		}
	}
	return out
}

// lineKeys are hashes of a clean line without what differs between two runs that do the same: the
// width of its gaps, numbers other than a plain 0, words with digits in them, and temporary names. The
// key is 0 for a line of none but those. In values, whole numbers count that are no part of a time.
type lineKeys struct{ key, values uint64 }

func keysOf[T string | []byte](s T) lineKeys {
	h, v, letters := uint64(14695981039346656037), uint64(14695981039346656037), false
	put := func(c byte) {
		h = (h ^ uint64(c)) * 1099511628211
		v = (v ^ uint64(c)) * 1099511628211
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c == '\t':
			for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
				i++
			}
			if i < len(s) {
				put(' ')
			}
			continue
		case !wordByte(c):
			if n := temporary(s[i:]); n > 0 {
				i += n
				put('/')
				put('#')
				continue
			}
			letters = letters || c >= 0x80
			put(c)
			i++
			continue
		}
		from, digits := i, false
		for i < len(s) && (wordByte(s[i]) || s[i] == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9') {
			digits = digits || s[i] >= '0' && s[i] <= '9'
			i++
		}
		switch word := s[from:i]; {
		case len(word) == 1 && word[0] == '0':
			put('0')
		case digits:
			h = (h ^ '#') * 1099511628211
			if whole(s, from, i) {
				for k := range len(word) {
					v = (v ^ uint64(word[k])) * 1099511628211
				}
			}
		default:
			letters = true
			for k := range len(word) {
				put(word[k])
			}
		}
	}
	if !letters {
		return lineKeys{}
	}
	return lineKeys{h | 1, v &^ 1}
}

// temporary is the length of a temporary name at the beginning of s; 0 if there is none.
func temporary[T string | []byte](s T) int {
	if s[0] != '/' || len(s) < 5 || s[1] != 't' && s[1] != 'v' {
		return 0
	}
	if !begins(s, "/tmp/") && !begins(s, "/var/folders/") {
		return 0
	}
	n := 1
	for n < len(s) && strings.IndexByte(pathBytes, s[n]) >= 0 {
		n++
	}
	return n
}

// begins is strings.HasPrefix, without a copy of bytes.
func begins[T string | []byte](s T, w string) bool {
	return len(s) >= len(w) && string(s[:len(w)]) == w
}

// whole reports whether a word is a whole number and no part of a time, a date or a version.
func whole[T string | []byte](s T, from, to int) bool {
	const joints = ":-/.,_"
	digit := func(i int) bool { return i >= 0 && i < len(s) && s[i] >= '0' && s[i] <= '9' }
	joint := func(i int) bool { return i >= 0 && i < len(s) && strings.IndexByte(joints, s[i]) >= 0 }
	for i := from; i < to; i++ {
		if !digit(i) {
			return false
		}
	}
	return to-from < 7 && !(joint(from-1) && digit(from-2)) &&
		!(joint(to) && digit(to+1))
}

const pathBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@~"

func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
