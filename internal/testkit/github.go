package testkit

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// GitHub answers like GitHub's REST and GraphQL APIs for one repository, with
// the state that pull requests and comments have. The branches are those of a
// real bare repository. What it does not know it notes as unexpected, and the
// test that uses it fails.
//
// See https://docs.github.com/rest and https://docs.github.com/graphql.
type GitHub struct {
	*httptest.Server
	// files is another host, where logs and artifacts are kept.
	files *httptest.Server

	mu    sync.Mutex
	state GitHubState
	// requests are all that were made, in order; unexpected what has no answer.
	requests   []GitHubRequest
	unexpected []string
	faults     []GitHubFault
	clock      time.Time
}

// GitHubState is what the server holds. It can be given and looked at as JSON.
type GitHubState struct {
	Owner, Name   string
	DefaultBranch string
	// Host is that of the addresses that people see; WasNamed is an earlier owner/name.
	Host, WasNamed string
	// Dir is the bare repository, ForkDir where a fork of it lies or will lie.
	Dir, ForkDir string
	// Login is who the token belongs to, Token the only one that is known.
	Login, Token string
	// CanPush, where false, is a login without write access.
	CanPush   bool
	Archived  bool
	NoDrafts  bool
	AutoMerge bool
	// Deaf means that permissions may not be asked for.
	Deaf bool
	// NoPulls means that the token lacks the right to open pull requests.
	NoPulls bool
	// Clean means that nothing is left to wait for before a merge.
	Clean bool
	// ChecksPass means that what is to be merged by itself is merged soon after.
	ChecksPass bool
	// PageSize bounds a page of any listing.
	PageSize int

	// Rules are those of branches, as GitHub gives them.
	Rules     map[string][]json.RawMessage
	Writers   []string
	Labels    []string
	Protected []string
	Issues    []*GitHubIssue
	Pulls     []*GitHubPull
	// Forked says that the fork is there; ForkDelay is how often it is asked for
	// in vain before.
	Forked    bool
	ForkDelay int
	// GitUsers are the names under which git came in over HTTP.
	GitUsers []string
	next     int64
}

// GitHubIssue is an issue or the issue side of a pull request.
type GitHubIssue struct {
	Number             int
	Title, Body        string
	State, StateReason string
	Author             string
	Labels             []string
	Comments           []*GitHubComment
	PullRequest        bool
	Locked             bool
	// Moved is the address that it was transferred to, Discussion that of the discussion
	// that it became.
	Moved, Discussion string
	// Solvers are pull requests that close it.
	Solvers []GitHubSolver
}

// GitHubSolver is a pull request linked with an issue.
type GitHubSolver struct {
	Number int
	State  string
	Author string
}

// GitHubComment is a comment.
type GitHubComment struct {
	ID          int64
	Author      string
	Body        string
	Association string
	Bot         bool
	Edits       int
	// At is when it was last written, zero for always.
	At time.Time
}

// GitHubPull is a pull request.
type GitHubPull struct {
	Number      int
	Title, Body string
	State       string
	Draft       bool
	Merged      bool
	MergedAt    time.Time
	AutoMerge   bool
	Author      string
	// Editable says that maintainers may push to the fork it comes from.
	Editable bool
	Queued   bool
	// Updated is when it last changed, zero for long ago.
	Updated time.Time
	Checks  []*GitHubCheck
	Threads []*GitHubThread
	Reviews []*GitHubReview
	// HeadOwner is the repository's owner or that of a fork.
	Head, HeadOwner string
	Base            string
	Labels          []string
	Reviewers       []string
	// Log is what happened to it, such as "draft" and "ready".
	Log []string
}

// GitHubRequest is one request as it came.
type GitHubRequest struct {
	Method, Path, Query string
	Body                json.RawMessage
}

// GitHubFault is an answer to be given instead of the right one.
type GitHubFault struct {
	// Method and Path (without the leading slash, a prefix where it ends in *)
	// say which request is meant, Times how many of them; 0 is 1.
	Method, Path string
	Times        int
	Status       int
	Header       map[string]string
	Body         string
	// Late makes the fault after the request was carried out, as a broken line does.
	Late bool
}

