//go:build slow && unix

package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/githubapi"
)

// queueRunner runs tests in files of Go and pytest as far as these say
// want("key", "value"): that src/key holds the value. It knows their markers.
const queueRunner = `
function leave() { if (name != "") { n++; if (skip) print "ok " n " - " name " # SKIP"; else if (bad != "") { print "not ok " n " - " name; print "# " bad; failed = 1 } else print "ok " n " - " name }; name = "" }
function enter(t) { leave(); name = FILENAME " " t; skip = later; later = 0; bad = "" }
FNR == 1 { leave(); later = 0 }
/^@pytest.mark.skip/ { later = 1; next }
/^func Test|^def test/ { t = $0; gsub(/[^A-Za-z0-9_]+/, " ", t); enter(t) }
/t\.Skip\(/ { skip = 1 }
/want\("/ {
	split($0, part, "\""); key = part[2]; value = part[4]; got = ""
	getline got < ("src/" key); close("src/" key)
	if (!skip && got != value) bad = "want " value " of " key ", got " got
}
END { leave(); print "1.." n; exit failed }
`

func goSpec(title, key string) string {
	return fmt.Sprintf("func Test_%s(t *testing.T) {\n\tt.Skip(\"booty: %s\")\n\twant(\"%s\", \"yes\")\n}\n",
		key, title, key)
}

func pySpec(title, key string) string {
	return fmt.Sprintf("\n@pytest.mark.skip(reason=\"booty: %s\")\ndef test_%s():\n    want(\"%s\", \"yes\")\n",
		title, key, key)
}

// queueLab is a lab with a GitHub.
type queueLab struct {
	*lab
	hub *testkit.GitHub
	// onAsk is told the spec of each request to the model; may be nil.
	onAsk func(spec string)
	// solve answers for a spec with its key, the try'th time; nil for few specs.
	solve func(id, key, request string, try int) string

	mu sync.Mutex
	// onRequest is told each request to GitHub that changes something, once it is
	// answered; may be nil.
	onRequest func(n int)
	changing  int
	tries     map[string]int
}

// newQueueLab makes one in which GitHub merges what it is asked to at once.
func newQueueLab(t *testing.T, files map[string]string) *queueLab {
	q := &queueLab{tries: map[string]int{}}
	q.lab = newLab(t, files, q.answer)
	bare := filepath.Join(filepath.Dir(q.repo), "hub.git")
	q.git("clone", "-q", "--bare", q.repo, bare)
	q.git("remote", "add", "origin", bare)
	q.git("fetch", "-q", "origin")
	q.hub = testkit.NewGitHub(testkit.GitHubState{
		Owner: "acme", Name: "app", Login: "robin", Token: "ghp_0123456789abcdefghijklmnopqrstuvwxyz", CanPush: true, Dir: bare,
		AutoMerge: true, ChecksPass: true,
	})
	answer := q.hub.Config.Handler
	q.hub.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer.ServeHTTP(w, r)
		if r.Method == http.MethodGet {
			return
		}
		q.mu.Lock()
		q.changing++
		n, f := q.changing, q.onRequest
		q.mu.Unlock()
		if f != nil {
			f(n)
		}
	})
	t.Cleanup(func() {
		q.hub.Close()
		if bad := q.hub.Unexpected(); len(bad) > 0 {
			t.Errorf("GitHub was asked what it does not know: %s", bad)
		}
		if bad, _, err := githubapi.Requests(q.hub.Requests()); err != nil || len(bad) > 0 {
			t.Errorf("not as GitHub describes its API: %v %s", err, bad)
		}
		if bad, _, err := githubapi.Queries(q.hub.Requests()); err != nil || len(bad) > 0 {
			t.Errorf("not as GitHub's schema has it: %v %s", err, bad)
		}
	})
	q.extra = append(q.extra, "GITHUB_API_URL="+q.hub.URL, "GH_TOKEN=ghp_0123456789abcdefghijklmnopqrstuvwxyz",
		"GH_REPO=acme/app", "GH_PATH=/nowhere")
	return q
}

var askedFor = regexp.MustCompile(`pending until now: ([A-Z]+-\d+)`)

