package journal

import (
	"crypto/rand"
	"encoding/binary"
	"time"
)

// idAlphabet is in the order of its bytes, so that names sort as numbers do,
// and without letters that are mistaken for digits.
const idAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// idEpoch keeps the numbers small; 35 bits of tenths of a second last to 2134.
var idEpoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// NewRunID makes a name for a run: ten characters, the start in tenths of a
// second and 15 random bits, fit for a file name and a part of a git ref. Names
// sort by start. StartRun refuses one that is taken.
func NewRunID() string { return newRunID(time.Now()) }

func newRunID(now time.Time) string {
	var r [2]byte
	_, _ = rand.Read(r[:]) // never fails since Go 1.24
	n := uint64(now.Sub(idEpoch)/(100*time.Millisecond))<<15 | uint64(binary.BigEndian.Uint16(r[:])>>1)
	var b [10]byte
	for i := len(b) - 1; i >= 0; i-- {
		b[i] = idAlphabet[n&31]
		n >>= 5
	}
	return string(b[:])
}
