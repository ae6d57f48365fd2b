package redact

import (
	"encoding/base64"
	"strings"
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

// partOfLabel says whether the text could become "RSA PRIVATE KEY-----".
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
			return n + partialKey(line)
		}
		n += len(line)
	}
	return n
}

// partialKey is how much of a line's beginning is key text, when it is a lot.
func partialKey(line string) int {
	if n := keySet.run(line, 0); n >= 40 {
		return n
	}
	return 0
}

func isHeader(line string) bool {
	name, _, ok := strings.Cut(line, ": ")
	return ok && (name == "Proc-Type" || name == "DEK-Info" || name == "Version" || name == "Comment" || name == "Hash")
}

var (
	base64Set = chars("A-Za-z0-9+/=")
	keySet    = chars("A-Za-z0-9+/=\\")
)

// matchPuTTY takes the private lines of a PuTTY key.
func matchPuTTY(s string, start, end int) (span, bool) {
	nl := strings.IndexByte(s[end:min(len(s), end+20)], '\n')
	if nl < 0 {
		return span{start: start, open: len(s)-end < 20}, false
	}
	from := end + nl + 1
	n := keyLines(s[from:min(len(s), from+maxBlock)])
	return span{start: from, end: from + n, kind: keyBlock, open: from+n == len(s)}, n >= 24
}

// matchJWT: three parts with dots between them, the first a JSON object.
func matchJWT(s string, start, _ int) (span, bool) {
	if start > 0 && (urlSafe.has(s[start-1]) || s[start-1] == '.') {
		return span{}, false
	}
	n := dotted.run(s, start)
	parts := strings.SplitN(strings.TrimRight(s[start:start+n], ".-"), ".", 4)
	if len(parts) < 3 || len(parts[0]) < 12 || len(parts[1]) < 8 || len(parts[2]) < 16 {
		return span{}, false
	}
	head, err := base64.RawURLEncoding.DecodeString(parts[0])
	if err != nil || !strings.Contains(string(head), `"alg"`) && !strings.Contains(string(head), `"typ"`) {
		return span{}, false
	}
	length := len(parts[0]) + len(parts[1]) + len(parts[2]) + 2
	return span{start: start, end: start + length, kind: "jwt"}, true
}

// matchURL takes the password of scheme://user:password@host.
func matchURL(s string, start, end int) (span, bool) {
	if start == 0 || !alnum.has(s[start-1]) {
		return span{}, false
	}
	limit := min(len(s), end+512)
	colon, at := -1, -1
	for i := end; i < limit; i++ {
		c := s[i]
		if c == '@' {
			at = i // a password may hold an @ itself: the last one counts
			continue
		}
		if c <= ' ' || c == '"' || c == '\'' || c == '`' || c == '<' || c == '>' || c == '/' || c == '?' ||
			c == '#' || c == '\\' {
			break
		}
		if c == ':' && colon < 0 && at < 0 {
			colon = i
		}
	}
	if at < 0 {
		return span{}, false
	}
	if colon < 0 { // https://token@host
		name := s[end:at]
		return span{start: end, end: at, kind: "url-credentials"}, len(name) >= 16 && mixed(name)
	}
	if pass := s[colon+1 : at]; standIn(pass) || pass == s[end:colon] {
		return span{}, false
	}
	return span{start: colon + 1, end: at, kind: "url-password"}, true
}

// matchBearer takes the token of an Authorization header.
func matchBearer(s string, _, end int) (span, bool) {
	n := dottedPlus.run(s, end)
	token := strings.TrimRight(s[end:end+n], ".")
	return span{start: end, end: end + len(token), kind: "bearer-token"}, len(token) >= 16 && mixed(token) &&
		varied(token, 8)
}

var dottedPlus = chars("A-Za-z0-9_.~+/=\x2d")

// matchBasic takes base64 of user:password behind "Authorization: Basic".
func matchBasic(s string, start, end int) (span, bool) {
	before := strings.ToLower(s[max(0, start-24):start])
	if !strings.Contains(before, "authorization") {
		return span{}, false
	}
	n := base64Set.run(s, end)
	text, err := base64.StdEncoding.DecodeString(s[end : end+n])
	_, pass, ok := strings.Cut(string(text), ":")
	return span{start: end, end: end + n, kind: "basic-auth"}, n >= 8 && err == nil && ok && !standIn(pass)
}

// matchAuthorization takes what follows "Authorization: token " and other schemes.
func matchAuthorization(s string, _, end int) (span, bool) {
	i, ok := assignment(s, end)
	if !ok {
		return span{}, false
	}
	for i < len(s) && (s[i] == '"' || s[i] == '\'') {
		i++
	}
	// The scheme, where there is one.
	if n := alnum.run(s, i); n > 0 && n < 16 && i+n+1 < len(s) && s[i+n] == ' ' {
		i += n + 1
	}
	n := dottedPlus.run(s, i)
	token := strings.TrimRight(s[i:i+n], ".")
	return span{start: i, end: i + len(token), kind: "authorization"}, len(token) >= 16 && mixed(token) &&
		varied(token, 8) && !placeholder(token)
}

// matchDocker takes user and password of a registry from Docker's config.json.
func matchDocker(s string, start, end int) (span, bool) {
	if start == 0 || s[start-1] != '"' {
		return span{}, false
	}
	i, ok := assignment(s, end)
	if !ok || i >= len(s) || s[i] != '"' {
		return span{}, false
	}
	n := base64Set.run(s, i+1)
	text, err := base64.StdEncoding.DecodeString(s[i+1 : i+1+n])
	_, pass, ok := strings.Cut(string(text), ":")
	return span{start: i + 1, end: i + 1 + n, kind: "basic-auth"}, n >= 8 && err == nil && ok && !standIn(pass)
}

// matchSAS takes the signature of an Azure shared access address.
func matchSAS(s string, start, end int) (span, bool) {
	if start == 0 || s[start-1] != '&' && s[start-1] != '?' && s[start-1] != ';' {
		return span{}, false
	}
	n := sasSet.run(s, end)
	return span{start: end, end: end + n, kind: "azure-signature"}, n >= 40 && varied(s[end:end+n], 12)
}

var sasSet = chars("A-Za-z0-9+/=%")
