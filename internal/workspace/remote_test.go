package workspace

import (
	"errors"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/testkit"
)

// gitServer serves the repositories below dir through git's own http-backend
// to who knows the token.
func gitServer(t *testing.T, dir, token string) (url string, denied *atomic.Int32) {
	t.Helper()
	backend := filepath.Join(testkit.Git(t, dir, "--exec-path"), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("this git has no http-backend")
	}
	denied = &atomic.Int32{}
	handler := &cgi.Handler{Path: backend, Root: "/", Env: []string{
		"GIT_PROJECT_ROOT=" + dir, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=someone",
	}}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if user, password, _ := req.BasicAuth(); user != "x-access-token" || password != token {
			denied.Add(1)
			w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, req)
	}))
	t.Cleanup(srv.Close)
	return srv.URL, denied
}

func TestTokenIsUsedWithoutCredentials(t *testing.T) {
	testkit.Hermetic(t)
	dir, bare := withRemote(t)
	testkit.Git(t, bare, "config", "http.receivepack", "true")
	url, denied := gitServer(t, filepath.Dir(bare), "s3cret-token")
	testkit.Git(t, dir, "remote", "set-url", "origin", url+"/remote.git")
	// Who listens at git's trace sees its arguments, but not the token.
	trace := filepath.Join(t.TempDir(), "trace")
	t.Setenv("GIT_TRACE", trace)
	t.Setenv("GIT_TRACE_REDACT", "0")
	r := open(t, dir)
	ctx := t.Context()

	err := r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x"})
	if !errors.Is(err, git.ErrAuth) || fault.HintOf(err) == "" {
		t.Errorf("without a token: got %v, want access denied", err)
	}
	err = r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x", Token: "wrong"})
	if !errors.Is(err, git.ErrAuth) {
		t.Errorf("with a wrong token: got %v, want access denied", err)
	}
	must(t, r.Remote.Push(ctx, remote.PushOptions{Remote: "origin", Local: "HEAD", Branch: "booty/x", Token: "s3cret-token"}))
	must(t, r.Remote.Fetch(ctx, remote.FetchOptions{Remote: "origin", Refspecs: []string{"+refs/heads/*:refs/remotes/origin/*"}, Token: "s3cret-token"}))
	if got, err := r.Remote.Branch(ctx, "origin", "booty/x", "s3cret-token"); err != nil || got != testkit.Git(t, bare, "rev-parse", "booty/x") {
		t.Errorf("got %q, %v", got, err)
	}
	if denied.Load() == 0 {
		t.Error("the server never asked for credentials")
	}
	data, err := os.ReadFile(trace)
	must(t, err)
	if strings.Contains(string(data), "s3cret-token") {
		t.Error("the token stands in the arguments of a process")
	}
	if config := testkit.Git(t, dir, "config", "--list"); strings.Contains(config, "s3cret") {
		t.Error("the token was written to the configuration")
	}
}

func TestSSHNeverAsks(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, nil)
	cases := []struct{ name, env, config, want string }{
		{"by default", "", "", "GIT_SSH_COMMAND=ssh -o BatchMode=yes"},
		{"with the user's setting", "", "ssh -i key", "GIT_SSH_COMMAND=ssh -i key -o BatchMode=yes"},
		{"with the user's environment", "ssh -v", "ssh -i key", "GIT_SSH_COMMAND=ssh -v -o BatchMode=yes"},
		{"with another program", "plink -batch", "", "GIT_SSH_COMMAND=plink -batch"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.env != "" {
				t.Setenv("GIT_SSH_COMMAND", c.env)
			}
			if c.config != "" {
				testkit.Git(t, dir, "config", "core.sshCommand", c.config)
			} else {
				testkit.Git(t, dir, "config", "core.sshCommand", "")
			}
			r := open(t, dir)
			if got := git.SSHEnv(r.at.Git.Env, r.obeys.settings); len(got) != 1 || got[0] != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestOthersCommitsAreSeen(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "1\n"})
	r := open(t, dir)
	base := testkit.Git(t, dir, "rev-parse", "HEAD")
	put(t, dir, "a", "2\n")
	_, err := commitHere(t, r, commit.Options{Message: "fix", Paths: []string{"a"}, Trailers: []string{"Booty-Run: r1"}})
	must(t, err)
	if others, err := r.History.OthersOn(t.Context(), base, "HEAD", "Booty-Run"); err != nil || len(others) != 0 {
		t.Errorf("got %v, %v for booty's own commit", others, err)
	}
	testkit.Git(t, dir, "commit", "-q", "--allow-empty", "--author", "Ann <ann@example.com>", "-m", "by hand")
	if others, err := r.History.OthersOn(t.Context(), base, "HEAD", "Booty-Run"); err != nil || len(others) != 1 || others[0] != "Ann <ann@example.com>" {
		t.Errorf("got %v, %v, want Ann", others, err)
	}
}
