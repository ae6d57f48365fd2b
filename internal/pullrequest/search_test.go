package pullrequest

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/workspace"
)

// site is a repository on a GitHub server, and a checkout of it.
type site struct {
	t      *testing.T
	dir    string // the checkout
	bare   string // the repository on the server
	work   string // another clone, in which others and earlier runs work
	state  testkit.GitHubState
	server *testkit.GitHub
	up     *Upstream
	base   base
	said   []string
}

const wanted = "booty/7-sums"

// newSite has an issue #7, and of booty's work nothing.
func newSite(t *testing.T) *site {
	t.Helper()
	testkit.Hermetic(t)
	s := &site{t: t, dir: testkit.Repo(t, map[string]string{"a.go": "a\n"})}
	s.bare = filepath.Join(t.TempDir(), "sum.git")
	testkit.Git(t, s.dir, "clone", "-q", "--bare", s.dir, s.bare)
	testkit.Git(t, s.dir, "remote", "add", "origin", s.bare)
	s.work = t.TempDir()
	testkit.Git(t, s.work, "clone", "-q", s.bare, ".")
	s.base = base{"main", testkit.Git(t, s.dir, "rev-parse", "main")}
	s.state = testkit.GitHubState{Owner: "acme", Name: "sum", Dir: s.bare, Login: "booty-bot", Token: "t0ken", CanPush: true,
		Issues: []*testkit.GitHubIssue{{Number: 7, Title: "Sums", Author: "ann"}}}
	return s
}

// issue is the issue of the site, to be changed before the server is started.
func (s *site) issue() *testkit.GitHubIssue { return s.state.Issues[0] }

// push puts a branch with one commit onto the server, and gives it. run is the run that made it,
// "" for a person.
func (s *site) push(branch, run, file, content string) string {
	s.t.Helper()
	testkit.Git(s.t, s.work, "switch", "-q", "-c", branch, s.base.commit)
	testkit.Write(s.t, s.work, map[string]string{file: content})
	testkit.Git(s.t, s.work, "add", "-A")
	message := "work"
	if run != "" {
		message += "\n\n" + runner.TrailerRun + ": " + run
	}
	testkit.Git(s.t, s.work, "commit", "-q", "-m", message)
	testkit.Git(s.t, s.work, "push", "-q", "origin", branch)
	return testkit.Git(s.t, s.work, "rev-parse", "HEAD")
}

// pull adds a pull request of booty's for the issue.
func (s *site) pull(n int, head string, change func(*testkit.GitHubPull)) {
	p := &testkit.GitHubPull{Number: n, Title: "fix: sums", Author: "booty-bot", Head: head, Base: "main", Draft: true,
		Body: own()}
	if change != nil {
		change(p)
	}
	s.state.Pulls = append(s.state.Pulls, p)
}

// own is the text of a pull request of booty's for the issue.
func own() string {
	return report.PullRequest{Summary: "fix: sums", Markers: []string{sums().Marker()}}.Body()
}

func sums() runner.Task {
	return runner.Task{Task: event.Task{Kind: "issue", Number: 7, Title: "Sums"}, Text: "Sums are wrong."}
}

// baseMoves commits to main on the server.
func (s *site) baseMoves(file, content string) {
	s.t.Helper()
	commit := s.push("moves", "", file, content)
	testkit.Git(s.t, s.bare, "update-ref", "refs/heads/main", commit)
	testkit.Git(s.t, s.bare, "update-ref", "-d", "refs/heads/moves")
	testkit.Git(s.t, s.dir, "fetch", "-q", "origin", "main")
	s.base.commit = commit
}