// NewGitHub starts a server; Close ends it.
func NewGitHub(state GitHubState) *GitHub {
	g := &GitHub{state: state, clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	if g.state.DefaultBranch == "" {
		g.state.DefaultBranch = "main"
	}
	if g.state.PageSize == 0 {
		g.state.PageSize = 100
	}
	g.state.next = 1000
	for _, i := range g.state.Issues {
		if i.State == "" {
			i.State = "open"
		}
		for _, c := range i.Comments {
			if c.ID == 0 {
				c.ID = g.id()
			}
		}
	}
	for _, p := range g.state.Pulls {
		if p.State == "" {
			p.State = "open"
		}
		for _, t := range p.Threads {
			for _, c := range t.Comments {
				c.ID = g.id()
			}
		}
		if p.HeadOwner == "" {
			p.HeadOwner = g.state.Owner
		}
	}
	g.files = httptest.NewServer(http.HandlerFunc(g.file))
	g.Server = httptest.NewServer(http.HandlerFunc(g.serve))
	return g
}

// Close ends the servers.
func (g *GitHub) Close() {
	g.Server.Close()
	g.files.Close()
}

// Fault adds an answer to be given instead.
func (g *GitHub) Fault(f GitHubFault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f.Times == 0 {
		f.Times = 1
	}
	g.faults = append(g.faults, f)
}

// Change changes the state.
func (g *GitHub) Change(f func(*GitHubState)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.state)
}

// Requests gives all requests so far.
func (g *GitHub) Requests() []GitHubRequest {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]GitHubRequest(nil), g.requests...)
}

// Unexpected gives the requests that had no answer.
func (g *GitHub) Unexpected() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]string(nil), g.unexpected...)
}

// Dump gives the state as people read it: issues and pull requests with all texts.
func (g *GitHub) Dump() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var b strings.Builder
	for _, i := range g.state.Issues {
		fmt.Fprintf(&b, "issue #%d %s %q labels=%s comments=%d\n", i.Number, i.State, i.Title,
			strings.Join(i.Labels, ","), len(i.Comments))
		for _, c := range i.Comments {
			fmt.Fprintf(&b, "comment on #%d by %s edits=%d\n%s\n", i.Number, c.Author, c.Edits, c.Body)
		}
	}
	for _, p := range g.state.Pulls {
		for _, t := range p.Threads {
			for _, c := range t.Comments {
				fmt.Fprintf(&b, "thread on #%d at %s:%d by %s\n%s\n", p.Number, t.Path, t.Line, c.Author,
					c.Body)
			}
		}
		fmt.Fprintf(&b, "pull #%d %s draft=%v merged=%v automerge=%v %s:%s -> %s labels=%s reviewers=%s log=%s\ntitle: %s\n%s\n", p.Number, p.State, p.Draft,
			p.Merged, p.AutoMerge, p.HeadOwner, p.Head, p.Base, strings.Join(p.Labels, ","),
			strings.Join(p.Reviewers, ","), strings.Join(p.Log, ","), p.Title, p.Body)
	}
	fmt.Fprintf(&b, "labels of the repository: %s\n", strings.Join(g.state.Labels, ","))
	if len(g.state.GitUsers) > 0 {
		fmt.Fprintf(&b, "git users: %s\n", strings.Join(g.state.GitUsers, ","))
	}
	return b.String()
}

func (g *GitHub) id() int64 { g.state.next++; return g.state.next }

