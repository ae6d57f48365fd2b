package core

import (
	"strings"
	"sync"
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
var verdictWords = sync.OnceValue(func() map[string]verdict {
	words := map[string]verdict{}
	for said, list := range map[verdict]string{
		failed: "fail, failed, failure, fails, error, errored, err, broken, bad, nok, ko, not ok, crash, " +
			"crashed, timeout, timedout, timed out, died, panic, panicked, aborted, abort, wrong, " +
			"segfault, exception, unexpectedpass, sigabrt, sigsegv, caught, red, mismatch, differs, " +
			"échec, échoué, échouée, erreur, fehlgeschlagen, fehler, nicht bestanden, falló, fallo, " +
			"fallido, fallito, errore, falhou, falha, erro, mislukt, fout, ошибка, провал, провален, " +
			"сбой, не пройден, помилка, błąd, chyba, başarısız, 失败, 失敗, 错误, 未通过, エラー, 不合格, 실패",
		passed: "pass, passed, ok, okay, success, succeeded, successful, good, fine, done, okey, passes, " +
			"green, correct, as expected, same, identical, réussi, réussie, succès, bestanden, " +
			"erfolgreich, correcto, éxito, superato, passou, sucesso, geslaagd, пройден, успех, " +
			"успешно, sukces, başarılı, 通过, 通過, 成功, 合格, 성공",
		skipped: "skip, skipped, ignored, ignore, pending, todo, disabled, not run, xfail, notrun, " +
			"expectedfail, aborted by, übersprungen, ignoré, omitido, пропущен, 跳过",
		begun: "run, running, start, started, starting, begin",
	} {
		for w := range strings.SplitSeq(list, ", ") {
			words[w] = said
		}
	}
	return words
})

// verdictOf reads a mark: a word, perhaps in brackets or behind stars, or a
// glyph.
func verdictOf(mark string) verdict {
	m := strings.Trim(mark, "[](){}<>*!:;.,| \t=-~")
	if m == "" {
		return unknown
	}
	low := strings.ToLower(m)
	if v, ok := verdictWords()[low]; ok {
		return v
	}
	if good, ok := text.CutAny(low, "not ", "un", "in"); ok && verdictWords()[good] == passed {
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
	case r == '▶', r == '▸', r == '►', r == '▾', r == '◇', r == '❯', r == '›', r == '»', r == '•', r == '·',
		r == '→', r == '⇒':
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
