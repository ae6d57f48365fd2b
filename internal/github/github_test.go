package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
)

// rig is a client with a server, and the waits that it made.
type rig struct {
	*Client
	hub   *testkit.GitHub
	waits []time.Duration
	now   time.Time
}

func newRig(t *testing.T, state testkit.GitHubState) *rig {
	t.Helper()
	testkit.Hermetic(t)
	t.Setenv("GH_CONFIG_DIR", t.TempDir())
	state.Owner, state.Name, state.Token = "acme", "app", "secret-token"
	if state.Login == "" {
		state.Login = "robin"
	}
	if state.Dir == "" {
		state.Dir = testkit.Repo(t, map[string]string{"a": "a"}) + "/.git"
	}
	r := &rig{hub: testkit.NewGitHub(state), now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	t.Cleanup(func() {
		r.hub.Close()
		if bad := r.hub.Unexpected(); len(bad) > 0 {
			t.Errorf("unexpected requests: %v", bad)
		}
	})
	c, err := New(Options{
		Repo: Repo{"github.com", "acme", "app"}, Login: Login{"secret-token", "GH_TOKEN"}, Root: r.hub.URL, UserAgent: "booty/test",
		Redact: func(s string) string { return strings.ReplaceAll(s, "hunter2", "[REDACTED]") },
		Now:    func() time.Time { return r.now },
		Wait: func(_ context.Context, d time.Duration) error {
			r.waits = append(r.waits, d)
			r.now = r.now.Add(d)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r.Client = c
	return r
}

func (r *rig) paths(prefix string) int {
	n := 0
	for _, q := range r.hub.Requests() {
		if strings.HasPrefix(q.Method+" "+q.Path, prefix) {
			n++
		}
	}
	return n
}

func neverEnough([]Comment) bool { return false }

// Of a long thread only the pages are read that fill the task: both ends, the last first.
func TestLongThreadIsReadFromBothEnds(t *testing.T) {
	issue := &testkit.GitHubIssue{Number: 1, Title: "t"}
	for i := range 95 {
		who := "kim"
		if i < 12 {
			who = "stranger"
		}
		issue.Comments = append(issue.Comments, &testkit.GitHubComment{Author: who, Body: fmt.Sprint(i)})
	}
	for _, c := range []struct {
		enough, pages, unread int
		kept                  []string // the first and the last of each end
	}{
		{1, 3, 70, []string{"12", "19", "90", "94"}},
		{9, 5, 50, []string{"12", "29", "80", "94"}},
		{1000, 10, 0, []string{"12", "12", "94", "94"}},
	} {
		r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{issue}, Writers: []string{"kim"}, PageSize: 10})
		i, err := r.Issue(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Comments(t.Context(), i, "", func(end []Comment) bool { return len(end) >= c.enough })
		if err != nil {
			t.Fatal(err)
		}
		var said []string
		for _, m := range got.Comments {
			said = append(said, m.Body)
		}
		ends := slices.IndexFunc(said, func(s string) bool { return s == c.kept[2] })
		if got.Unread != c.unread || said[0] != c.kept[0] || said[len(said)-1] != c.kept[3] || ends < 1 ||
			got.Unread > 0 && said[ends-1] != c.kept[1] {
			t.Errorf("%d enough: %d unread, %v", c.enough, got.Unread, said)
		}
		if n := r.paths("GET repos/acme/app/issues/1/comments"); n != c.pages {
			t.Errorf("%d enough: read %d pages, want %d", c.enough, n, c.pages)
		}
	}
}

func TestCommentsOfPeopleWithWriteAccess(t *testing.T) {
	issue := &testkit.GitHubIssue{Number: 1, Title: "t"}
	for i := range 25 {
		who := []string{"kim", "stranger", "lee"}[i%3]
		issue.Comments = append(issue.Comments, &testkit.GitHubComment{Author: who, Association: "MEMBER", Body: fmt.Sprint(i)})
	}
	issue.Comments = append(issue.Comments,
		&testkit.GitHubComment{Author: "bot", Bot: true, Association: "COLLABORATOR", Body: "beep"},
		&testkit.GitHubComment{Author: "robin", Association: "OWNER", Body: "<!-- booty:failure 1 -->"},
		&testkit.GitHubComment{Author: "", Association: "OWNER", Body: "an account that is gone"})
	r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{issue}, Writers: []string{"kim", "lee"}, PageSize: 10})
	i, err := r.Issue(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Comments(t.Context(), i, "<!-- booty:", neverEnough)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Comments) != 17 || got.Others != 10 || got.Unread != 0 {
		t.Errorf("got %d kept, %d left out and %d unread, want 17, 10 and 0", len(got.Comments), got.Others, got.Unread)
	}
	for _, c := range got.Comments {
		if c.Author != "kim" && c.Author != "lee" {
			t.Errorf("kept a comment by %q", c.Author)
		}
	}
	if n := r.paths("GET repos/acme/app/collaborators/"); n != 3 {
		t.Errorf("asked %d times for permissions, want once for each of three authors", n)
	}
	if n := r.paths("GET repos/acme/app/issues/1/comments"); n != 3 {
		t.Errorf("read %d pages, want 3", n)
	}
}

func TestWherePermissionsMayNotBeAskedForTheAssociationCounts(t *testing.T) {
	var comments []*testkit.GitHubComment
	for _, a := range []string{"OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR", "FIRST_TIMER", "NONE"} {
		comments = append(comments, &testkit.GitHubComment{Author: strings.ToLower(a), Association: a, Body: a})
	}
	r := newRig(t, testkit.GitHubState{Deaf: true, Issues: []*testkit.GitHubIssue{{Number: 1, Comments: comments}}})
	i, err := r.Issue(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Comments(t.Context(), i, "", neverEnough)
	if err != nil || len(got.Comments) != 3 || got.Others != 3 {
		t.Errorf("got %d kept, %d left out, %v; want 3 and 3", len(got.Comments), got.Others, err)
	}
	if n := r.paths("GET repos/acme/app/collaborators/"); n != 1 {
		t.Errorf("asked %d times although the first answer was no", n)
	}
}

func TestRetriesDeferredRequests(t *testing.T) {
	reset := func(d time.Duration) map[string]string {
		return map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).Add(d).Unix())}
	}
	for name, c := range map[string]struct {
		fault testkit.GitHubFault
		waits []time.Duration // the least of each
		fails string
	}{
		"a secondary limit says how long": {testkit.GitHubFault{Status: 403, Header: map[string]string{"Retry-After": "7"}}, []time.Duration{7 * time.Second}, ""},
		"a secondary limit without a time": {testkit.GitHubFault{Status: 403, Body: `{"message":"You have exceeded a secondary rate limit."}`},
			[]time.Duration{time.Minute}, ""},
		"too quick for GitHub": {testkit.GitHubFault{Status: 422, Body: `{"message":"Validation Failed","errors":[{"resource":"Issue","code":"abuse","field":"body"}]}`},
			[]time.Duration{time.Minute}, ""},
		"not valid":                            {testkit.GitHubFault{Status: 422, Body: `{"message":"Validation Failed"}`}, nil, "Validation Failed"},
		"too many requests":                    {testkit.GitHubFault{Status: 429}, []time.Duration{time.Minute}, ""},
		"a primary limit that ends soon":       {testkit.GitHubFault{Status: 403, Header: reset(90 * time.Second)}, []time.Duration{91 * time.Second}, ""},
		"a primary limit that ends late":       {testkit.GitHubFault{Status: 403, Header: reset(time.Hour)}, nil, "read issue #1 of acme/app: GitHub's rate limit is used up until 13:00"},
		"two faults of the server":             {testkit.GitHubFault{Status: 502, Times: 2}, []time.Duration{time.Second / 2, time.Second}, ""},
		"a fault of the server that stays":     {testkit.GitHubFault{Status: 503, Times: 9}, []time.Duration{0, 0, 0, 0}, "Service Unavailable"},
		"a plain refusal":                      {testkit.GitHubFault{Status: 403, Body: `{"message":"Resource not accessible"}`}, nil, "GitHub does not allow it"},
		"a secondary limit that ends too late": {testkit.GitHubFault{Status: 429, Header: map[string]string{"Retry-After": "3600"}}, nil, "secondary rate limit holds until 13:00"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{{Number: 1, Title: "found"}}})
			c.fault.Path = "repos/acme/app/issues/1"
			r.hub.Fault(c.fault)
			i, err := r.Issue(t.Context(), 1)
			if c.fails == "" && (err != nil || i.Title != "found") {
				t.Fatalf("got %q, %v", i.Title, err)
			}
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) || fault.KindOf(err) != fault.Git {
					t.Fatalf("got error %v, want one of kind Git with %q", err, c.fails)
				}
			}
			if len(r.waits) != len(c.waits) {
				t.Fatalf("waited %v, want %v", r.waits, c.waits)
			}
			for k := range c.waits {
				if r.waits[k] < c.waits[k] {
					t.Errorf("waited %v, want at least %v", r.waits, c.waits)
				}
			}
		})
	}
}

