package redact

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
)

// The samples are put together here, so that no scanner takes this file for a
// leak, and none of them was ever valid.
const (
	body36 = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
	hex32  = "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
)

func jwt() string {
	enc := base64.RawURLEncoding.EncodeToString
	return enc([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "." + enc([]byte(`{"sub":"12345","name":"x"}`)) + "." + enc([]byte("0123456789abcdefghijklmnopqrstuv"))
}

func pem(label string) string {
	line := strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", 2)
	return "-----BEGIN " + label + "-----\n" + line + "\n" + line + "\nQ3x=\n-----END " + label + "-----"
}

// planted are secrets in the text around them; the first is what must go.
func planted() []struct{ name, secret, text string } {
	return []struct{ name, secret, text string }{
		{"a GitHub token", "ghp_" + body36, "remote: https://x@github.com token ghp_" + body36 + " end"},
		{"a GitHub token of an installation", "ghs_" + body36, "(ghs_" + body36 + ")"},
		{"a fine-grained GitHub token", "github_pat_" + body36 + "_" + body36, "GH=github_pat_" + body36 + "_" + body36},
		{"a GitLab token", "glpat-" + body36[:20], "glpat-" + body36[:20]},
		{"an OpenAI key", "sk-" + body36 + body36[:12], `key: "sk-` + body36 + body36[:12] + `"`},
		{"an OpenAI project key", "sk-proj-" + body36 + "_-" + body36, "sk-proj-" + body36 + "_-" + body36},
		{"an Anthropic key", "sk-ant-api03-" + body36 + "-" + body36, "x sk-ant-api03-" + body36 + "-" + body36 + "\n"},
		{"an OpenRouter key", "sk-or-v1-" + hex32 + hex32, "sk-or-v1-" + hex32 + hex32},
		{"a Google key", "AIzaSy" + body36[:33], "?key=AIzaSy" + body36[:33] + "&x=1"},
		{"an AWS key id", "AKIA" + "Z7QXW3RTYPLMN2VB", "AKIA" + "Z7QXW3RTYPLMN2VB"},
		{"an AWS secret by its name", "wJalrXUtnF3MI/K7MDENG/bPxRfiCYzzzKEYq1w2", "aws_secret_access_key = wJalrXUtnF3MI/K7MDENG/bPxRfiCYzzzKEYq1w2"},
		{"a Slack token", "xoxb-123456789012-" + body36[:24], "slack xoxb-123456789012-" + body36[:24]},
		{"a Slack webhook", "hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/" + body36[:24], "https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/" + body36[:24]},
		{"a Stripe key", "sk_live_" + body36[:24], "'sk_live_" + body36[:24] + "'"},
		{"a npm token", "npm_" + body36, "//registry.npmjs.org/:_authToken=npm_" + body36},
		{"a PyPI token", "pypi-AgEIcHlwaS5vcmc" + body36, "password = pypi-AgEIcHlwaS5vcmc" + body36},
		{"a Hugging Face token", "hf_" + body36[:34], "hf_" + body36[:34]},
		{"a SendGrid key", "SG." + body36[:22] + "." + body36 + "abcdefg", "SG." + body36[:22] + "." + body36 + "abcdefg"},
		{"a Twilio key", "SK" + hex32, "SK" + hex32},
		{"a JWT", jwt(), "Cookie: session=" + jwt() + "; path=/"},
		{"a bearer token", body36, "Authorization: Bearer " + body36},
		{"basic authorization", base64.StdEncoding.EncodeToString([]byte("joe:hunter2hunter2")), "authorization: basic " + base64.StdEncoding.EncodeToString([]byte("joe:hunter2hunter2"))},
		{"a password in an address", "s3cr3tPw", "postgres://joe:s3cr3tPw@db.internal:5432/app"},
		{"a password with an @ in an address", "p@ss:w0rd", "mysql://root:p@ss:w0rd@localhost/x"},
		{"a token in an address", body36, "git clone https://" + body36 + "@github.com/a/b"},
		{"an Azure account key", body36 + body36 + "==", "DefaultEndpointsProtocol=https;AccountName=x;AccountKey=" + body36 + body36 + "==;EndpointSuffix=core"},
		{"an Azure signature", "aB3%2BdE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7%3D", "https://x.blob.core/?sv=2024&sig=aB3%2BdE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7%3D"},
		{"a private key", pem("RSA PRIVATE KEY"), "before\n" + pem("RSA PRIVATE KEY") + "\nafter"},
		{"an OpenSSH key", pem("OPENSSH PRIVATE KEY"), pem("OPENSSH PRIVATE KEY")},
		{"a private key in one line", strings.ReplaceAll(pem("PRIVATE KEY"), "\n", `\n`), `{"private_key": "` + strings.ReplaceAll(pem("PRIVATE KEY"), "\n", `\n`) + `"}`},
		{"a password in YAML", "Tr0ub4dor&3x", "  password: 'Tr0ub4dor&3x'"},
		{"a client secret in JSON", "Zx9-Qw8_Er7.Ty6~Ui5", `"clientSecret": "Zx9-Qw8_Er7.Ty6~Ui5",`},
		{"a secret in code", "k3yV4lu3W1thL0tsOfB1ts", `const API_KEY = "k3yV4lu3W1thL0tsOfB1ts"`},
		{"a secret in a .env line", "9f8e7d6c5b4a39281706f5e4d3c2b1a0", "export SESSION_SECRET=9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
		{"a UUID under a telling name", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", `client_secret: "3f2504e0-4f89-41d3-9a0c-0305e82c3301"`},
		{"an Authorization header with another scheme", hex32 + "01234567", "-H 'Authorization: token " + hex32 + "01234567'"},
		{"an Authorization header without a scheme", body36, `"Authorization": "` + body36 + `"`},
		{"a registry's login of Docker", base64.StdEncoding.EncodeToString([]byte("joe:hunter2hunter2")), `{"auths":{"r.io":{"auth": "` + base64.StdEncoding.EncodeToString([]byte("joe:hunter2hunter2")) + `"}}}`},
		{"a flag", "s3cr3tValue9", "mysql --user root --password s3cr3tValue9 db"},
		{"a line of .netrc", "hunter2hunter2", "machine h.io login joe password hunter2hunter2"},
		{"a short password of the environment", "hunter22", "DB_PASSWORD=hunter22"},
		{"a connection string", "Str0ng!Pass.w0rd", "Server=db;User Id=sa;Password=Str0ng!Pass.w0rd;Encrypt=true"},
		{"the AWS secret of the manuals", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"},
		{"the AWS key id of the manuals", "AKIAIOSFODNN7EXAMPLE", "AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE"},
		{"a made-up key", "abcdef1234567890abcdef1234567890", `API_KEY = "abcdef1234567890abcdef1234567890"`},
		{"an AWS secret in JSON", "wJalrXUtnF3MI/K7MDENG/bPxRfiCYzzzKEYq1w2", `"SecretAccessKey": "wJalrXUtnF3MI/K7MDENG/bPxRfiCYzzzKEYq1w2"`},
		{"a uuid token of npm", "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "//r.io/:_authToken=3f2504e0-4f89-41d3-9a0c-0305e82c3301"},
		{"a value of the environment", "correct horse battery", "we said correct horse battery and meant it"},
		{"a value of the environment in JSON", `quo\"ted-value-9`, `{"x":"quo\"ted-value-9"}`},
	}
}

func redactor() *Redactor {
	return New(Options{
		Environ: []string{"HOME=/home/joe", "MY_PASSPHRASE=correct horse battery", `APP_TOKEN=quo"ted-value-9`, "SHORT_KEY=abc", "EDITOR=vim-editor-long"},
	})
}

func TestSecretsAreReplaced(t *testing.T) {
	r := redactor()
	for _, c := range planted() {
		t.Run(c.name, func(t *testing.T) {
			got := r.String(c.text)
			if strings.Contains(got, c.secret) || !strings.Contains(got, mark) {
				t.Fatalf("got %q from %q", got, c.text)
			}
			if again := r.String(got); again != got {
				t.Errorf("redacted twice: got %q, first %q", again, got)
			}
			if !strings.Contains(c.text, c.secret) {
				t.Fatal("the sample does not hold its secret")
			}
		})
	}
}

func TestTextAroundASecretIsKept(t *testing.T) {
	got := redactor().String("a ghp_" + body36 + " b\n" + pem("EC PRIVATE KEY") + "\npostgres://u:pw123@h/x")
	want := "a [REDACTED:github-token] b\n[REDACTED:private-key]\npostgres://u:[REDACTED:url-password]@h/x"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASecretThatTouchesAnotherIsFound(t *testing.T) {
	r := New(Options{Extra: []string{"supersecret1"}})
	got := r.String("supersecret1ghp_" + body36)
	if want := "[REDACTED:value][REDACTED:github-token]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextWithoutSecretsStaysAsItIs(t *testing.T) {
	cases := []struct{ name, text string }{
		{"a git hash", "commit 3f786850e387550fdab836ed7e6dc881de23001b"},
		{"a UUID", `"id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301"`},
		{"go.sum", "github.com/google/go-cmp v0.7.0 h1:wk8382ETsv4JYUZwIsn6YpYiWiBsYLSJiTsyBybVuN8="},
		{"package-lock.json", `"integrity": "sha512-Kf9Zt3bXh1bWcnYQ5z1QyF0r4hXlYqFp2m0dGx8k3Vv1nZyC7oD5tL2uWqP9sJ4aE6iBgHrMxNcTfKjUwVyQA=="`},
		{"Cargo.lock", `checksum = "41fc4bb2af0ac8f0e8f7c5b4d0d8c87a4be9ba1e0f8cf3a0e3ef8d8b9bd1ea6c"`},
		{"poetry.lock", `{file = "x.whl", hash = "sha256:0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9"}`},
		{"base64 test data", `want := "aGVsbG8gd29ybGQgdGhpcyBpcyBhIHRlc3Qgb2YgYmFzZTY0IGVuY29kaW5n"`},
		{"a token from the lexer", "token := lexer.NextToken2(input)\nif token == token2 { return token.Kind }"},
		{"a variable", "password = os.environ['DB_PASSWORD_1']"},
		{"a template", `password: ${DB_PASSWORD_2}`},
		{"a GitHub expression", "token: ${{ secrets.GITHUB_TOKEN }}"},
		{"a placeholder key", "OPENAI_API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
		{"a placeholder token", "GH_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
		{"a placeholder password", `password: "your-password-1"`},
		{"a css class", "sk-spinner-three-bounce-item-large sk-chasing-dot-before"},
		{"a scikit name", "from sk-learn-contrib-project2 import x"},
		{"an address with a port", "http://localhost:8080/path@2x.png and ssh://git@github.com:22/a"},
		{"a scoped package", "https://registry.npmjs.org/@types/node/-/node-20.1.0.tgz"},
		{"a token type", `{"token_type": "bearer", "tokens": 12345678, "max_tokens": 16000}`},
		{"a secret's name", "secretName: my-app-credentials"},
		{"words about secrets", "The password must have at least 12 characters; the token: expired yesterday."},
		{"a public key", "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\n-----END PUBLIC KEY-----"},
		{"words about key blocks", "looks for -----BEGIN RSA PRIVATE KEY----- in files"},
		{"a key in a map", `key-value pairs, keyboard = "qwertyuiop12"`},
		{"an environment variable that is no secret", "vim-editor-long and abc and /home/joe"},
		{"a password test", `assertEquals("password", form.password)`},
		{"a regexp", "var tokenRE = regexp.MustCompile(`^[a-z0-9_-]{3,16}$`)"},
		{"a path", "private_key = /etc/ssl/private/server2.key"},
		{"an enum", "TOKEN_EOF = 256\nTOKEN_IDENT2 = 'TOKEN_IDENT2'"},
		{"a short hex colour", "token: #ff00aa11"},
		{"an address in an example", `git clone https://user:pass@example.com/x; http://%s:%s@host; http://joe:xxxxx@host; postgres://postgres:postgres@localhost/db`},
		{"a verb that gives words", `expectedToken: "client-valid-token-1"`},
		{"a table of names", `const _token_name = "EOFnameliteralopop=opop=:=<-*([{)]},;:....breakcasechanconstcontinuedefaultdeferelsefallthroughforfuncgogotoifimport2interfacemappackagerange"`},
		{"a call", "nToken = libc.Int32FromUint64(x) + token2 * 3\ntokens = 2*maxCompilerConcurrency88"},
		{"a type", "type Unicode61Tokenizer = TUnicode61Tokenizer"},
		{"a name of an algorithm", `"sk-ecdsa-sha2-nistp256-cert-v01@openssh.com"`},
		{"a lock token", "Token: `urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6`"},
		{"flags without secrets", "gh auth login --with-token < file && run --max-tokens 4096 --token-file /run/secrets/token1"},
		{"words about authorization", "Authorization: see RFC 7235; the authorization server answers"},
		{"an object named auth", `{"auth": "none", "auth": {"type": "basic"}}`},
		{"a data URL", "url(data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk)"},
	}
	r := redactor()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := r.String(c.text); got != c.text {
				t.Errorf("got %q from %q", got, c.text)
			}
		})
	}
}

func TestWriterFindsSplitSecrets(t *testing.T) {
	r := redactor()
	var text strings.Builder
	for _, c := range planted() {
		text.WriteString("line before\n" + c.text + "\nand after " + c.name + "\n")
	}
	want := r.String(text.String())
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var out bytes.Buffer
		w := r.Writer(&out)
		for rest := text.String(); rest != ""; {
			n := min(len(rest), 1+rng.IntN(40))
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Fatalf("got %q, want %q", out.String(), want)
		}
	}
}

func TestWriterBoundsItsBuffer(t *testing.T) {
	r := redactor()
	var out bytes.Buffer
	w := r.Writer(&out)
	secret := "ghp_" + body36
	long := strings.Repeat("x y ", 60<<10) + secret + strings.Repeat(" z w", 60<<10)
	for i := 0; i < len(long); i += 1000 {
		_, _ = w.Write([]byte(long[i:min(len(long), i+1000)]))
		if len(w.held) > 4*maxHeld {
			t.Fatalf("holds %d bytes", len(w.held))
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(long, secret, "[REDACTED:github-token]", 1); out.String() != want {
		t.Error("the long line came out changed, or with its secret")
	}
}

func TestValuesOfTheEnvironment(t *testing.T) {
	r := New(Options{
		Environ: []string{
			"A_KEY=/aB3dE/fGh1jK+lMn2", "B_KEY=/home/joe/keys/id", "C_TOKEN=12345678", "D_SECRET=two\nlines", "E_SECRET=first line of it\nsecond line of it",
			"F_PASSWORD=p@ss/w0rd&more", "G_KEY=short77", "bad", "H_TOKEN=", "I_SECRET=REDACTED",
		},
		Extra: []string{"an extra value"},
	})
	for text, want := range map[string]string{
		"base64 that begins with a slash: /aB3dE/fGh1jK+lMn2": "base64 that begins with a slash: [REDACTED:A_KEY]",
		"a path: /home/joe/keys/id":                           "a path: /home/joe/keys/id",
		"a small number: 12345678":                            "a small number: 12345678",
		"each long line: x second line of it":                 "each long line: x [REDACTED:E_SECRET]",
		"in a query: ?p=p%40ss%2Fw0rd%26more":                 "in a query: ?p=[REDACTED:F_PASSWORD]",
		"too short: short77":                                  "too short: short77",
		"REDACTED itself":                                     "REDACTED itself",
		"extra: an extra value!":                              "extra: [REDACTED:value]!",
		"another case: AN EXTRA VALUE":                        "another case: AN EXTRA VALUE",
	} {
		if got := r.String(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestLogsAreRedacted(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{ReplaceAttr: redactor().ReplaceAttr}))
	log.Info("sent ghp_"+body36, "url", "https://a:s3cr3t99@h/", "err", errString("bad sk-ant-"+body36), "api_key", "q9W8e7R6t5Y4u3")
	for _, secret := range []string{body36, "s3cr3t99", "q9W8e7R6t5Y4u3"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("the log holds %q: %s", secret, out.String())
		}
	}
}

type errString string

func (e errString) Error() string { return string(e) }

func TestSecretNames(t *testing.T) {
	for name, want := range map[string]bool{
		"OPENAI_API_KEY": true, "GH_TOKEN": true, "DB_PASSWORD": true, "PGPASSWORD": true, "AWS_SECRET_ACCESS_KEY": true, "DATABASE_URL": true,
		"PATH": false, "HOME": false, "SSH_AUTH_SOCK": false, "KEYBOARD_LAYOUT": false, "KEYCLOAK_URL": false, "KEYCLOAK_CLIENT_SECRET": true, "PWD": false, "OLDPWD": false, "MYSQL_PWD": true, "APIKEY": true, "mykey": true, "KEYCHAIN_PATH": false, "TOKEN_FILE": false, "SSH_PUBLIC_KEY": false,
	} {
		if got := secretName(name); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func FuzzString(f *testing.F) {
	for _, c := range planted() {
		f.Add(c.text)
	}
	f.Add("[REDACTED:password]=abcdefgh12345678XY")
	f.Add(strings.Repeat("=", 70) + "\nFAIL: test_words\n") // as unittest prints it
	r := redactor()
	f.Fuzz(func(t *testing.T, s string) {
		once := r.String(s)
		if twice := r.String(once); twice != once {
			t.Errorf("redacting twice: %q, then %q", once, twice)
		}
	})
}

func FuzzWriter(f *testing.F) {
	f.Add("some text\n", uint16(3), uint64(7))
	f.Add(strings.Repeat("=", 70)+"\n", uint16(3), uint64(7))
	r := redactor()
	secrets := planted()
	f.Fuzz(func(t *testing.T, around string, which uint16, seed uint64) {
		c := secrets[int(which)%len(secrets)]
		text := around + "\n" + c.text + "\n" + around
		if strings.Contains(around, c.secret) {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		var out bytes.Buffer
		w := r.Writer(&out)
		for rest := []byte(text); len(rest) > 0; {
			n := min(len(rest), 1+rng.IntN(60))
			_, _ = w.Write(rest[:n])
			rest = rest[n:]
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), c.secret) {
			t.Errorf("%s came through: %q", c.name, out.String())
		}
	})
}

func BenchmarkCleanText(b *testing.B) {
	text := strings.Repeat(`func (p *parser) next() (token, error) { // the key of the map is a secret handshake
	if p.pos >= len(p.src) { return token{kind: eof}, nil }
	want := "3f786850e387550fdab836ed7e6dc881de23001b" // https://example.org/a/b?c=d
`, 5000)
	r := redactor()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.String(text)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		New(Options{Environ: []string{"MY_TOKEN=" + body36, "OTHER_KEY=" + hex32}})
	}
}

func TestLearnedSecretsAreShared(t *testing.T) {
	r := New(Options{Environ: []string{"API_KEY=abcdefgh12345678"}})
	const text = "login quietriver42 with abcdefgh12345678"
	if got := r.String(text); !strings.Contains(got, "quietriver42") {
		t.Fatalf("redacted too early: %s", got)
	}
	r.Learn("quietriver42")
	if got := r.String(text); strings.Contains(got, "quietriver42") || strings.Contains(got, "abcdefgh12345678") {
		t.Errorf("got %s", got)
	}
}
