//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// planted are secrets by where they lie. They are made up, and put together
// here so that no scanner takes this file for a leak.
var planted = map[string]string{
	"environment: token":    "Xk7" + "qPz0Lm3vRt9sWc2" + "Yb5",
	"environment: key":      "q9W" + "e8R7t6Y5u4I3o2P1a0" + "SdF",
	"source: github":        "ghp_" + "Zt5uVw8xYa1bCd4eFg7hIj0kLm3nOp6qRs9T",
	"source: aws":           "AKIA" + "Q3EGRT7HN2MWVB5X",
	"task: openai":          "sk-proj-" + "a8Kd93jfLQ02mvnXz71bTyWq55Rt",
	"test output: slack":    "xoxb-" + "2837462910-9182736450-aBcDeFgHiJkLmN",
	"reply: stripe":         "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
	"conventions: gitlab":   "glpat-" + "x7Yw9Zu2Vb4Nc6Md8Lf1",
	".env":                  "envfile" + "-Lk29fjQ8vn3Zp",
	"id_rsa":                "keyfile" + "-b3BlbnNzaC1rZXktdjEAAAAABG5vbmU",
	"config/secrets.yml":    "yamlfile" + "-Qm93jf8Ks02Lx",
	"assignment: password":  "Vq8#" + "mZ2!pLr7xWt4Kd",
	"file name in failure":  "deploykey" + "-77fjJs02kqPx",
	"environment: in reply": "hR5" + "tY8uI1oP4aS7dF0gH3jK6l",
}

// TestNoSecretLeaves plants secrets everywhere and searches everything that
// left the process.
func TestNoSecretLeaves(t *testing.T) {
	quick(t)
	t.Parallel()
	p := planted
	files := map[string]string{
		".booty.yml":   "test_command: sh run_tests.sh\nreview: {enabled: true}\n",
		"run_tests.sh": suite["run_tests.sh"],
		"greet.sh": "# token of the old server: " + p["source: github"] + "\naws_id=" + p["source: aws"] + "\n" +
			"password=\"" + p["assignment: password"] + "\"\necho bye\n",
		"tests/greet_test.sh": `echo "connecting with ` + p["test output: slack"] + ` and $SERVICE_TOKEN"
cat .env id_rsa config/secrets.yml deploy.pem >/dev/null
echo ".env:1: not set"; echo "id_rsa:3: bad key"; echo "deploy.pem:1: expired"; echo "config/secrets.yml:2: wrong"
[ "$(sh greet.sh)" = hello ]
`,
		".env":               "DATABASE_URL=" + p[".env"] + "\n",
		"id_rsa":             p["id_rsa"] + "\n",
		"deploy.pem":         p["file name in failure"] + "\n",
		"config/secrets.yml": "value: " + p["config/secrets.yml"] + "\n",
		"AGENTS.md":          "Deploy with " + p["conventions: gitlab"] + "\n",
	}
	task := "greet with hello; my key is " + p["task: openai"] + " and .env, id_rsa, deploy.pem matter"
	answer := func(request string) string {
		word := "hello"
		if strings.Contains(request, "This is attempt 1 of") {
			word = "hullo"
		}
		if strings.Contains(request, "APPROVED") && !strings.Contains(request, "This is attempt") {
			return "APPROVED\nuse " + p["reply: stripe"]
		}
		return "Summary: feat: greet with " + p["reply: stripe"] + "\n\nI saw " + p["environment: in reply"] +
			"\n\ngreet.sh\n```sh\n# " + p["reply: stripe"] + "\necho " + word + "\n```\n"
	}
	l := newLab(t, files, answer)
	l.extra = []string{
		"SERVICE_TOKEN=" + p["environment: token"], "STRANGE_API_KEY=" + p["environment: key"],
		"OTHER_SECRET=" + p["environment: in reply"],
	}
	left := map[string]string{}
	collect := func(name string, r result) {
		left[name+" stdout"], left[name+" stderr"] = r.stdout, r.stderr
	}
	r := l.booty("run", "--task", task, "--json", "-v", "--record", filepath.Join(l.temp, "cassette"))
	if r.code != 0 {
		t.Fatalf("the run: %s", r)
	}
	collect("run --json -v", r)
	l.git("branch", "-D", strings.TrimSpace(strings.ReplaceAll(l.git("branch", "--list", "booty/*"), "*", "")))
	left["commits"] = l.git("log", "--all", "--format=%B%D")
	r = l.booty("run", "--task", task, "-v")
	collect("run -v", r)
	collect("status", l.booty("status", "latest"))
	collect("status --json", l.booty("status", "latest", "--json"))
	for _, show := range []string{"diff", "output", "prompt", "reply"} {
		collect("status --show "+show, l.booty("status", "latest", "--attempt", "1", "--show", show))
	}
	if r := l.booty("status", "latest", "--html", filepath.Join(l.temp, "page.html")); r.code != 0 {
		t.Errorf("status --html: %s", r)
	}
	collect("dry run", l.booty("run", "--task", task, "--dry-run"))
	for _, body := range l.model.requests {
		left["a request"] += body + "\n"
	}
	for _, h := range l.model.headers {
		h.Del("Authorization")
		for k, v := range h {
			left["headers"] += k + ": " + strings.Join(v, " ") + "\n"
		}
	}
	copies := regexp.MustCompile(`/main/[0-9]+/app/`)
	for _, dir := range []string{l.temp, filepath.Join(l.home, ".local"), filepath.Join(l.home, ".config")} {
		for name, content := range everything(t, dir) {
			if !copies.MatchString(name) { // of the files themselves
				left[name] = content
			}
		}
	}
	if len(left["a request"]) == 0 || len(left) < 20 {
		t.Fatalf("too little was collected: %d texts", len(left))
	}
	count := tally{}
	for what, secret := range p {
		count.add(true)
		for where, text := range left {
			if i := strings.Index(text, secret); i >= 0 {
				t.Errorf("%s is in %s: …%s…", what, where, text[max(0, i-80):min(len(text), i+len(secret)+20)])
			}
		}
	}
	for where, text := range left {
		if strings.Contains(text, "sk-test-key-for-the-scripted-server") {
			t.Errorf("the model key is in %s", where)
		}
	}
	t.Logf("%d planted secrets, %d places searched", len(p), len(left))
	// The user's own files keep their bytes.
	if got := l.git("show", "HEAD:greet.sh"); !strings.Contains(got, p["source: github"]) {
		t.Error("the source lost its line")
	}
}

