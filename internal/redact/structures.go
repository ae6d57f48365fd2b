package redact

import (
	"encoding/base64"
	"strings"

	"github.com/booty-cli/booty/internal/pattern"
)

// maxBlock bounds a key block: none is longer.
const maxBlock = 32 << 10

// matchKeyBlock takes a PEM private key from its first line to its last, or,
// where the last is missing, as far as lines look like one.
func matchKeyBlock(s string, start, end int) (span, bool) {
	head := s[end:min(len(s), end+60)]
	i := strings.Index(head, "-----")
	if i < 0 { // the line may go on in the next write
		return span{start: start, open: len(head) < 60 && partOfLabel(head)}, false
	}
	label := head[:i]
	if !strings.HasSuffix(label, "PRIVATE KEY") && label != "PGP PRIVATE KEY BLOCK" || !partOfLabel(label) {
		return span{}, false
	}
	from := end + i + 5
	body := s[from:min(len(s), from+maxBlock)]
	last := "-----END " + label + "-----"
	if j := strings.Index(body, last); j >= 0 {
		return span{start: start, end: from + j + len(last), kind: keyBlock}, true
	}
	n := keyLines(body)
	// A few bytes are only the words, as in this file.
	return span{start: start, end: from + n, kind: keyBlock, open: len(body) < maxBlock}, n >= 24
}

// partOfLabel reports whether the text could become "RSA PRIVATE KEY-----".
func partOfLabel(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '-' && !upperNum.has(s[i]) {
			return false
		}
	}
	return true
}

// keyLines is how much of s looks like the inside of a key block: lines of
// base64 (their ends may be written \n), perhaps behind headers.
func keyLines(s string) int {
	n := 0
	for n < len(s) {
		line := s[n:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		text := strings.TrimRight(strings.TrimSpace(line), "\"',")
		if !isHeader(text) && keySet.run(text, 0) < len(text) {
			if part := keySet.run(line, 0); part >= 40 { // the key ends within the line
				return n + part
			}
			return n
		}
		n += len(line)
	}
	return n
}

func isHeader(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && (name == "Proc-Type" || name == "DEK-Info" || name == "Version" || name == "Comment" ||
		name == "Hash")
}

var (
	keySet    = chars("A-Za-z0-9+/=\\")
	quoteEnds = chars(`"'\])`)
	blanks    = chars(" \t")
	operators = chars(":=>?")
)

// maxToken bounds what is looked at behind the word that announces a token.
const maxToken = 8 << 10

// behind looks for a secret behind a word: the expression's group named s, if good agrees.
func behind(kind string, re func() *pattern.Pattern, good func(secret string) bool) func(s string,
	start, end int) (span, bool) {
	return func(s string, _, end int) (span, bool) {
		m := re().FindStringSubmatchIndex(s[end:min(len(s), end+maxToken)])
		if m == nil {
			return span{}, false
		}
		found := span{start: end + m[2], end: end + m[3], kind: kind}
		return found, good(s[found.start:found.end])
	}
}

// token is what an Authorization header holds, without the dots that end a sentence.
const token = `([\w.~+/=-]*[\w~+/=-])`

var (
	jwtRE       = pattern.Lazy(`^eyJ([\w-]{9,})\.[\w-]{8,}\.[\w-]{16,}`)
	bearerRE    = pattern.Lazy("^" + token)
	schemeRE    = pattern.Lazy(`^["']*(?:[A-Za-z0-9]{1,15} )?` + token)
	loginRE     = pattern.Lazy(`^["']?([A-Za-z0-9+/=]{8,})`)
	signatureRE = pattern.Lazy(`^([A-Za-z0-9+/=%]{40,})`)
)

// assignment skips `"] = `, `": `, ` := `, `=> `; false where there is none.
func assignment(s string, i int) (int, bool) {
	i += quoteEnds.run(s, i)
	i += blanks.run(s, i)
	begin := i
	i += operators.run(s, i)
	switch s[begin:i] {
	case "=", ":", ":=", "=>", "?=", "::":
		return i + blanks.run(s, i), true
	}
	return 0, false // == compares
}

// matchJWT: three parts with dots between them, the first a JSON object.
func matchJWT(s string, start, _ int) (span, bool) {
	m := jwtRE().FindStringSubmatchIndex(s[start:min(len(s), start+maxToken)])
	if m == nil || start > 0 && dotted.has(s[start-1]) {
		return span{}, false
	}
	head, err := base64.RawURLEncoding.DecodeString(s[start : start+m[3]])
	return span{start: start, end: start + m[1], kind: "jwt"},
		err == nil && (strings.Contains(string(head), `"alg"`) || strings.Contains(string(head), `"typ"`))
}

// matchURL takes the password of scheme://user:password@host, or the token of
// https://token@host. A password may hold an @ itself: the last one counts.
func matchURL(s string, start, end int) (span, bool) {
	if start == 0 || !alnum.has(s[start-1]) {
		return span{}, false
	}
	rest := s[end:min(len(s), end+512)]
	if i := strings.IndexFunc(rest, func(c rune) bool { return c <= ' ' || strings.ContainsRune("\"'`<>/?#\\", c) }); i >= 0 {
		rest = rest[:i]
	}
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return span{}, false
	}
	user, pass, is := strings.Cut(rest[:at], ":")
	if !is {
		return span{start: end, end: end + at, kind: "url-credentials"}, len(user) >= 16 && mixed(user)
	}
	return span{start: end + len(user) + 1, end: end + at, kind: "url-password"}, !standIn(pass) && pass != user
}

// matchAuthorization takes what follows "Authorization: token " and other schemes.
func matchAuthorization(s string, start, end int) (span, bool) {
	i, ok := assignment(s, end)
	if !ok {
		return span{}, false
	}
	return behind("authorization", schemeRE, func(t string) bool { return isToken(t) && !placeholder(t) })(s, start, i)
}

// matchDocker takes user and password of a registry from Docker's config.json.
func matchDocker(s string, start, end int) (span, bool) {
	i, ok := assignment(s, end)
	if !ok || start == 0 || s[start-1] != '"' {
		return span{}, false
	}
	return behind("basic-auth", loginRE, isLogin)(s, start, i)
}

// matchBasic takes base64 of user:password behind "Authorization: Basic".
func matchBasic(s string, start, end int) (span, bool) {
	if !strings.Contains(strings.ToLower(s[max(0, start-24):start]), "authorization") {
		return span{}, false
	}
	return behind("basic-auth", loginRE, isLogin)(s, start, end)
}

// matchSAS takes the signature of an Azure shared access address.
func matchSAS(s string, start, end int) (span, bool) {
	if start == 0 || s[start-1] != '&' && s[start-1] != '?' && s[start-1] != ';' {
		return span{}, false
	}
	return behind("azure-signature", signatureRE, func(t string) bool { return varied(t, 12) })(s, start, end)
}

func isToken(t string) bool { return len(t) >= 16 && mixed(t) && varied(t, 8) }

// isLogin reports whether a text is base64 of user:password.
func isLogin(t string) bool {
	text, err := base64.StdEncoding.DecodeString(t)
	_, pass, ok := strings.Cut(string(text), ":")
	return err == nil && ok && !standIn(pass)
}
