package redact

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// TestDisguised: tokens of a known format inside base64, cut by a terminal's
// width, and the end of a key without its beginning.
func TestDisguised(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	token := "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	key := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n", 3) + "AbCdEf0=\n-----END PRIVATE KEY-----"
	texts := map[string]string{"the end of a key": "...\n" + key + "\nbye\n", "the end of a key in a diff": "+" + strings.ReplaceAll(key, "\n", "\n+")}
	for before := range 4 {
		plain := strings.Repeat("x", before) + " token=" + token
		texts[fmt.Sprintf("base64 after %d", before)] = "it says " + base64.StdEncoding.EncodeToString([]byte(plain)) + " here"
		texts[fmt.Sprintf("url base64 after %d", before)] = `{"data":"` + base64.RawURLEncoding.EncodeToString([]byte(plain)) + `"}`
	}
	for cut := 1; cut < len(token)-5; cut++ { // before, what is left is worth little
		texts[fmt.Sprintf("cut at %d", cut)] = strings.Repeat("wide ", 12) + token[:cut] + "\n" + token[cut:] + " and on\n"
	}
	for name, text := range texts {
		for how, got := range map[string]string{"String": r.String(text), "Writer": byWriter(t, r, text)} {
			if strings.HasPrefix(name, "the end") && how == "Writer" {
				continue // the lines have left by then; a whole key is held back from its beginning
			}
			for _, part := range []string{token[10:20], token[20:], "MIIEvQIB", base64.StdEncoding.EncodeToString([]byte(token))[4:20]} {
				if strings.HasPrefix(name, "cut") && strings.Contains(token, part) {
					part = token[:18]
					if strings.Contains(strings.ReplaceAll(got, "\n", ""), part) {
						t.Errorf("%s by %s: %q", name, how, got)
					}
					continue
				}
				if strings.Contains(got, part) {
					t.Errorf("%s by %s: %q", name, how, got)
				}
			}
			if again := r.String(got); again != got {
				t.Errorf("%s: a second time gives %q", name, again)
			}
		}
	}
}

func byWriter(t *testing.T, r *Redactor, text string) string {
	t.Helper()
	var b strings.Builder
	w := r.Writer(&b)
	for _, line := range strings.SplitAfter(text, "\n") {
		if _, err := w.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestOrdinaryRunsStay: hashes, certificates, images and long names are left alone.
func TestOrdinaryRunsStay(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for _, text := range []string{
		"sha512-" + base64.StdEncoding.EncodeToString([]byte(strings.Repeat("\xfe\x01", 32))),
		base64.StdEncoding.EncodeToString([]byte("just some words that stand in a fixture, nothing else")),
		"-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END CERTIFICATE-----\n",
		strings.Repeat("an ordinary line of prose that is wide ", 3) + "and\nthe next one begins with an ordinary word\n",
		"AVeryLongIdentifierOfJavaThatHasManyWordsInIt.andAMethodOfIt\n",
	} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}
