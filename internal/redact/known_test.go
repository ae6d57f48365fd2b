package redact

import (
	"strings"
	"testing"
)

// TestKnownSecretsAreFoundEverywhere: no letters around a value that is known to
// be secret, no other secret beside it and no mark around it hide it.
func TestKnownSecretsAreFoundEverywhere(t *testing.T) {
	t.Parallel()
	const value = "q9W8e7R6t5Y4u3"
	r := New(Options{
		Environ: []string{"DEPLOY_KEY=" + value, "DB_PASSWORD=riverside", "OTHER_TOKEN=DEPLOY_KEY",
			"LOGIN_SECRET=github-token", "LONG_SECRET=" + value + "-and-more"},
		Extra: []string{"plainwordsofsixteen", "tail-of-mine-77"},
	})
	for _, text := range []string{
		"x" + value + "y", value + value, "_" + value + "_", "https://h/" + value + "1", "é" + value + "é",
		"[REDACTED:" + value + "]", "[REDACTED:x" + value + "]", "[REDACTED:" + value,
		"[REDACTED:[REDACTED:" + value + "]]", "[REDACTED:DEPLOY_KEY" + value + "]",
		"ghp_" + body36 + value, "sk-ant-" + body36 + "-" + value + "!",
		"password=" + body36 + value + ";", "notplainwordsofsixteenatall",
		"ghp_" + body36 + "tail-of-mine-77", "Bearer " + body36 + ".tail-of-mine-77",
		"a riverside house", "riverside_house", "RIVER=riverside;",
	} {
		for how, got := range map[string]string{"String": r.String(text), "Writer": byWriter(t, r, text+"\n")} {
			for _, secret := range []string{value, "plainwordsofsixteen", "riverside", "of-mine-77"} {
				if strings.Contains(got, secret) {
					t.Errorf("%q by %s: got %q", text, how, got)
				}
			}
			if again := r.String(got); again != got {
				t.Errorf("%q by %s: a second time gives %q, first %q", text, how, again, got)
			}
		}
	}
	for _, text := range []string{
		"[REDACTED:DEPLOY_KEY]", "[REDACTED:github-token] and [REDACTED:OTHER_TOKEN]", "[REDACTED:password]",
		"the riversides", "Ariverside", // a common word is one of its own
	} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestATokenInsideAWord: a token of a known format is found although a letter stands
// right before it; names of programs that only begin alike stay.
func TestATokenInsideAWord(t *testing.T) {
	t.Parallel()
	r := New(Options{})
	for _, token := range []string{"ghp_" + body36, "github_pat_" + body36, "glpat-" + body36[:20],
		"sk-ant-" + body36, "xoxb-123456789012-" + body36[:24], "sk_live_" + body36[:24], "hvs." + body36,
		"npm_" + body36, "dop_v1_" + hex32 + hex32} {
		for _, before := range []string{"x", "TOKEN", "tokenIs_", "9"} {
			if got := r.String(before + token); strings.Contains(got, token[len(token)-20:]) ||
				!strings.HasPrefix(got, before) {
				t.Errorf("%q: got %q", before+token, got)
			}
		}
	}
	for _, text := range []string{
		"task-runner-that-has-2-Very-Long-Names", "my_npm_config_cache_directory_of_the_user_2",
		"libnpm_" + strings.Repeat("abcdef", 7), "tasksk-proj-with-a-name-of-many-words",
		"whisk-ant-hill-number-2-and-so-on-and-on", "thegithub_pat_is_documented_at_length_here",
	} {
		if got := r.String(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// TestNamesInMarks: the names of variables in marks are never taken for the values of
// others, however long, or redacting would not end.
func TestNamesInMarks(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("VERY_", 60) + "LONG_TOKEN"
	r := New(Options{Environ: []string{long + "=VERY_VERY_VERY_", "A_SECRET=" + long[:50], "B_SECRET=A_SECRET_B_SECRET"}})
	got := r.String(long + " A_SECRET_B_SECRET [REDACTED:A_SECRET]")
	if again := r.String(got); again != got || strings.Contains(got, "A_SECRET_B_SECRET") {
		t.Errorf("got %q, then %q", got, again)
	}
}