// What is there once, however often it is asked for, is asked for again.
func TestLabelsAreAskedForAgain(t *testing.T) {
	r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{{Number: 1}}})
	r.hub.Fault(testkit.GitHubFault{Method: "POST", Path: "repos/acme/app/labels", Status: 502, Late: true})
	r.hub.Fault(testkit.GitHubFault{Method: "POST", Path: "repos/acme/app/issues/1/labels", Status: 503, Times: 2})
	if err := r.AddLabels(t.Context(), 1, []string{"booty"}); err != nil {
		t.Fatal(err)
	}
	r.hub.Change(func(s *testkit.GitHubState) {
		if got := s.Issues[0].Labels; !slices.Equal(got, []string{"booty"}) {
			t.Errorf("got %v", got)
		}
	})
}

// Nothing is left to wait for, and the branch takes changes through its queue alone.
func TestAMergeQueueIsGoneThrough(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a": "a"})
	testkit.Git(t, dir, "branch", "work")
	r := newRig(t, testkit.GitHubState{Dir: dir + "/.git", AutoMerge: true, Clean: true,
		Rules: map[string][]json.RawMessage{"main": {json.RawMessage(`{"type":"merge_queue"}`)}},
		Pulls: []*testkit.GitHubPull{{Number: 7, State: "open", Head: "work", HeadOwner: "acme", Base: "main",
			Checks: []*testkit.GitHubCheck{{Name: "a", Conclusion: "failure"}, {Name: "b", Required: true},
				{Name: "c", Conclusion: "failure", Required: true, Status: true}}}}})
	p, err := r.PullRequest(t.Context(), 7)
	if err != nil {
		t.Fatal(err)
	}
	if how, why, err := r.AutoMerge(t.Context(), p, p.Commit); how != Waiting || err != nil {
		t.Errorf("got %s, %s, %v", how, why, err)
	}
	st, err := r.Standing(t.Context(), 7)
	if want := (Standing{Queued: true, Failed: []string{"c"}, Running: 1}); err != nil || !reflect.DeepEqual(st, want) {
		t.Errorf("got %+v, %v, want %+v", st, err, want)
	}
}

