package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/fault"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestNeedsConsent(t *testing.T) {
	cases := []struct {
		name string
		in   layers
		want []string // keys
	}{
		{"nothing but commands of the repository", layers{project: "setup_command: a\ngates: [{name: b, command: c}]\n"}, nil},
		{"an address", layers{project: "model: {base_url: 'http://evil/v1'}\n"}, []string{"model.base_url"}},
		{"a command and its provider", layers{project: "model: {provider: exec, command: [sh, -c, x]}\n"}, []string{"model.provider", "model.command"}},
		{"an agent", layers{project: "model: {provider: agent, name: claude}\n"}, []string{"model.provider"}},
		{"another secret's variable", layers{project: "model: {api_key_env: AWS_SECRET_ACCESS_KEY}\n"}, []string{"model.api_key_env"}},
		{"the provider's own variable", layers{project: "model: {provider: anthropic, api_key_env: ANTHROPIC_API_KEY}\n"}, nil},
		{"another provider's variable", layers{project: "model: {provider: anthropic, api_key_env: OPENAI_API_KEY}\n"}, []string{"model.api_key_env"}},
		{"a role", layers{project: "model: {roles: {review: {provider: exec, command: [x], base_url: 'http://e/v1', api_key_env: K}}}\n"},
			[]string{"model.roles.review.provider", "model.roles.review.base_url", "model.roles.review.api_key_env", "model.roles.review.command"}},
		{"a name and a price alone", layers{project: "model: {provider: openai, name: x, prices: {input: 1}}\n"}, nil},
		{"a flag decides", layers{project: "model: {base_url: 'http://evil/v1'}\n", args: []string{"--base-url=http://mine/v1"}}, nil},
		{"the environment decides", layers{project: "model: {base_url: 'http://evil/v1'}\n", env: map[string]string{"OPENAI_BASE_URL": "http://mine/v1"}}, nil},
		{"the user's file says the same", layers{project: "model: {base_url: 'http://ours/v1'}\n", user: "model: {base_url: 'http://ours/v1'}\n"}, nil},
		{"the user's file says otherwise", layers{project: "model: {base_url: 'http://evil/v1'}\n", user: "model: {base_url: 'http://ours/v1'}\n"}, []string{"model.base_url"}},
		{"the user's own address", layers{user: "model: {base_url: 'http://ours/v1', api_key_env: K, command: [x]}\n"}, nil},
		{"the user's named key is sent to another provider", layers{project: "model: {provider: openrouter}\n", user: "model: {api_key_env: WORK_KEY}\n"}, []string{"model.provider"}},
		{"but not where the user named the address too", layers{project: "model: {provider: custom}\n", user: "model: {api_key_env: WORK_KEY, base_url: 'http://ours/v1'}\n"}, nil},
		{"no sandbox", layers{project: "sandbox: {mode: 'off'}\n"}, []string{"sandbox.mode"}},
		{"no sandbox, as the user has it", layers{project: "sandbox: {mode: 'off'}\n", user: "sandbox: {mode: 'off'}\n"}, nil},
		{"no sandbox, against the user's word", layers{project: "sandbox: {mode: 'off'}\n", user: "sandbox: {mode: auto}\n"}, nil},
		{"a stricter sandbox", layers{project: "sandbox: {mode: require, network: false}\n"}, nil},
		{"an agent's socket", layers{project: "sandbox: {env: [SSH_AUTH_SOCK]}\n"}, []string{"sandbox.env"}},
		{"an agent's socket that the user lets through", layers{project: "sandbox: {env: [SSH_AUTH_SOCK]}\n", user: "sandbox: {env: [SSH_AUTH_SOCK]}\n"}, nil},
		{"a place in the tree", layers{project: "sandbox: {write: [build, ./out/x, .github]}\n"}, nil},
		{"places outside", layers{project: "sandbox: {write: [/etc]}\n"}, []string{"sandbox.write"}},
		{"places to read", layers{project: "sandbox: {read: ['~/.foo', data]}\n"}, []string{"sandbox.read"}},
		{"a place to read that the user names too", layers{project: "sandbox: {read: ['~/.foo']}\n", user: "sandbox: {read: ['~/.foo']}\n"}, nil},
		{"the home", layers{project: "sandbox: {write: ['~/.cache/x']}\n"}, []string{"sandbox.write"}},
		{"the parent", layers{project: "sandbox: {write: ['build/../../x']}\n"}, []string{"sandbox.write"}},
		{"the git directory", layers{project: "sandbox: {write: [build, .git/hooks]}\n"}, []string{"sandbox.write"}},
		{"a place that the user names too", layers{project: "sandbox: {write: [/srv/x]}\n", user: "sandbox: {write: [/srv/x]}\n"}, nil},
		{"a file through its old keys and anchors", layers{project: "model:\n  roles:\n    quality: &q {base_url: 'http://evil/v1'}\n    review: *q\n"}, []string{"model.roles.quality.base_url", "model.roles.review.base_url"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.in.project += "test_command: x\n"
			l := c.in.mustLoad(t)
			var got []string
			for _, i := range l.NeedsConsent() {
				got = append(got, i.Key)
				if i.Value == "" || i.File != ".booty.yml" || i.Line == 0 {
					t.Errorf("got %+v, want value, file and line", i)
				}
			}
			if diff := cmp.Diff(got, c.want); diff != "" {
				t.Errorf("(- got, + want)\n%s", diff)
			}
		})
	}
}