// open starts the server and opens the checkout.
func (s *site) open() {
	s.t.Helper()
	s.server = testkit.NewGitHub(s.state)
	s.t.Cleanup(func() {
		s.server.Close()
		if odd := s.server.Unexpected(); len(odd) > 0 {
			s.t.Errorf("unexpected requests: %v", odd)
		}
	})
	repo, err := workspace.Open(s.t.Context(), s.dir, workspace.Options{StateDir: s.t.TempDir()})
	if err != nil {
		s.t.Fatal(err)
	}
	j, err := journal.Open(s.t.Context(), journal.Options{Dir: s.t.TempDir()})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = j.Close(); _ = repo.Close() })
	client, err := github.New(github.Options{Repo: github.Repo{Host: "github.com", Owner: "acme", Name: "sum"},
		Login: github.Login{Token: "t0ken"}, Root: s.server.URL, GraphQL: s.server.URL + "/graphql", UserAgent: "booty-test"})
	if err != nil {
		s.t.Fatal(err)
	}
	settings := &config.Loaded{}
	settings.MaxRetries = 3
	session := &runner.Session{Repo: repo, Home: repo.Root(), Settings: settings, Journal: j, Getenv: os.Getenv, Now: time.Now,
		Say:  func(format string, args ...any) { s.said = append(s.said, fmt.Sprintf(format, args...)) },
		Wait: runner.NewWaiter(nil, func(event.Event) {})}
	s.up = &Upstream{s: session, client: client, remote: "origin"}
	if s.up.repo, err = client.Repository(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
}

// search looks for earlier work on the issue.
func (s *site) search(o Options) search {
	return search{up: s.up, o: o, task: sums(), issue: &github.Issue{Number: 7}, base: s.base, want: wanted}
}

// told says where a search ends: where the work starts, or why there is none.
func (s *site) told(found start, err error, names map[string]string) string {
	if err != nil {
		if fault.KindOf(err) != fault.NothingToDo && fault.KindOf(err) != fault.Exhausted {
			return "error: " + err.Error()
		}
		return err.Error() + " | " + fault.HintOf(err)
	}
	b := found.branch
	text := "new " + b.name
	if b.continued {
		text = "continue " + b.name
	}
	if b.head != b.name {
		text += " as " + b.head
	}
	at := names[b.from]
	if b.from == s.base.commit {
		at = "the base"
	}
	text += " from " + at
	if p := found.earlier.pull; p != nil {
		text += fmt.Sprintf(", #%d", p.Number)
	}
	if found.attempts != (attempts{}) {
		text += fmt.Sprintf(", %d attempts used, %d left", found.attempts.used, found.attempts.left)
	}
	return text
}