func TestWithPatienceAnOutageOfGitHubIsWaitedFor(t *testing.T) {
	for name, c := range map[string]struct {
		fault testkit.GitHubFault
		want  time.Duration
		fails bool
	}{
		"a fault of the server that ends":  {testkit.GitHubFault{Status: 503, Times: 7}, 10 * time.Minute, false},
		"a fault of the server that stays": {testkit.GitHubFault{Status: 503, Times: 99}, 10 * time.Minute, true},
		"a limit that ends late":           {testkit.GitHubFault{Status: 429, Header: map[string]string{"Retry-After": "3000"}}, 50 * time.Minute, false},
		"a limit that ends much too late":  {testkit.GitHubFault{Status: 429, Header: map[string]string{"Retry-After": "30000"}}, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{{Number: 1, Title: "found"}}})
			var told []time.Duration
			o := r.o
			o.Patience, o.OnWait = []time.Duration{10 * time.Minute}, func(_ string, wait time.Duration) { told = append(told, wait) }
			patient, err := New(o)
			if err != nil {
				t.Fatal(err)
			}
			c.fault.Path = "repos/acme/app/issues/1"
			r.hub.Fault(c.fault)
			_, err = patient.Issue(t.Context(), 1)
			if (err != nil) != c.fails || c.want == 0 && len(told) > 0 || c.want > 0 && (len(told) != 1 || told[0] != c.want) {
				t.Errorf("told %v, want %v (%v)", told, c.want, err)
			}
			if err != nil && fault.KindOf(err) != fault.Git {
				t.Errorf("kind %v of %v", fault.KindOf(err), err)
			}
		})
	}
}

