package testkit

import (
	"net/http"
	"net/http/cgi"
	"os/exec"
	"path/filepath"
	"strings"
)

// git answers below /OWNER/NAME.git as GitHub does over https: with git's own
// program, for whoever gives the token as the password.
func (g *GitHub) git(w http.ResponseWriter, r *http.Request) {
	user, password, ok := r.BasicAuth()
	g.mu.Lock()
	dir, token := g.state.Dir, g.state.Token
	if ok && password == token && !has(g.state.GitUsers, user) {
		g.state.GitUsers = append(g.state.GitUsers, user)
	}
	g.mu.Unlock()
	if !ok || password != token {
		w.Header().Set("WWW-Authenticate", `Basic realm="GitHub"`)
		http.Error(w, "Authentication failed", http.StatusUnauthorized)
		return
	}
	out, err := exec.CommandContext(r.Context(), "git", "--exec-path").Output()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_, rest, _ := strings.Cut(r.URL.Path, ".git")
	r.URL.Path = "/" + filepath.Base(dir) + rest
	h := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(out)), "git-http-backend"),
		Env:  []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=" + user, "GIT_CONFIG_NOSYSTEM=1"},
	}
	h.ServeHTTP(w, r)
}
