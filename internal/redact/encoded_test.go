package redact

import (
	"encoding/base64"
	hexadecimal "encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestASecretInsideBase64: a token of a known format is found at any place of an encoded text.
func TestASecretInsideBase64(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	token := "ghp_" + body36
	for before := range 4 {
		plain := []byte(strings.Repeat("x", before) + " token=" + token)
		for _, text := range []string{
			"it says " + base64.StdEncoding.EncodeToString(plain) + " here",
			`{"data":"` + base64.RawURLEncoding.EncodeToString(plain) + `"}`,
		} {
			for how, got := range map[string]string{"String": r.String(text), "Writer": byWriter(t, r, text)} {
				if !strings.Contains(got, "[REDACTED:encoded]") || strings.Contains(got, base64.StdEncoding.EncodeToString(plain)[16:32]) {
					t.Errorf("%d by %s: %q", before, how, got)
				}
				if again := r.String(got); again != got {
					t.Errorf("%d: a second time gives %q", before, again)
				}
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

// TestAKnownValueInOtherSpellings: a value that is known to be secret is found
// however a program writes it.
func TestAKnownValueInOtherSpellings(t *testing.T) {
	const value = "pa55<&>/wo+rd-of-mine"
	r := New(Options{Environ: []string{"DEPLOY_SECRET=" + value}})
	quoted, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{
		"json": string(quoted), "hex": hexadecimal.EncodeToString([]byte(value)), "HEX": strings.ToUpper(hexadecimal.EncodeToString([]byte(value))),
		"query": url.QueryEscape(value), "url base64": base64.RawURLEncoding.EncodeToString([]byte("user:" + value + "@")),
	}
	for _, before := range []string{"", "a", "ab", "abc", "Authorization: "} {
		for _, after := range []string{"", "x", "xy", "xyz"} {
			texts["base64 of "+before+"*"+after] = base64.StdEncoding.EncodeToString([]byte(before + value + after))
		}
	}
	for name, text := range texts {
		got := r.String("it says " + text + " here")
		if !strings.Contains(got, "[REDACTED:DEPLOY_SECRET]") {
			t.Errorf("%s: got %s", name, got)
		}
		if again := r.String(got); again != got {
			t.Errorf("%s: a second time gives %s", name, again)
		}
	}
}
