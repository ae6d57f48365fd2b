package redact

import (
	"encoding/base64"
	hexadecimal "encoding/hex"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

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