// TestSearchForEarlierWork: what is booty's is continued, what is done or not wanted is not begun
// again, and what is a person's stays as it is.
func TestSearchForEarlierWork(t *testing.T) {
	ready := func(p *testkit.GitHubPull) { p.Draft = false }
	closed := func(p *testkit.GitHubPull) { p.State, p.Draft = "closed", false }
	merged := func(p *testkit.GitHubPull) { p.State, p.Draft, p.Merged = "closed", false, true }
	const at9 = "https://github.com/acme/sum/pull/9"
	for name, c := range map[string]struct {
		site func(s *site) map[string]string // names of commits
		o    Options
		want string
		said string // a part of it; "" for nothing at all
	}{
		"nothing is there": {func(*site) map[string]string { return nil }, Options{}, "new " + wanted + " from the base", ""},
		"a draft is continued": {func(s *site) map[string]string {
			s.pull(9, wanted, nil)
			return map[string]string{s.push(wanted, "r1", "a.go", "A\n"): "its tip"}
		}, Options{}, "continue " + wanted + " from its tip, #9", "going on with " + wanted},
		"a ready one is enough": {func(s *site) map[string]string {
			s.push(wanted, "r1", "a.go", "A\n")
			s.pull(9, wanted, ready)
			return nil
		}, Options{}, "pull request " + at9 + " for issue #7 is open and ready | booty run --restart starts over", ""},
		"a ready one in conflict with the base": {func(s *site) map[string]string {
			tip := s.push(wanted, "r1", "a.go", "A\n")
			s.pull(9, wanted, ready)
			s.baseMoves("a.go", "other\n")
			return map[string]string{tip: "its tip"}
		}, Options{}, "continue " + wanted + " from its tip, #9", "#9 is ready, but in conflict with main"},
		"starting over keeps the pull request": {func(s *site) map[string]string {
			s.push(wanted, "r1", "a.go", "A\n")
			s.pull(9, wanted, ready)
			return nil
		}, Options{Restart: true}, "new " + wanted + " from the base, #9", ""},
		"one by somebody else": {func(s *site) map[string]string {
			s.push("theirs", "r1", "a.go", "A\n")
			s.pull(9, "theirs", func(p *testkit.GitHubPull) { p.Author = "mallory" })
			return nil
		}, Options{}, "new " + wanted + " from the base", ""},
		"one that only quotes booty": {func(s *site) map[string]string {
			s.push("other", "r1", "a.go", "A\n")
			s.pull(9, "other", func(p *testkit.GitHubPull) { p.Body = "As it says: " + sums().Marker() })
			return nil
		}, Options{}, "new " + wanted + " from the base", ""},
		"one that a person began": {func(s *site) map[string]string {
			s.push("other", "", "a.go", "A\n")
			s.pull(9, "other", nil)
			return nil
		}, Options{}, "new " + wanted + " from the base", "#9 names this task, but was not begun by booty"},
		"a ready one comes before a draft": {func(s *site) map[string]string {
			s.push("booty/first", "r1", "a.go", "1\n")
			tip := s.push("booty/second", "r2", "a.go", "2\n")
			s.push("booty/third", "r3", "a.go", "3\n")
			s.pull(8, "booty/first", nil)
			s.pull(9, "booty/second", ready)
			s.pull(10, "booty/third", nil)
			s.baseMoves("a.go", "other\n")
			return map[string]string{tip: "the ready one"}
		}, Options{}, "continue booty/second from the ready one, #9", "in conflict"},
		"one was closed": {func(s *site) map[string]string { s.pull(9, wanted, closed); return nil }, Options{},
			"pull request " + at9 + " for issue #7 was closed without being merged | " +
				"booty run --restart starts over with another pull request; or reopen that one", ""},
		"one was merged": {func(s *site) map[string]string { s.pull(9, wanted, merged); return nil }, Options{},
			"issue #7 is solved already: pull request " + at9 + " is merged | close the issue, or start over with --restart", ""},
		"the last one counts": {func(s *site) map[string]string {
			s.pull(9, wanted, closed)
			s.pull(11, wanted+"-2", merged)
			s.pull(10, wanted, closed)
			return nil
		}, Options{}, "issue #7 is solved already: pull request https://github.com/acme/sum/pull/11 is merged | " +
			"close the issue, or start over with --restart", ""},
		"a new one gets another branch": {func(s *site) map[string]string {
			s.pull(9, wanted, closed)
			s.pull(10, wanted+"-2", closed)
			return nil
		}, Options{Restart: true}, "new " + wanted + "-3 from the base", ""},
		"a person's closed one from that branch": {func(s *site) map[string]string {
			s.pull(9, wanted, func(p *testkit.GitHubPull) { closed(p); p.Body = "mine" })
			return nil
		}, Options{}, "new " + wanted + " from the base", ""},
		"a person's commits are on that branch": {func(s *site) map[string]string {
			s.push(wanted, "", "a.go", "A\n")
			return nil
		}, Options{}, "new " + wanted + "-2 from the base", ""},
		"another's merged pull request": {func(s *site) map[string]string {
			s.issue().Solvers = []testkit.GitHubSolver{{Number: 5, State: "MERGED", Author: "ann"}}
			return nil
		}, Options{}, "issue #7 is solved already: https://github.com/acme/sum/pull/5 is merged | " +
			"close the issue, or start over with --restart", ""},
		"another's merged pull request, starting over": {func(s *site) map[string]string {
			s.issue().Solvers = []testkit.GitHubSolver{{Number: 5, State: "MERGED", Author: "ann"}}
			return nil
		}, Options{Restart: true}, "new " + wanted + " from the base", ""},
		"another's open pull request": {func(s *site) map[string]string {
			s.issue().Solvers = []testkit.GitHubSolver{{Number: 5, State: "OPEN", Author: "ann"}, {Number: 4, State: "CLOSED", Author: "bob"}}
			return nil
		}, Options{}, "new " + wanted + " from the base", "pull/5 by ann is open and would close issue #7 too"},
		"another's open pull request, with nobody to ask": {func(s *site) map[string]string {
			s.issue().Solvers = []testkit.GitHubSolver{{Number: 5, State: "OPEN", Author: "ann"}}
			return nil
		}, Options{Alone: true}, "https://github.com/acme/sum/pull/5 by ann is open and would close issue #7 | ", ""},
		"attempts are counted": {func(s *site) map[string]string {
			s.issue().Comments = []*testkit.GitHubComment{{Author: "booty-bot", Body: report.FailureMarker(7) + "\n<!-- booty:attempts 2 -->"}}
			return nil
		}, Options{}, "new " + wanted + " from the base, 2 attempts used, 1 left", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			names := c.site(s)
			s.open()
			found, err := s.search(c.o).start(t.Context())
			if diff := cmp.Diff(c.want, s.told(found, err, names)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			said := strings.Join(s.said, "\n")
			if c.said == "" && said != "" || !strings.Contains(said, c.said) {
				t.Errorf("said %q, want %q", said, c.said)
			}
		})
	}
}