// answer is the model: it does what the title of the spec says.
func (q *queueLab) answer(request string) string {
	m := askedFor.FindStringSubmatch(request)
	if m == nil {
		return "Summary: nothing\n"
	}
	id := m[1]
	if q.onAsk != nil {
		q.onAsk(id)
	}
	q.mu.Lock()
	q.tries[id]++
	n := q.tries[id]
	q.mu.Unlock()
	key := strings.ToLower(id[:2]) + id[len(id)-1:]
	if q.solve != nil {
		return q.solve(id, key, request, n)
	}
	text := "yes"
	if id == "GO-002" && strings.Contains(request, "This is attempt 1 of") || id == "GO-003" {
		text = fmt.Sprintf("wrong %d", n)
	}
	return fmt.Sprintf("Summary: feat: solve %s\n\nsrc/%s\n```\n%s\n```\n", id, key, text)
}

// until takes turns until there is nothing to do, and gives the exit codes.
func (q *queueLab) until(most int) (codes []int) {
	q.t.Helper()
	for range most {
		r := q.booty("run", "--next")
		codes = append(codes, r.code)
		switch r.code {
		case 0, 3, 5:
		case 4:
			if !strings.Contains(r.stderr, "a person merges it") {
				return codes
			}
			q.mergeReady()
		default:
			q.t.Fatalf("got %s", r)
		}
	}
	q.t.Fatalf("the queue does not end: %v", codes)
	return nil
}

// mergeReady merges what waits for a person.
func (q *queueLab) mergeReady() {
	n := 0
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, p := range s.Pulls {
			if p.State == "open" && !p.Draft {
				n = p.Number
			}
		}
	})
	if err := q.hub.Merge(n); err != nil {
		q.t.Fatal(err)
	}
}

// pulls tells how each pull request ended, by spec, and what was posted.
func (q *queueLab) pulls() string {
	var lines []string
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, p := range s.Pulls {
			comments := 0
			for _, i := range s.Issues {
				if i.Number == p.Number {
					comments = len(i.Comments)
				}
			}
			slices.Sort(p.Labels)
			lines = append(lines, fmt.Sprintf("%s: %s draft=%v merged=%v comments=%d %s %s", p.Head, p.State, p.Draft,
				p.Merged, comments,
				strings.Join(p.Labels, " "), p.Title))
		}
		for _, i := range s.Issues {
			if !i.PullRequest {
				lines = append(lines, fmt.Sprintf("issue %s: %s", i.State, i.Title))
			}
		}
	})
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

// onceBefore runs f before the first request of a kind is answered.
func (q *queueLab) onceBefore(method, pathEnd string, f func()) {
	answer := q.hub.Config.Handler
	var done atomic.Bool
	q.hub.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == method && strings.HasSuffix(r.URL.Path, pathEnd) && done.CompareAndSwap(false, true) {
			f()
		}
		answer.ServeHTTP(w, r)
	})
}

// issueTexts gives what the issues that ask for a person say.
func (q *queueLab) issueTexts() string {
	var b strings.Builder
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, i := range s.Issues {
			if !i.PullRequest {
				fmt.Fprintf(&b, "%s (%s)\n%s\n\n", i.Title, i.State, i.Body)
			}
		}
	})
	return b.String()
}

// disturb changes a file on the base, as somebody else's merge does.
func (q *queueLab) disturb(path, text string) {
	dir := q.t.TempDir()
	run := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), testkit.GitEnv(q.home)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			q.t.Errorf("git %v: %v\n%s", args, err, out)
		}
	}
	run("clone", "-q", filepath.Join(filepath.Dir(q.repo), "hub.git"), ".")
	if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
		q.t.Error(err)
	}
	run("commit", "-qam", "somebody else's")
	run("push", "-q", "origin", "HEAD:main")
}

// fewSpecs are three: one that takes two attempts, one that is never solved, one
// that passes at once. Their runner is a script, which starts fast.
func fewSpecs() map[string]string {
	return map[string]string{
		".booty.yml": "test_command: awk -f run.awk tests/*\n" +
			"model: {max_output_tokens: 1000, prices: {input: 1, output: 1}}\nbudget: {run_usd: 0.0095}\nreview: {mode: off}\n",
		"run.awk": queueRunner,
		"tests/a_test.go": "// @tdd-max-attempts 3\n" + goSpec("GO-002 takes two attempts", "go2") +
			"\n// @tdd-max-attempts 2\n" + goSpec("GO-003 is never solved", "go3"),
		"tests/b_test.py": pySpec("PY-002 passes at once", "start"),
		"src/start":       "yes\n", "src/go2": "no\n", "src/go3": "no\n",
	}
}
