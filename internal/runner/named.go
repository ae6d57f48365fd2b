package runner

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/event"
)

// namedIn returns a function that reports whether a task names a test: by its name, or by that of
// the test file. A gate finding is named by its file only.
func namedIn(task string, isTest func(string) bool) func(event.Failure) bool {
	return func(f event.Failure) bool {
		bare := f.Test
		for _, sep := range []string{"::", " > ", " › ", "."} {
			if i := strings.LastIndex(bare, sep); i >= 0 && i+len(sep) < len(bare) {
				bare = bare[i+len(sep):]
			}
		}
		test, _, _ := strings.Cut(bare, "/")
		words := []string{f.Test, test}
		if f.File != "" && (f.Test == "" || isTest(f.File)) {
			words = append(words, f.File, path.Base(f.File))
		}
		return slices.ContainsFunc(words, func(w string) bool { return len(w) > 3 && wordIn(task, w) })
	}
}

// wordIn finds a word that is not a part of a longer one.
func wordIn(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(word)
		if !letterAt(text[:from], true) && !letterAt(text[to:], false) {
			return true
		}
		at = to
	}
}

func letterAt(s string, last bool) bool {
	r := []rune(s)
	if len(r) == 0 {
		return false
	}
	c := r[0]
	if last {
		c = r[len(r)-1]
	}
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}
