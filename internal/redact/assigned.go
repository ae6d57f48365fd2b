package redact

import (
	"math"
	"slices"
	"strings"
)

// assignedWords in a name make the value that is assigned to it suspect. The
// weak ones name many things that are no secrets, and want more entropy.
var assignedWords = []string{
	"password", "passwd", "passphrase", "pwd", "secret", "token", "apikey", "api_key", "api-key",
	"access_key", "accesskey", "access-key", "private_key", "privatekey", "credential", "auth_key",
	"encryption_key", "account_key", "signing_key",
}

// matchAssigned looks at what follows a telling word: the rest of the name,
// an assignment, and a value that looks random. Never beyond the line.
func matchAssigned(s string, start, end int) (span, bool) {
	i := end
	for i < len(s) && i < end+40 && (word.has(s[i]) || s[i] == '-') {
		i++
	}
	name := i
	i, ok := assignment(s, i)
	if !ok && name < len(s) && s[name] == ' ' && (isFlag(s, start) || isNetrc(s, start)) {
		i, ok = name+1, true
	}
	if !ok {
		return span{}, false
	}
	spaced := strings.ContainsAny(s[name:i], " \t") && strings.Contains(s[name:i], "=")
	quote := byte(0)
	if i < len(s) && (s[i] == '"' || s[i] == '\'' || s[i] == '`') {
		quote = s[i]
		i++
	}
	escaped := false
	if quote == 0 && i+1 < len(s) && s[i] == '\\' && s[i+1] == '"' { // JSON inside a string
		quote, escaped = '"', true
		i += 2
	}
	from := i
	for i < len(s) && i < from+4096 && valueByte(s[i], quote) {
		i++
	}
	value := s[from:i]
	if quote != 0 && !escaped && (i == len(s) || s[i] != quote) {
		return span{}, false // a text of several words
	}
	if quote == 0 {
		value = strings.TrimRight(value, ".,;:)")
		if i < len(s) && strings.IndexByte("([{<", s[i]) >= 0 || spaced && codeLike(value) {
			return span{}, false
		}
	}
	strong := strings.HasPrefix(strings.ToLower(s[start:end]), "pass") || strings.EqualFold(s[start:end], "pwd")
	if strings.HasPrefix(value, mark) || !secretish(value, quote != 0 || strong && !spaced) || !strong && len(value) < 16 {
		return span{}, false
	}
	return span{start: from, end: from + len(value), kind: assignedKind(s[start:end])}, true
}

// isFlag reports whether the word at i belongs to a flag such as --db-password.
func isFlag(s string, i int) bool {
	for i > 0 && (word.has(s[i-1]) || s[i-1] == '-') {
		i--
	}
	return strings.HasPrefix(s[i:], "--")
}

// isNetrc reports whether the word at i is in a line such as "machine h login u password p".
func isNetrc(s string, i int) bool {
	line := s[max(0, i-200):i]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	return strings.Contains(line, "login ")
}

// codeLike reports whether an unquoted value behind a spaced = may be an
// expression: names with a digit or two, products.
func codeLike(v string) bool {
	digits := 0
	for i := range len(v) {
		switch {
		case v[i] >= '0' && v[i] <= '9':
			digits++
		case !word.has(v[i]) && v[i] != '.':
			return v[i] == '*'
		}
	}
	return digits < 4
}

// assignedKind names the replacement by the telling word.
func assignedKind(w string) string {
	w = strings.ToLower(strings.NewReplacer("_", "-", "apikey", "api-key", "accesskey", "access-key",
		"privatekey", "private-key").Replace(strings.ToLower(w)))
	switch w {
	case "passwd", "pwd":
		return "password"
	}
	return w
}

func valueByte(c, quote byte) bool {
	switch {
	case c <= ' ' || c >= 127 || c == '\\':
		return false
	case quote != 0:
		return c != quote
	}
	return c != '"' && c != '\'' && c != '`' && c != ',' && c != ';' && c != '&' && c != '<' && c != '>' &&
		c != '{' && c != '}' && c != '(' && c != '['
}