// serve answers one request after the other.
func (g *GitHub) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/"+g.state.Owner+"/"+g.state.Name+".git/") {
		g.git(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	defer g.mu.Unlock()
	path := strings.TrimPrefix(r.URL.EscapedPath(), "/")
	g.requests = append(g.requests, GitHubRequest{r.Method, path, r.URL.RawQuery, body})
	if got := r.Header.Get("Authorization"); got != "Bearer "+g.state.Token && got != "token "+g.state.Token {
		answerJSON(w, http.StatusUnauthorized, message("Bad credentials"))
		return
	}
	if r.Header.Get("User-Agent") == "" ||
		(len(body) > 0 && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")) {
		g.unexpected = append(g.unexpected, r.Method+" "+path+" without User-Agent or Content-Type")
	}
	if f := g.fault(r.Method, path); f != nil {
		if f.Late {
			g.route(httptest.NewRecorder(), r, path, body)
		}
		for k, v := range f.Header {
			w.Header().Set(k, v)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
		return
	}
	g.route(w, r, path, body)
}

func (g *GitHub) fault(method, path string) *GitHubFault {
	for i := range g.faults {
		f := &g.faults[i]
		prefix, wild := strings.CutSuffix(f.Path, "*")
		if f.Times > 0 && (f.Method == "" || f.Method == method) &&
			(f.Path == path || wild && strings.HasPrefix(path, prefix)) {
			f.Times--
			return f
		}
	}
	return nil
}

func (g *GitHub) route(w http.ResponseWriter, r *http.Request, path string, body []byte) {
	in := map[string]any{}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &in); err != nil {
			answerJSON(w, http.StatusBadRequest, message("Problems parsing JSON"))
			return
		}
	}
	s := &g.state
	if path == "graphql" {
		g.graphql(w, in)
		return
	}
	if rest, ok := strings.CutPrefix(path, "repos/"+s.Login+"/"+s.Name); ok && s.Login != s.Owner &&
		rest == "" {
		g.serveFork(w)
		return
	}
	if s.WasNamed != "" {
		path = strings.Replace(path, "repos/"+s.WasNamed, "repos/"+s.Owner+"/"+s.Name, 1)
	}
	rest, ok := strings.CutPrefix(path, "repos/"+s.Owner+"/"+s.Name)
	if !ok {
		if strings.HasPrefix(path, "repos/") && r.Method == http.MethodGet {
			notFound(w)
			return
		}
		g.surprise(w, r, path)
		return
	}
	parts := strings.Split(strings.Trim(rest, "/"), "/")
	g.settleMerges()
	key := r.Method + " " + parts[0]
	switch {
	case key == "GET " && rest == "":
		answerJSON(w, http.StatusOK, g.repositoryJSON())
	case key == "GET branches" && len(parts) == 2:
		g.branch(w, unescape(parts[1]))
	case parts[0] == "issues":
		g.issues(w, r, parts[1:], in)
	case parts[0] == "pulls":
		g.pulls(w, r, parts[1:], in)
	case parts[0] == "labels":
		g.labels(w, r, parts[1:], in)
	case key == "GET collaborators" && len(parts) == 3 && parts[2] == "permission":
		g.permission(w, unescape(parts[1]))
	case key == "GET rules" && len(parts) == 3:
		page(g, w, r, s.Rules[unescape(parts[2])])
	case key == "GET commits" && len(parts) == 3:
		g.checks(w, r, parts[1], parts[2])
	case key == "GET actions":
		g.actions(w, r, parts[1:])
	case key == "POST forks":
		g.makeFork(w)
	case r.Method == http.MethodDelete && strings.HasPrefix(rest, "/git/refs/heads/"):
		g.deleteBranch(w, unescape(strings.TrimPrefix(rest, "/git/refs/heads/")))
	default:
		g.surprise(w, r, path)
	}
}

func (g *GitHub) surprise(w http.ResponseWriter, r *http.Request, path string) {
	g.unexpected = append(g.unexpected, r.Method+" "+path)
	answerJSON(w, http.StatusTeapot, message("this server does not know the request"))
}

func (g *GitHub) repositoryJSON() map[string]any {
	s := g.state
	return map[string]any{
		"id": 4711, "name": s.Name, "full_name": s.Owner + "/" + s.Name, "owner": map[string]any{"login": s.Owner}, "default_branch": s.DefaultBranch,
		"archived": s.Archived, "private": false, "clone_url": s.Dir, "ssh_url": s.Dir, "allow_auto_merge": s.AutoMerge,
		"permissions": map[string]bool{"pull": true, "push": s.CanPush, "admin": false, "maintain": false, "triage": s.CanPush},
	}
}

func (g *GitHub) serveFork(w http.ResponseWriter) {
	s := &g.state
	if !s.Forked || s.ForkDelay > 0 {
		s.ForkDelay--
		notFound(w)
		return
	}
	answerJSON(w, http.StatusOK, map[string]any{
		"name": s.Name, "full_name": s.Login + "/" + s.Name, "owner": map[string]any{"login": s.Login}, "default_branch": s.DefaultBranch,
		"clone_url": s.ForkDir, "ssh_url": s.ForkDir, "permissions": map[string]bool{"pull": true, "push": true},
	})
}