// everything reads all files below dir, compressed ones unpacked.
func everything(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Type() == fs.ModeSymlink { // which lead to files that are looked at anyway
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if zr, err := gzip.NewReader(bytes.NewReader(data)); err == nil {
			if plain, err := io.ReadAll(zr); err == nil {
				data = plain
			}
		}
		rel, _ := filepath.Rel(dir, path)
		out[filepath.Base(dir)+"/"+rel] = string(data)
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

// TestSecretsStayInFiles: a file that holds a secret is shown with a mark in
// its place; a reply that gives the mark back does not overwrite the secret.
func TestSecretsStayInFiles(t *testing.T) {
	quick(t)
	t.Parallel()
	secret := planted["source: github"]
	files := map[string]string{
		".booty.yml":          "test_command: sh run_tests.sh\n",
		"run_tests.sh":        suite["run_tests.sh"],
		"greet.sh":            "token=" + secret + "\necho bye\n",
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
	}
	l := newLab(t, files, func(request string) string {
		mark := regexp.MustCompile(`token=\[REDACTED:[a-z-]+\]`).FindString(request)
		return "Summary: feat: greet\n\ngreet.sh\n```sh\n" + mark + "\necho hello\n```\n"
	})
	if r := l.booty("run", "--task", "greet with hello", "--json"); r.code != 0 {
		t.Fatalf("%s", r)
	}
	if got, want := l.git("show", "booty/greet-with-hello:greet.sh"), "token="+secret+"\necho hello"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// A mark that stands for nothing in the file is no text to write.
	l.model.answers(func(request string) string {
		if strings.Contains(request, "stands for a secret") {
			return "Summary: feat: greet\n\ngreet.sh\n```sh\n<<<<<<< SEARCH\necho bye\n=======\necho hello\n>>>>>>> REPLACE\n```\n"
		}
		return "Summary: feat: greet\n\ngreet.sh\n```sh\n# [REDACTED:openai-key]\necho hello\n```\n"
	})
	r := l.booty("run", "--task", "greet with hello", "--json", "--branch", "second")
	if r.code != 0 || !strings.Contains(r.stdout, "edits.refused") {
		t.Errorf("a mark of its own is not refused: %s", r)
	}
}