func TestALimitOfTheGraphQLAPI(t *testing.T) {
	r := newRig(t, testkit.GitHubState{})
	r.hub.Fault(testkit.GitHubFault{Path: "graphql", Status: 200, Body: `{"errors":[{"type":"RATE_LIMITED","message":"API rate limit exceeded"}]}`,
		Header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": fmt.Sprint(r.now.Add(30 * time.Second).Unix())}})
	me, err := r.Me(t.Context())
	if err != nil || me != "robin" || len(r.waits) != 1 {
		t.Errorf("got %q, %v after waits %v", me, err, r.waits)
	}
}

func TestNothingIsCreatedTwice(t *testing.T) {
	for _, late := range []bool{true, false} {
		r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{{Number: 1}}})
		r.hub.Fault(testkit.GitHubFault{Method: "POST", Path: "repos/acme/app/issues/1/comments", Status: 502, Late: late})
		if err := r.PutComment(t.Context(), 1, "MARK", "MARK hello"); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(r.hub.Dump(), "MARK hello"); n != 1 {
			t.Errorf("with late=%v there are %d comments, want 1", late, n)
		}
	}
}

func TestTheOneCommentIsKeptUpToDate(t *testing.T) {
	r := newRig(t, testkit.GitHubState{Issues: []*testkit.GitHubIssue{{Number: 1, Comments: []*testkit.GitHubComment{
		{Author: "mallory", Body: "MARK this is not yours"},
	}}}})
	for _, body := range []string{"MARK one hunter2", "MARK two", "MARK two"} {
		if err := r.PutComment(t.Context(), 1, "MARK", body); err != nil {
			t.Fatal(err)
		}
	}
	got := r.hub.Dump()
	if !strings.Contains(got, "comments=2") || !strings.Contains(got, "by robin edits=1\nMARK two") || !strings.Contains(got, "MARK this is not yours") {
		t.Errorf("got %s", got)
	}
	for _, q := range r.hub.Requests() {
		if strings.Contains(string(q.Body), "hunter2") {
			t.Errorf("a secret was posted: %s", q.Body)
		}
	}
	c, err := r.FindComment(t.Context(), 1, "MARK")
	if err != nil || c == nil {
		t.Fatalf("got %v, %v", c, err)
	}
	if err := r.DeleteComment(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	if err := r.DeleteComment(t.Context(), c.ID); err != nil {
		t.Errorf("a comment that is gone already: %v", err)
	}
}

func TestAnUnchangedAnswerComesFromMemory(t *testing.T) {
	asked, sent := 0, 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		asked++
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Type", "application/json")
		if q.Header.Get("If-None-Match") == `"v1"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		_, _ = io.WriteString(w, `{"number":5,"title":"kept"}`)
	}))
	defer s.Close()
	c, err := New(Options{Repo: Repo{"github.com", "a", "b"}, Login: Login{"t", "x"}, Root: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		i, err := c.Issue(t.Context(), 5)
		if err != nil || i.Title != "kept" {
			t.Fatalf("got %q, %v", i.Title, err)
		}
	}
	if asked != 3 || sent != 1 {
		t.Errorf("asked %d times, sent %d times; want 3 and 1", asked, sent)
	}
}

func TestTheTokenGoesToTheRootAlone(t *testing.T) {
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		elsewhere = append(elsewhere, q.Header.Get("Authorization"))
	}))
	defer other.Close()
	posts := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch {
		case q.Method == http.MethodPost:
			posts++
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(http.StatusMovedPermanently)
		case strings.HasSuffix(q.URL.Path, "/pulls"):
			w.Header().Set("Link", "<"+other.URL+`/next>; rel="next"`)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `[]`)
		default:
			http.Redirect(w, q, other.URL+"/moved", http.StatusMovedPermanently)
		}
	}))
	defer s.Close()
	c, err := New(Options{Repo: Repo{"github.com", "a", "b"}, Login: Login{"t", "x"}, Root: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Issue(t.Context(), 1); err == nil {
		t.Error("a redirect to another host was followed")
	}
	if _, err := c.Mine(t.Context(), func(PullRequest) bool { return true }); err == nil {
		t.Error("a next page on another host was read")
	}
	if err := c.AddLabels(t.Context(), 1, nil); err != nil {
		t.Error(err)
	}
	if _, err := c.Fork(t.Context()); err == nil || posts != 1 {
		t.Errorf("a redirected POST: %v after %d posts; want an error after one", err, posts)
	}
	if len(elsewhere) > 0 {
		t.Errorf("another host was asked, with the headers %q", elsewhere)
	}
}

func TestARenamedRepositoryIsFollowed(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch q.URL.Path {
		case "/repos/old/name":
			http.Redirect(w, q, "/repositories/7", http.StatusMovedPermanently)
		case "/repositories/7":
			_, _ = io.WriteString(w, `{"name":"new","owner":{"login":"org"},"default_branch":"trunk"}`)
		default:
			_, _ = io.WriteString(w, `{"number":1,"title":"`+q.URL.Path+`"}`)
		}
	}))
	defer s.Close()
	c, err := New(Options{Repo: Repo{"github.com", "old", "name"}, Login: Login{"t", "x"}, Root: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	repo, err := c.Repository(t.Context())
	if err != nil || repo.DefaultBranch != "trunk" || !repo.CanPush {
		t.Fatalf("got %+v, %v", repo, err)
	}
	i, err := c.Issue(t.Context(), 1)
	if err != nil || i.Title != "/repos/org/new/issues/1" {
		t.Errorf("got %q, %v", i.Title, err)
	}
}

func TestOneLineForEachRefusal(t *testing.T) {
	for name, c := range map[string]struct {
		fault      testkit.GitHubFault
		text, hint string
	}{
		"a bad token":    {testkit.GitHubFault{Status: 401, Body: `{"message":"Bad credentials"}`}, "does not accept the token (from GH_TOKEN)", "gh auth login"},
		"single sign-on": {testkit.GitHubFault{Status: 403, Header: map[string]string{"X-GitHub-SSO": "required; url=https://github.com/orgs/acme/sso?x=1"}, Body: `{}`}, "single sign-on", "https://github.com/orgs/acme/sso?x=1"},
		"a missing right": {testkit.GitHubFault{Status: 403, Header: map[string]string{"X-Accepted-GitHub-Permissions": "issues=read"}, Body: `{"message":"Resource not accessible"}`},
			"does not allow it: Resource not accessible", "issues=read"},
		"a deleted issue":      {testkit.GitHubFault{Status: 410, Body: `{"message":"This issue was deleted"}`}, "not found", "gh auth status"},
		"an answer in HTML":    {testkit.GitHubFault{Status: 200, Body: `<html>`}, "cannot be read", "githubstatus"},
		"an invalid parameter": {testkit.GitHubFault{Status: 422, Body: `{"message":"Validation Failed","errors":[{"resource":"Issue","field":"n","code":"invalid"},"and so on"]}`}, "Validation Failed; Issue.n is invalid; and so on", ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, testkit.GitHubState{})
			c.fault.Path = "repos/acme/app/issues/1"
			r.hub.Fault(c.fault)
			_, err := r.Issue(t.Context(), 1)
			if err == nil || !strings.Contains(err.Error(), c.text) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, c.text)
			}
			if hint := fault.HintOf(err); !strings.Contains(hint, c.hint) {
				t.Errorf("got hint %q, want %q", hint, c.hint)
			}
			if fault.KindOf(err) != fault.Git {
				t.Errorf("got kind %v", fault.KindOf(err))
			}
		})
	}
}

func TestOthersPullRequestsAreNotTaken(t *testing.T) {
	testkit.Hermetic(t)
	r := newRig(t, testkit.GitHubState{ForkDir: testkit.Repo(t, nil) + "/.git", Pulls: []*testkit.GitHubPull{
		{Number: 1, Author: "mallory", HeadOwner: "mallory", Head: "main", Body: "MARK"},
		{Number: 2, Author: "robin", HeadOwner: "robin", Head: "main", Body: "MARK"},
		{Number: 3, Author: "kim", Head: "main", Body: "MARK"},
		{Number: 4, Author: "kim", Head: "main", Body: "something else"},
	}})
	mine, err := r.Mine(t.Context(), func(p PullRequest) bool { return strings.Contains(p.Body, "MARK") })
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, p := range mine {
		got = append(got, p.Number)
	}
	if fmt.Sprint(got) != "[2]" {
		t.Errorf("got %v, want that of the own login alone", got)
	}
}

func TestThePullRequestTemplate(t *testing.T) {
	for path, want := range map[string]string{
		"README.md": "", ".github/PULL_REQUEST_TEMPLATE.md": ".github", "pull_request_template.md": ".",
		"docs/Pull_Request_Template.txt": "docs", ".github/PULL_REQUEST_TEMPLATE/one.md": "", "a/pull_request_template.md": "",
	} {
		got := ""
		for _, dir := range TemplateDirs {
			if IsTemplate(dir, path) {
				got = dir
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

func TestNamedTemplates(t *testing.T) {
	for path, want := range map[string]bool{
		".github/PULL_REQUEST_TEMPLATE/fix.md": true, ".github/pull_request_template/Fix.TXT": true, ".github/PULL_REQUEST_TEMPLATE.md": false,
		".github/PULL_REQUEST_TEMPLATE/old/fix.md": false, ".github/ISSUE_TEMPLATE/bug.md": false, "docs/PULL_REQUEST_TEMPLATE/fix.md": false,
	} {
		if got := IsNamedTemplate(".github", path); got != want {
			t.Errorf("%s: got %v, want %v", path, got, want)
		}
	}
}

func TestErrorsKeepTheirCause(t *testing.T) {
	r := newRig(t, testkit.GitHubState{})
	_, err := r.Issue(t.Context(), 9)
	if !errors.Is(err, ErrNotFound) {
		t.Errorf("got %v, want ErrNotFound in its chain", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Issue(ctx, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want Canceled", err)
	}
	r.hub.Close()
	_, err = r.Issue(t.Context(), 9)
	if fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "was not reached") || len(r.waits) != maxTries-1 {
		t.Errorf("got %v after %d waits", err, len(r.waits))
	}
}