func (g *GitHub) makeFork(w http.ResponseWriter) {
	s := &g.state
	if !s.Forked {
		if out, err := exec.Command("git", "clone", "-q", "--bare", s.Dir, s.ForkDir).CombinedOutput(); err != nil { //nolint:noctx // a local copy
			g.unexpected = append(g.unexpected, "fork: "+string(out))
		}
		s.Forked = true
	}
	answerJSON(w, http.StatusAccepted, map[string]any{
		"name": s.Name, "full_name": s.Login + "/" + s.Name, "owner": map[string]any{"login": s.Login}, "default_branch": s.DefaultBranch,
		"clone_url": s.ForkDir, "ssh_url": s.ForkDir, "permissions": map[string]bool{"pull": true, "push": true},
	})
}

// tip gives a branch's commit.
func (g *GitHub) tip(owner, branch string) string {
	dir := g.state.Dir
	if owner != "" && !strings.EqualFold(owner, g.state.Owner) {
		dir = g.state.ForkDir
	}
	return refIn(dir, "refs/heads/"+branch)
}

// refIn gives where a reference of a bare repository points, or nothing. It starts no
// program: each answer has some.
func refIn(dir, name string) string {
	ref, err := dotgit.New(osfs.New(dir)).Ref(plumbing.ReferenceName(name))
	if err != nil {
		return ""
	}
	return ref.Hash().String()
}

func (g *GitHub) branch(w http.ResponseWriter, name string) {
	tip := g.tip("", name)
	if tip == "" {
		answerJSON(w, http.StatusNotFound, message("Branch not found"))
		return
	}
	answerJSON(w, http.StatusOK,
		map[string]any{"name": name, "protected": has(g.state.Protected, name),
			"commit": map[string]any{"sha": tip}})
}

func (g *GitHub) permission(w http.ResponseWriter, who string) {
	s := g.state
	if s.Deaf {
		answerJSON(w, http.StatusForbidden, message("Must have push access to view collaborator permission."))
		return
	}
	p := "read"
	if has(s.Writers, who) {
		p = "write"
	}
	answerJSON(w, http.StatusOK,
		map[string]any{"permission": p, "role_name": p, "user": map[string]any{"login": who}})
}

// page writes one page of a listing, with its Link header.
func page[T any](g *GitHub, w http.ResponseWriter, r *http.Request, all []T) {
	q := r.URL.Query()
	n, _ := strconv.Atoi(q.Get("page"))
	n = max(n, 1)
	size, _ := strconv.Atoi(q.Get("per_page"))
	if size == 0 {
		size = 30
	}
	size = min(size, g.state.PageSize)
	from := min((n-1)*size, len(all))
	to := min(from+size, len(all))
	if to < len(all) {
		var links []string
		for rel, to := range map[string]int{"next": n + 1, "last": (len(all) + size - 1) / size} {
			q.Set("page", strconv.Itoa(to))
			links = append(links,
				fmt.Sprintf(`<%s%s?%s>; rel="%s"`, g.URL, r.URL.EscapedPath(), q.Encode(), rel))
		}
		w.Header().Set("Link", strings.Join(links, ", "))
	}
	out := all[from:to]
	if out == nil {
		out = []T{}
	}
	answerJSON(w, http.StatusOK, out)
}

func has(list []string, s string) bool {
	for _, v := range list {
		if strings.EqualFold(v, s) {
			return true
		}
	}
	return false
}

func message(s string) map[string]any {
	return map[string]any{"message": s, "documentation_url": "https://docs.github.com/rest"}
}

func notFound(w http.ResponseWriter) { answerJSON(w, http.StatusNotFound, message("Not Found")) }

func answerJSON(w http.ResponseWriter, status int, v any) {
	data, err := json.Marshal(v)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"message":"the test server failed"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-RateLimit-Remaining", "4999")
	w.WriteHeader(status)
	_, _ = w.Write(data)
}
