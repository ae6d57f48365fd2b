package core

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// verdict is what a mark says of a test.
type verdict int

const (
	unknown verdict = iota
	passed
	failed
	skipped
	begun
)

// verdictWords are words that runners write beside a name. They are hints: a
// mark that is not among them is learned from the output.
var verdictWords = map[string]verdict{
	"fail": failed, "failed": failed, "failure": failed, "fails": failed, "error": failed,
	"errored": failed, "err": failed, "broken": failed, "bad": failed, "nok": failed, "ko": failed,
	"not ok": failed, "crash": failed, "crashed": failed, "timeout": failed, "timedout": failed,
	"timed out": failed, "died": failed, "panic": failed, "panicked": failed, "aborted": failed,
	"abort": failed, "wrong": failed, "segfault": failed, "exception": failed, "unexpectedpass": failed,
	"sigabrt": failed, "sigsegv": failed, "caught": failed, "red": failed, "mismatch": failed,
	"differs": failed,
	"pass":    passed, "passed": passed, "ok": passed, "okay": passed, "success": passed, "succeeded": passed,
	"successful": passed, "good": passed, "fine": passed, "done": passed, "okey": passed, "passes": passed,
	"green": passed, "correct": passed, "as expected": passed, "same": passed, "identical": passed,
	"skip": skipped, "skipped": skipped, "ignored": skipped, "ignore": skipped, "pending": skipped,
	"todo": skipped, "disabled": skipped, "not run": skipped, "xfail": skipped, "notrun": skipped,
	"expectedfail": skipped, "aborted by": skipped,
	"run": begun, "running": begun, "start": begun, "started": begun, "starting": begun, "begin": begun,
}

// verdictOf reads a mark: a word, perhaps in brackets or behind stars, or a
// glyph.
func verdictOf(mark string) verdict {
	m := strings.Trim(mark, "[](){}<>*!:;.,| \t=-~")
	if m == "" {
		return unknown
	}
	low := strings.ToLower(m)
	if v, ok := verdictWords[low]; ok {
		return v
	}
	if good, ok := text.CutAny(low, "not ", "un", "in"); ok && verdictWords[good] == passed {
		return failed
	}
	if (m == "E" || m == "F") && m != mark {
		return failed
	}
	r, _ := utf8.DecodeRuneInString(m) // "✘ [fail]" fails as well
	return glyphVerdict(r)
}

// glyphVerdict goes by classes of characters: crosses fail, ticks pass.
func glyphVerdict(r rune) verdict {
	switch {
	case r >= '✕' && r <= '✘', r == '×', r == '⨯', r == '❌', r == '❎', r == '⊗', r == '⨂', r == '☒',
		r == '⮽', r >= '🗙' && r <= '🗷' && r != '🗸',
		r == '🚫', r == '⛔', r == '🔴', r == '💥', r == '👎', r == '╳', r == '❗', r == '‼':
		return failed
	case r == '✓', r == '✔', r == '☑', r == '✅', r == '√', r == '🟢', r == '👍', r == '🗸':
		return passed
	case r == '○', r == '◌', r == '↓', r == '⊘', r == '⏭', r == '⚠', r == '⊖', r == '∅', r == '❍', r == '⏩',
		r == '☐', r == '⊝', r == '﹣':
		return skipped
	case r == '▶', r == '▸', r == '◇', r == '❯', r == '›', r == '»', r == '•', r == '·', r == '→', r == '⇒':
		return begun
	}
	return unknown
}

// isGlyph tells a character that can stand for a result: no letter, digit, or
// ASCII, and no drawing of boxes.
func isGlyph(r rune) bool {
	if r < 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) {
		return false
	}
	if r >= 0x2500 && r <= 0x259f { // boxes and blocks
		return r == '╳'
	}
	return unicode.IsSymbol(r) || unicode.IsPunct(r) && r > 0x2030 && !strings.ContainsRune("…“”‘’‹›«»–—", r)
}