// secretish reports whether a value looks random rather than written: letters
// with digits or signs among them, enough different ones, no code, no path, no placeholder.
func secretish(v string, quoted bool) bool {
	if len(v) < 8 || placeholder(v) {
		return false
	}
	var letters, digits, uppers, lowers, signs int
	for i := range len(v) {
		switch c := v[i]; {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'z':
			letters++
			lowers++
		case c >= 'A' && c <= 'Z':
			letters++
			uppers++
		default:
			signs++
		}
	}
	switch {
	case strings.Contains(v, "://"), strings.HasPrefix(v, "urn:"), strings.HasPrefix(v, "/"),
		strings.HasPrefix(v, "./"), strings.HasPrefix(v, "--"):
		return false
	case len(v) > 128 && b64.run(v, 0) < len(v):
		return false // no secret is that long and has signs in it
	case letters == 0, digits == 0 && (signs == 0 || uppers == 0 || lowers == 0 || !quoted):
		return false
	case wordsOnly(v) && (digits == 0 || strings.ContainsAny(v, "._-/:")):
		return false // client-valid-token-1
	}
	if !quoted {
		// Code: a.b.c, sha-256-like names, versions.
		if digits < 2 && len(v) < 12 {
			return false
		}
		return entropy(v) >= 3 && (digits >= 2 || signs > 0)
	}
	return entropy(v) >= 2.75
}

// wordsOnly reports whether v is made of names with dots, dashes or underscores between.
func wordsOnly(v string) bool {
	for _, w := range strings.FieldsFunc(v, func(c rune) bool { return strings.ContainsRune("._-/:", c) }) {
		if digits := strings.IndexAny(w, "0123456789"); digits >= 0 &&
			len(strings.TrimRight(w, "0123456789")) > digits {
			return false
		}
		for i := range len(w) {
			if !alnum.has(w[i]) {
				return false
			}
		}
	}
	return true
}

// placeholders are words that stand for a secret.
var placeholders = []string{"example", "changeme", "change_me", "change-me", "placeholder", "dummy", "your",
	"xxxx", "****", "....", "process.env", "environ", "getenv", "redacted", "secrets.", "todo", "password",
	"sample", "fake", "mytoken", "my-token", "test-", "-test", "test_"}

func placeholder(v string) bool {
	if strings.ContainsAny(v, "$<>{}") && (strings.Contains(v, "${") || strings.Contains(v, "$(") ||
		strings.Contains(v, "{{") || v[0] == '$' || v[0] == '<' || v[0] == '%' || v[0] == '{') {
		return true
	}
	low := strings.ToLower(v)
	if len(v) >= 32 && entropy(v) >= 4 && !wordsOnly(v) {
		// Long and random: a word in it is chance, or a joke.
		return strings.Contains(low, "xxxx") || strings.Contains(low, "****")
	}
	for _, p := range placeholders {
		if strings.Contains(low, p) {
			return true
		}
	}
	return false
}

// standIns are what examples write in the place of a password.
var standIns = []string{"", "pass", "password", "passwd", "pwd", "pw", "secret", "token", "test", "user",
	"foo", "bar", "baz", "xxx", "xxxx", "x", "...", "git", "root", "admin", "postgres", "mysql", "guest",
	"changeme", "example", "p", "pass1", "password1", "redacted"}

// standIn reports whether a password in an address is one of those, a variable or
// a verb of a format string.
func standIn(v string) bool {
	low := strings.ToLower(v)
	return slices.Contains(standIns, low) || strings.ContainsAny(v, "${}<>[]()") ||
		v[0] == '%' && len(v) <= 3 || strings.Trim(low, "x*.") == ""
}

// entropy in bits a character.
func entropy(s string) float64 {
	var count [256]int
	for i := range len(s) {
		count[s[i]]++
	}
	e := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(s))
			e -= p * math.Log2(p)
		}
	}
	return e
}