// TestSearchWithoutAnIssue asks for no closed pull requests, solvers or comments.
func TestSearchWithoutAnIssue(t *testing.T) {
	s := newSite(t)
	s.pull(9, wanted, func(p *testkit.GitHubPull) { p.State, p.Draft = "closed", false })
	s.issue().Solvers = []testkit.GitHubSolver{{Number: 5, State: "MERGED", Author: "ann"}}
	s.open()
	look := s.search(Options{})
	look.issue = nil
	found, err := look.start(t.Context())
	if got, want := s.told(found, err, nil), "new "+wanted+" from the base"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSearchEndsWhereGitHubDoesNotAnswer: work is not begun twice because earlier work was not
// seen.
func TestSearchEndsWhereGitHubDoesNotAnswer(t *testing.T) {
	for name, f := range map[string]testkit.GitHubFault{
		"open pull requests": {Method: http.MethodGet, Path: "repos/acme/sum/pulls*", Times: 9, Status: 403, Body: `{"message":"no"}`},
		"comments":           {Method: http.MethodGet, Path: "repos/acme/sum/issues/7/comments*", Times: 9, Status: 403, Body: `{"message":"no"}`},
		"solvers":            {Method: http.MethodPost, Path: "graphql", Times: 9, Status: 403, Body: `{"message":"no"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t)
			s.open()
			s.server.Fault(f)
			if found, err := s.search(Options{}).start(t.Context()); err == nil {
				t.Errorf("got %s", s.told(found, err, nil))
			}
		})
	}
}

// TestClosedPullRequestsAreNoted in the records of this checkout, once.
func TestClosedPullRequestsAreNoted(t *testing.T) {
	s := newSite(t)
	s.pull(9, wanted, func(p *testkit.GitHubPull) { p.State, p.Draft, p.Merged = "closed", false, true })
	s.open()
	at := s.up.s
	const url = "https://github.com/acme/sum/pull/9"
	add := func(id, repo string, pr event.PullRequest) {
		t.Helper()
		_, err := at.Journal.StartRun(t.Context(), journal.Run{ID: id, Repo: repo, Kind: "run"})
		if err == nil {
			err = at.Journal.SetPullRequest(t.Context(), id, pr)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	add("20260101-aaa", at.Home, event.PullRequest{Number: 9, URL: url})
	add("20260101-bbb", at.Home, event.PullRequest{Number: 9, URL: url, State: "closed"})
	add("20260101-ccc", at.Home, event.PullRequest{Number: 8, URL: url[:len(url)-1] + "8"})
	add("20260101-ddd", "/elsewhere", event.PullRequest{Number: 9, URL: url})
	if _, err := s.search(Options{}).start(t.Context()); fault.KindOf(err) != fault.NothingToDo {
		t.Fatalf("got %v", err)
	}
	for id, want := range map[string]string{"20260101-aaa": "merged", "20260101-bbb": "closed", "20260101-ccc": "", "20260101-ddd": ""} {
		r, err := at.Journal.Run(t.Context(), id, "")
		if err != nil {
			t.Fatal(err)
		}
		if r.PullRequest.State != want {
			t.Errorf("run %s says %q, want %q", id, r.PullRequest.State, want)
		}
	}
}
