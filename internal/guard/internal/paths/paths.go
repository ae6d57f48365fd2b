// Package paths refuses paths that could leave a checkout.
package paths

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/booty-cli/booty/internal/pattern"
)

// Check rejects a path that could leave the checkout or reach .git or .booty.yml on any
// supported system. A name that is harmless on Linux may be a device on Windows or an alias
// on a Mac, and a checkout travels. Check is pure: symbolic links and protected paths are
// checked elsewhere.
func Check(path string) error {
	if err := checkText(path); err != nil {
		return err
	}
	if err := checkSegments(path); err != nil {
		return err
	}
	// Compatibility form turns full-width letters, superscripts and ligatures into plain
	// ones. Normalizing must not produce a worse path.
	if folded := norm.NFKC.String(path); folded != path {
		if err := checkSegments(folded); err != nil {
			return fmt.Errorf("in its normal form: %w", err)
		}
	}
	return nil
}

// Supported systems have no longer names.
const maxPath, maxName = 4096, 255

func checkText(path string) error {
	switch {
	case path == "":
		return errors.New("the path is empty")
	case len(path) > maxPath:
		return errors.New("the path is too long")
	case !utf8.ValidString(path):
		return errors.New("the path is not valid UTF-8")
	}
	for _, r := range path {
		switch {
		case r == '\\':
			return errors.New("the path contains a backslash; use forward slashes")
		case r == ':':
			return errors.New("the path contains a colon, which names a drive or a stream")
		case unicode.Is(unicode.Cc, r), r == '\u2028', r == '\u2029':
			return fmt.Errorf("the path contains the control character %U", r)
		case unicode.Is(unicode.Cf, r), isIgnorable(r):
			return fmt.Errorf("the path contains the invisible character %U", r)
		case unicode.Is(unicode.Co, r), unicode.Is(unicode.Noncharacter_Code_Point, r):
			return fmt.Errorf("the path contains the private character %U", r)
		case r > unicode.MaxASCII && isSeparatorLike(r):
			return fmt.Errorf("the path contains %U, which looks like a separator, a dot or a colon", r)
		}
	}
	return nil
}

// isIgnorable reports code points that file systems or eyes ignore. Variation selectors of
// emoji are allowed, since no file system drops them.
func isIgnorable(r rune) bool {
	return r == '\u034f' || r == '\u115f' || r == '\u1160' || r == '\u3164' || r == '\uffa0' ||
		r >= '\u17b4' && r <= '\u17b5' || r >= '\u180b' && r <= '\u180f' || r >= 0xe0000 && r <= 0xe0fff
}

// separatorLike are code points that look like a slash, backslash, dot or colon and that
// compatibility normalization does not map to one.
const separatorLike = "∕⁄⧸⧹⧵∖╱╲⟋⟍\u2cc6\u1735\u2041\u3033\u31d3" + // slashes
	"。｡ꓸ܁܂꘎·․‧∙⋅" + // stops and middle dots
	"∶ː˸։꞉፡᛬׃" // colons

func isSeparatorLike(r rune) bool {
	if strings.ContainsRune("·‧⋅", r) {
		return false // legitimate in Catalan and in titles
	}
	if r == '…' {
		return false // checked in normal form: "a…b" is fine, "…" alone is not
	}
	return strings.ContainsRune(separatorLike, r) ||
		strings.ContainsAny(norm.NFKC.String(string(r)), `/\.:`)
}

func checkSegments(path string) error {
	if strings.HasPrefix(path, "/") {
		return errors.New("the path is absolute")
	}
	segments := strings.Split(path, "/")
	if strings.HasPrefix(segments[0], "~") && (len(segments) > 1 || segments[0] == "~") {
		return errors.New("the path begins with a home directory")
	}
	for _, s := range segments {
		if err := checkName(s); err != nil {
			return err
		}
	}
	return nil
}

func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the path has an empty part")
	case name == "." || name == "..":
		return fmt.Errorf("the path contains %q", name)
	case len(name) > maxName:
		return errors.New("a part of the path is too long")
	case strings.ContainsAny(name, `\:`):
		return errors.New("the path contains a Windows separator")
	}
	if first, _ := utf8.DecodeRuneInString(name); unicode.IsSpace(first) {
		return fmt.Errorf("%q begins with a blank", name)
	}
	if last, _ := utf8.DecodeLastRuneInString(name); last == '.' || unicode.IsSpace(last) ||
		last == '\u2800' {
		return fmt.Errorf("%q ends in a dot or blank, which some systems drop", name)
	}
	plain := skeleton(name)
	switch {
	case plain == ".git" || strings.HasPrefix(plain, ".git::"):
		return fmt.Errorf("%q reaches git's own directory", name)
	case plain == ".booty.yml" || plain == ".booty.yaml":
		return fmt.Errorf("%q is booty's own configuration", name)
	case shortName().MatchString(plain):
		return fmt.Errorf("%q is a short alias of another name on Windows", name)
	case isDevice(plain):
		return fmt.Errorf("%q is a device on Windows", name)
	}
	return nil
}

// shortName is the 8.3 form that NTFS gives to long names (GIT~1 for .git).
var shortName = pattern.Lazy(`^\.?[^.~]{1,6}~[0-9]{1,6}(\.[^.]{0,3})?$`)

// isDevice follows Windows: only the part before the first dot counts, trailing spaces do
// not, and superscript digits are digits (folded by the caller).
func isDevice(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base = strings.TrimRight(base, " "); base {
	case "con", "prn", "aux", "nul", "conin$", "conout$", "clock$":
		return true
	}
	return len(base) == 4 && (base[:3] == "com" || base[:3] == "lpt") && base[3] >= '0' && base[3] <= '9'
}

// lookalikes are letters of other alphabets that look like those of .git and .booty.yml. A
// path with them is a trick or a mistake.
var lookalikes = strings.NewReplacer(
	"ı", "i", "i̇", "i", "і", "i", "ι", "i", "ɩ", "i", "ⅰ", "i", "ɪ", "i",
	"ɡ", "g", "ց", "g", "ƍ", "g", "т", "t", "τ", "t", "ꭲ", "t",
	"ь", "b", "в", "b", "Ь", "b", "о", "o", "ο", "o", "օ", "o", "у", "y", "γ", "y", "ү", "y", "ʏ", "y",
	"м", "m", "ⅿ", "m", "ӏ", "l", "ⅼ", "l", "ǀ", "l", "а", "a", "α", "a",
)

// skeleton is the form used to compare similar-looking names.
func skeleton(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || isIgnorable(r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1
		}
		return r
	}, norm.NFKC.String(name))
	return lookalikes.Replace(FoldCase(name))
}

// FoldCase applies simple case folding, including the Kelvin sign to k and the long s to s.
func FoldCase(s string) string {
	return strings.Map(func(r rune) rune {
		if r == 'ſ' {
			return 's'
		}
		return unicode.ToLower(r)
	}, s)
}