func TestConsentIsForExactValuesAndRepository(t *testing.T) {
	store := ConsentStore{Path: filepath.Join(t.TempDir(), "state", "booty", "consent.json")}
	root, other := t.TempDir(), t.TempDir()
	load := func(root, model string) *Loaded {
		t.Helper()
		write(t, filepath.Join(root, ".booty.yml"), "test_command: x\nmodel: "+model+"\n")
		l, err := Load(LoadOptions{Root: root, UserFile: filepath.Join(root, "none"), Getenv: func(string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	want := func(l *Loaded, agreed bool, why string) {
		t.Helper()
		if got, err := l.Agreed(store); err != nil || got != agreed {
			t.Errorf("%s: got agreed %v, %v; want %v", why, got, err, agreed)
		}
	}
	l := load(root, "{base_url: 'http://a/v1', api_key_env: K}")
	want(l, false, "before")
	wantKind(t, l.RequireConsent(store), fault.Refused)
	if err := l.RequireConsent(store); !strings.Contains(err.Error(), "model.base_url: http://a/v1 (.booty.yml:2)") || !strings.Contains(fault.HintOf(err), "--yes") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	if err := l.Agree(store, noon); err != nil {
		t.Fatal(err)
	}
	want(l, true, "after")
	if err := l.RequireConsent(store); err != nil {
		t.Error(err)
	}
	want(load(root, "{base_url: 'http://b/v1', api_key_env: K}"), false, "another address")
	want(load(root, "{base_url: 'http://a/v1', api_key_env: K2}"), false, "another variable")
	want(load(root, "{base_url: 'http://a/v1', api_key_env: K, provider: exec}"), false, "one more")
	want(load(root, "{base_url: 'http://a/v1'}"), false, "one less")
	want(load(root, "{name: m}"), true, "nothing to agree to")
	want(load(root, "{name: m, base_url: 'http://a/v1', api_key_env: K}"), true, "the same again, something else changed")
	want(load(other, "{base_url: 'http://a/v1', api_key_env: K}"), false, "the same values elsewhere")
}

func TestSplitsACommandIntoWords(t *testing.T) {
	store := ConsentStore{Path: filepath.Join(t.TempDir(), "consent.json")}
	agree := layers{project: "test_command: x\nmodel: {command: ['a b']}\n"}.mustLoad(t)
	if err := store.Agree("/r", agree.NeedsConsent(), noon); err != nil {
		t.Fatal(err)
	}
	changed := layers{project: "test_command: x\nmodel: {command: [a, b]}\n"}.mustLoad(t)
	if ok, err := store.Agreed("/r", changed.NeedsConsent()); ok || err != nil {
		t.Errorf("got %v, %v: [a, b] is not ['a b']", ok, err)
	}
}

func TestConsentFileIsPrivateAndSurvivesDamage(t *testing.T) {
	store := ConsentStore{Path: filepath.Join(t.TempDir(), "booty", "consent.json")}
	items := []ConsentItem{{Key: "model.base_url", Value: "http://a/v1"}}
	if err := store.Agree("/r", items, noon); err != nil {
		t.Fatal(err)
	}
	st, err := os.Stat(store.Path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want 0600", st.Mode().Perm())
	}
	data, err := os.ReadFile(store.Path)
	if err != nil || strings.Contains(string(data), "http://a") {
		t.Errorf("the file holds the value itself: %s, %v", data, err)
	}
	for _, damage := range []string{"", "{", "null", "[]", `{"/r": 3}`} {
		write(t, store.Path, damage)
		if ok, err := store.Agreed("/r", items); ok || err != nil {
			t.Errorf("damaged with %q: got %v, %v; want to be asked again", damage, ok, err)
		}
		if err := store.Agree("/r", items, noon); err != nil {
			t.Errorf("damaged with %q: %v", damage, err)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(store.Path), ".consent-*"))
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}

func TestConsentThroughASymbolicLink(t *testing.T) {
	root := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	store := ConsentStore{Path: filepath.Join(t.TempDir(), "consent.json")}
	items := []ConsentItem{{Key: "k", Value: "v"}}
	if err := store.Agree(link, items, noon); err != nil {
		t.Fatal(err)
	}
	if ok, err := store.Agreed(root, items); !ok || err != nil {
		t.Errorf("got %v, %v: it is the same repository", ok, err)
	}
}

func TestConsentOfManyAtOnceNeverTearsTheFile(t *testing.T) {
	store := ConsentStore{Path: filepath.Join(t.TempDir(), "consent.json")}
	items := []ConsentItem{{Key: "k", Value: "v"}}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 10 {
				if err := store.Agree("/same", items, noon); err != nil {
					t.Error(err)
				}
				if ok, err := store.Agreed("/same", items); !ok || err != nil {
					t.Errorf("got %v, %v", ok, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestWithoutAPlaceNothingIsAgreed(t *testing.T) {
	items := []ConsentItem{{Key: "k", Value: "v"}}
	_, err := ConsentStore{}.Agreed("/r", items)
	wantKind(t, err, fault.Usage)
	if ok, err := (ConsentStore{}).Agreed("/r", nil); !ok || err != nil {
		t.Errorf("nothing needs agreement: got %v, %v", ok, err)
	}
}
