// Package tokens guesses how many tokens a text has in the vocabulary of a model,
// without having that vocabulary. Bytes tell little of it: with the same vocabulary
// requests have from 3.3 bytes a token (C, Perl) to 4.9 (C#, Swift). Words, digits
// and punctuation tell more; what is left is a factor for each vocabulary, and that
// is learned from the counts that come with replies.
package tokens

// Bytes of a piece, for what is measured in bytes alone.
const (
	// Usual is what most code has.
	Usual = 3.7
	// Dense is what hardly any code falls below.
	Dense = 3.0
)

const (
	// A word of more letters, or more marks and more blanks in a row, are several pieces.
	mostLetters, mostMarks, mostBlanks = 10, 4, 16
	// foreignBytes outside ASCII are a piece.
	foreignBytes = 3
)

// Pieces counts what vocabularies have tokens for: words (each hump of camelCase is
// one), digits, punctuation, ends of lines.
func Pieces(text string) int {
	n, run, foreign := 0, 0, 0
	last, before := byte('\n'), blank
	broken := true // there were only blanks since the last end of a line
	for i := range len(text) {
		c := text[i]
		k, begins := kindOf(c), false
		run++
		switch same := k == before; k {
		case letter:
			begins = !same || run > mostLetters || c <= 'Z' && last > 'Z'
		case digit:
			begins = true
		case mark:
			begins = !same || run > mostMarks
		case blank:
			if !same {
				run = 1
			}
			begins = run > mostBlanks || c == '\n' && !broken
		default:
			foreign++
		}
		if begins {
			n++
			run = 1
		}
		broken = c == '\n' || broken && k == blank
		last, before = c, k
	}
	return n + (foreign+foreignBytes-1)/foreignBytes
}

type kind uint8

const (
	blank kind = iota
	letter
	digit
	mark
	other
)

func kindOf(c byte) kind {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
		return letter
	case c <= ' ', c == 0x7f:
		return blank
	case '0' <= c && c <= '9':
		return digit
	case c >= 0x80:
		return other
	}
	return mark
}
