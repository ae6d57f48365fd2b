package main

import (
	"cmp"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/githubapi"
	"github.com/rogpeppe/go-internal/testscript"
	"gopkg.in/yaml.v3"
)

// hubs holds the GitHub server of each script.
var hubs sync.Map

// githubCommands are the commands of scripts that have to do with GitHub.
func githubCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"github":      githubCommand,
		"hub":         hubCommand,
		"hubchange":   hubChangeCommand,
		"hubfault":    hubFaultCommand,
		"hubmerge":    hubMergeCommand,
		"hubpull":     hubPullCommand,
		"hubrequests": hubRequestsCommand,
		"actionlint":  actionlintCommand,
		"githttp":     gitHTTPCommand,
	}
}

// githubCommand starts a GitHub for the repository in DIR, with a bare
// repository as its remote: github DIR STATE.json. It sets GITHUB_API_URL,
// GH_REPO and GH_TOKEN. At the script's end there must have been no request
// that the server does not know, nor one that GitHub's description of its API
// does not allow.
func githubCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: github DIR STATE.json")
	}
	dir := ts.MkAbs(args[0])
	state := testkit.GitHubState{
		Owner: "acme", Name: "app", Login: "robin", Token: "ghp_0123456789abcdefghijklmnopqrstuvwxyz", CanPush: true,
		Dir: ts.MkAbs("$WORK/hub.git"), ForkDir: ts.MkAbs("$WORK/fork.git"),
	}
	state.Dir, state.ForkDir = filepath.Join(ts.Getenv("WORK"), "hub.git"), filepath.Join(ts.Getenv("WORK"), "fork.git")
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &state))
	ts.Check(ts.Exec("git", "clone", "-q", "--bare", dir, state.Dir))
	ts.Check(ts.Exec("git", "-C", dir, "remote", "add", "origin", state.Dir))
	ts.Check(ts.Exec("git", "-C", dir, "fetch", "-q", "origin"))
	g := testkit.NewGitHub(state)
	hubs.Store(ts, g)
	ts.Defer(func() {
		g.Close()
		if bad := g.Unexpected(); len(bad) > 0 {
			ts.Fatalf("GitHub was asked what it does not know:\n%s", strings.Join(bad, "\n"))
		}
		bad, checked, err := githubapi.Requests(g.Requests())
		ts.Check(err)
		queries, _, err := githubapi.Queries(g.Requests())
		ts.Check(err)
		bad = append(bad, queries...)
		if len(bad) > 0 {
			ts.Fatalf("not as GitHub describes its API:\n%s", strings.Join(bad, "\n"))
		}
		if !checked {
			ts.Logf("the requests were not held against GitHub's description of its API: %s is not set", githubapi.OpenAPIDir)
		}
	})
	ts.Setenv("GITHUB_API_URL", g.URL)
	ts.Setenv("GH_TOKEN", state.Token)
	ts.Setenv("GH_REPO", state.Owner+"/"+state.Name)
	ts.Setenv("GH_PATH", filepath.Join(ts.Getenv("WORK"), "no-gh"))
}

// gitHTTPCommand makes the remote of DIR one that is reached over HTTP and asks
// for a password: githttp DIR.
func gitHTTPCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: githttp DIR")
	}
	ts.Check(ts.Exec("git", "--git-dir", filepath.Join(ts.Getenv("WORK"), "hub.git"), "config", "http.receivepack", "true"))
	ts.Check(ts.Exec("git", "-C", ts.MkAbs(args[0]), "remote", "set-url", "origin", hubOf(ts).URL+"/acme/app.git"))
}

func hubOf(ts *testscript.TestScript) *testkit.GitHub {
	v, ok := hubs.Load(ts)
	if !ok {
		ts.Fatalf("no GitHub was started")
	}
	return v.(*testkit.GitHub)
}

// hubCommand writes what GitHub holds to FILE: hub FILE.
func hubCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hub FILE")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(hubOf(ts).Dump()), 0o644))
}

// hubChangeCommand replaces fields of what GitHub holds: hubchange FILE.json.
func hubChangeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hubchange FILE.json")
	}
	data := []byte(ts.ReadFile(args[0]))
	hubOf(ts).Change(func(s *testkit.GitHubState) {
		var lists struct{ Issues, Pulls []json.RawMessage }
		ts.Check(json.Unmarshal(data, &lists))
		if lists.Issues != nil {
			s.Issues = nil // else the new ones would be mixed with the old
		}
		if lists.Pulls != nil {
			s.Pulls = nil
		}
		ts.Check(json.Unmarshal(data, s))
	})
}

// hubPullCommand changes fields of a pull request: hubpull NUMBER FILE.json.
func hubPullCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hubpull NUMBER FILE.json")
	}
	hubOf(ts).Change(func(s *testkit.GitHubState) {
		for _, p := range s.Pulls {
			if strconv.Itoa(p.Number) == args[0] {
				ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), p))
				return
			}
		}
		ts.Fatalf("there is no pull request %s", args[0])
	})
}

// hubFaultCommand makes GitHub fail: hubfault FILE.json, which holds a list.
func hubFaultCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hubfault FILE.json")
	}
	var list []testkit.GitHubFault
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &list))
	for _, f := range list {
		hubOf(ts).Fault(f)
	}
}

// hubMergeCommand squashes and merges a pull request: hubmerge NUMBER.
func hubMergeCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hubmerge NUMBER")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(hubOf(ts).Merge(n))
}

// hubRequestsCommand writes the requests that GitHub got to FILE, one a line.
func hubRequestsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hubrequests FILE")
	}
	var b strings.Builder
	for _, r := range hubOf(ts).Requests() {
		b.WriteString(r.Method + " " + r.Path + " " + string(r.Body) + "\n")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(b.String()), 0o644))
}

// actionlintCommand checks a workflow, where actionlint is there: actionlint FILE.
func actionlintCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: actionlint FILE")
	}
	if _, err := exec.LookPath("actionlint"); err != nil {
		ts.Logf("actionlint is not installed: the workflow is not checked")
		return
	}
	ts.Check(ts.Exec("actionlint", "-color=false", ts.MkAbs(args[0])))
}

// workflowJobs reads the steps of the workflow that booty init writes.
func workflowJobs(t *testing.T) map[string]string {
	t.Helper()
	template := func(name string) string {
		data, err := os.ReadFile(filepath.Join("..", "..", "internal", "cli", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	text := strings.ReplaceAll(template("workflow.yml.tmpl"), "@INSTALL@", template("workflow_install.yml.tmpl"))
	text = strings.NewReplacer("@LABEL@", "booty", "@KEY@", "OPENAI_API_KEY", "@VERSION@", "v1.2.3", "@WORKFLOWS@", "", "@PUSH@", "").Replace(text)
	var w struct {
		Permissions map[string]string
		Jobs        map[string]struct {
			Permissions map[string]string
			Steps       []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &w); err != nil {
		t.Fatal(err)
	}
	if len(w.Permissions) != 0 {
		t.Errorf("the whole workflow has permissions: %v", w.Permissions)
	}
	steps := map[string]string{}
	for name, j := range w.Jobs {
		if len(j.Permissions) == 0 {
			t.Errorf("job %s names no permissions", name)
		}
		for _, s := range j.Steps {
			if strings.Contains(s.Run, "${{") {
				t.Errorf("step %q of %s: text is put into the script: it must come through env", s.Name, name)
			}
			steps[s.Name] = s.Run
		}
	}
	return steps
}

// step runs one step of the workflow as GitHub does, and gives what it wrote
// to the files of the environment.
func step(t *testing.T, script string, env ...string) (out, summary, log string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	dir := t.TempDir()
	cmd := exec.Command(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "HOME="+dir, "GITHUB_OUTPUT="+dir+"/output", "GITHUB_STEP_SUMMARY="+dir+"/summary"), env...)
	all, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("the step failed: %v\n%s", err, all)
	}
	if entries, err := os.ReadDir(dir); err == nil {
		for _, e := range entries {
			if e.Name() != "output" && e.Name() != "summary" {
				t.Errorf("the step left %s: foreign text was run", e.Name())
			}
		}
	}
	o, _ := os.ReadFile(dir + "/output")
	s, _ := os.ReadFile(dir + "/summary")
	return string(o), string(s), string(all)
}

func TestTheWorkflowLetsOnlyThoseInWhoMayWrite(t *testing.T) {
	script := workflowJobs(t)["Ask GitHub for the rights of whoever asked"]
	bin := t.TempDir()
	gh := `#!/bin/sh
echo "$*" >&2
case $2 in
graphql) echo "$ME" ;;
*/actions/runs*) echo "$LEFT" ;;
*/pulls/*) case $* in *booty:spec*) echo "$SPEC" ;; *) echo "$HEAD $AUTHOR" ;; esac ;;
*) echo "$PERMISSION" ;;
esac
`
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		event, actor, comment, permission string
		// pull says that it is about a pull request, head and author are its own.
		pull, head, author string
		want               string
		// more are further variables.
		more string
	}{
		"a label by a writer":            {"issues", "kim", "", "write", "", "", "", "issue", ""},
		"a label by someone who triages": {"issues", "kim", "", "read", "", "", "", "", ""},
		"the command":                    {"issue_comment", "kim", "/booty", "admin", "", "", "", "issue", ""},
		"the command with more below":    {"issue_comment", "kim", "/booty  \r\nplease", "write", "", "", "", "issue", ""},
		"the command with words":         {"issue_comment", "kim", "/booty $(touch pwned)", "write", "", "", "", "issue", ""},
		"the command by a stranger":      {"issue_comment", "mallory", "/booty", "none", "", "", "", "", ""},
		"another word":                   {"issue_comment", "kim", "/bootyful", "write", "", "", "", "", ""},
		"a comment with backticks":       {"issue_comment", "kim", "`touch pwned`; touch pwned\n/booty", "write", "", "", "", "", ""},
		"no name":                        {"issue_comment", "", "/booty", "write", "", "", "", "", ""},
		"a name that is a path":          {"issue_comment", "../../user", "/booty", "write", "", "", "", "", ""},
		"an empty answer":                {"issue_comment", "kim", "/booty", "", "", "", "", "", ""},
		"on a pull request":              {"issue_comment", "kim", "/booty", "write", "1", "acme/app", "someone", "pr", ""},
		"on one from a fork":             {"issue_comment", "kim", "/booty", "write", "1", "mallory/app", "mallory", "", ""},
		"on one whose fork is gone":      {"issue_comment", "kim", "/booty", "write", "1", "null", "mallory", "", ""},
		"a review of booty's":            {"pull_request_review", "kim", "", "write", "1", "acme/app", "robin[bot]", "pr", ""},
		"a review of another's":          {"pull_request_review", "kim", "", "write", "1", "acme/app", "someone", "", ""},
		"a stranger's review":            {"pull_request_review", "mallory", "", "read", "1", "acme/app", "robin[bot]", "", ""},
		"failed checks of booty's":       {"check_suite", "ci-bot[bot]", "", "", "1", "acme/app", "robin[bot]", "pr", ""},
		"failed checks of another's":     {"workflow_run", "someone", "", "", "1", "acme/app", "someone", "", ""},
		"failed checks of a fork":        {"workflow_run", "robin", "", "", "1", "robin/app", "robin", "", ""},
		"by hand":                        {"workflow_dispatch", "kim", "", "write", "", "", "", "retry", ""},
		"by the clock":                   {"schedule", "", "", "", "", "", "", "next", ""},
		"a name of an enterprise":        {"issues", "mona_acme", "", "write", "", "", "", "issue", ""},
		"a name with an option":          {"issues", "mona/../x?y", "", "write", "", "", "", "", ""},
		"green":                          {"workflow_run", "kim", "", "", "", "", "", "next", "CONCLUSION=success"},
		"green, and others are not":      {"workflow_run", "kim", "", "", "", "", "", "", "CONCLUSION=success LEFT=1"},
		"green, and nobody can say":      {"workflow_run", "kim", "", "", "", "", "", "", "CONCLUSION=success LEFT="},
		"retry a spec":                   {"issue_comment", "kim", "/booty retry", "write", "1", "acme/app", "robin", "retry", "SPEC=true"},
		"reset a spec, and white space":  {"issue_comment", "kim", "/booty  reset \r\n", "admin", "1", "acme/app", "robin", "reset-attempts", "SPEC=true"},
		"review a spec":                  {"issue_comment", "mona_acme", "/booty review", "write", "1", "acme/app", "robin", "mark-for-review", "SPEC=true"},
		"retry by a stranger":            {"issue_comment", "mallory", "/booty retry", "read", "1", "acme/app", "robin", "", "SPEC=true"},
		"retry with words, a hint":       {"issue_comment", "kim", "/booty retry; touch pwned", "write", "1", "acme/app", "robin", "pr", "SPEC=true"},
		"retry of no spec, a hint":       {"issue_comment", "kim", "/booty review", "write", "1", "acme/app", "robin", "pr", "SPEC=false"},
		"retry on a fork":                {"issue_comment", "kim", "/booty retry", "write", "1", "mallory/app", "mallory", "", "SPEC=true"},
		"retry on an issue":              {"issue_comment", "kim", "/booty retry", "write", "", "", "", "issue", "SPEC=true"},
	} {
		t.Run(name, func(t *testing.T) {
			env := []string{"PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH"), "REPO=acme/app", "ME=robin",
				"EVENT=" + c.event, "ACTOR=" + c.actor, "COMMENT=" + c.comment, "PERMISSION=" + c.permission, "NUMBER=57",
				"WHAT=retry", "IS_PULL=" + c.pull, "HEAD=" + c.head, "AUTHOR=" + c.author, "GITHUB_RUN_ID=9", "LEFT=0",
				"COMMIT=$(touch pwned)"}
			out, _, log := step(t, script, append(env, strings.Fields(c.more)...)...)
			want := ""
			group := map[string]string{"next": "queue", "issue": "57", "pr": "57"}[c.want]
			if c.want != "" {
				want = "what=" + c.want + "\nnumber=57\ngroup=" + cmp.Or(group, "recover-9") + "\n"
			}
			if out != want {
				t.Errorf("got %q, want %q\n%s", out, want, log)
			}
		})
	}
}

// TestTheWorkflowCallsBooty: what a stranger could have written reaches booty as one
// argument, and each exit code ends the job as it should.
func TestTheWorkflowCallsBooty(t *testing.T) {
	need(t, "timeout", "git")
	script := workflowJobs(t)["Run booty"]
	for name, c := range map[string]struct{ what, comment, code, want, says string }{
		"a hostile hint":       {"issue", "/booty  '; touch pwned; $(touch pwned) `touch pwned`\n--yes", "0", "[run][--issue][57][--hint]['; touch pwned; $(touch pwned) `touch pwned`\n--yes][--yes][--patient][--json]", ""},
		"no hint":              {"pr", "/booty", "3", "[run][--pr][57][--yes][--patient][--json]", "there is a draft"},
		"the queue":            {"next", "", "5", "[run][--next][--all][--yes][--patient][--json]", "a limit of spending"},
		"the time is over":     {"next", "", "124", "[run][--next][--all][--yes][--patient][--json]", "the next one goes on"},
		"a spec, by a comment": {"reset-attempts", "/booty reset", "0", "[recover][reset-attempts][57][--yes][--patient][--json]", ""},
		"nothing of it to do":  {"next", "", "4", "[run][--next][--all][--yes][--patient][--json]", ""},
	} {
		t.Run(name, func(t *testing.T) {
			bin, temp := t.TempDir(), t.TempDir()
			booty := "#!/bin/sh\nfor a; do printf '[%s]' \"$a\"; done\nexit " + c.code + "\n"
			if err := os.WriteFile(filepath.Join(bin, "booty"), []byte(booty), 0o755); err != nil {
				t.Fatal(err)
			}
			_, _, log := step(t, script, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+temp,
				"WHAT="+c.what, "NUMBER=57", "COMMENT="+c.comment, "GIT_CONFIG_GLOBAL="+filepath.Join(temp, "gitconfig"))
			got, err := os.ReadFile(filepath.Join(temp, "booty.jsonl"))
			if err != nil || string(got) != c.want || !strings.Contains(log, c.says) {
				t.Errorf("got %q, %v, want %q\n%s", got, err, c.want, log)
			}
		})
	}
}

// TestTheWorkflowInstallsWhatTheReleaseHolds: an archive that is not the release's own is
// not unpacked.
func TestTheWorkflowInstallsWhatTheReleaseHolds(t *testing.T) {
	need(t, "sha256sum", "tar")
	script := workflowJobs(t)["Install booty"]
	gh := `#!/bin/sh
[ "$1 $2 $3" = "release download $VERSION" ] || [ "$1 $2 $3" = "release download --repo" ] || exit 9
echo "#!/bin/sh" >booty && chmod +x booty && tar -czf booty_1.2.3_linux_amd64.tar.gz booty && rm booty
sha256sum booty_1.2.3_linux_amd64.tar.gz >checksums.txt
echo "0000000000000000000000000000000000000000000000000000000000000000  another.tar.gz" >>checksums.txt
if [ -n "$FORGED" ]; then echo forged >booty && tar -czf booty_1.2.3_linux_amd64.tar.gz booty; fi
`
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(gh), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(more ...string) (dir string, err error) {
		dir = t.TempDir()
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
		cmd.Env = append(append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "RUNNER_TEMP="+dir,
			"GITHUB_PATH="+dir+"/path", "RUNNER_ARCH=X64"), more...)
		return dir, cmd.Run()
	}
	for _, version := range []string{"v1.2.3", ""} {
		dir, err := run("VERSION=" + version)
		path, _ := os.ReadFile(dir + "/path")
		if _, e := os.Stat(dir + "/booty-bin/booty"); err != nil || e != nil || string(path) != dir+"/booty-bin\n" {
			t.Errorf("%q: %v, %v, the path is %q", version, err, e, path)
		}
	}
	if dir, err := run("VERSION=v1.2.3", "FORGED=1"); err == nil {
		t.Errorf("a forged archive was taken: see %s", dir)
	}
}

func TestTheWorkflowsSummary(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("jq is not installed")
	}
	script := workflowJobs(t)["Summary"]
	temp := t.TempDir()
	events := `{"event":"run.started","task":{"title":"x"}}
{"event":"attempt.finished","attempt":1,"outcome":"failing","failing":2}
{"event":"attempt.finished","attempt":2,"outcome":"green","failing":0}
{"event":"run.finished","outcome":"green","message":"a | b` + "`" + `\n<img src=x> $(touch pwned)","pull_request":{"number":7,"url":"u","draft":true},"input_tokens":10,"output_tokens":5,"cost_usd":0.25}
`
	if err := os.WriteFile(filepath.Join(temp, "booty.jsonl"), []byte(events), 0o600); err != nil {
		t.Fatal(err)
	}
	_, got, log := step(t, script, "RUNNER_TEMP="+temp)
	for _, want := range []string{"### booty: `green`", "Pull request #7 (draft)", "| 1 | `failing` | 2 |", "| 2 | `green` | 0 |", "10 tokens in, 5 out, $0.25",
		"`a   b  <img src=x> $(touch pwned)`"} {
		if !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q:\n%s\n%s", want, got, log)
		}
	}
	// The queue is shown as it is: no title of a test ends the block or begins a heading.
	bin := t.TempDir()
	queue := "#!/bin/sh\n[ \"$*\" = 'status --queue' ] && printf 'SPEC  TITLE\\n~~~~~~ $(touch pwned)\\n# h <img>\\n'\n"
	if err := os.WriteFile(filepath.Join(bin, "booty"), []byte(queue), 0o755); err != nil {
		t.Fatal(err)
	}
	_, got, _ = step(t, script, "RUNNER_TEMP="+temp, "WHAT=next", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	if !strings.HasPrefix(got, "### The queue\n\n~~~~~~text\n    SPEC  TITLE\n    ~~~~~~ $(touch pwned)\n    # h <img>\n~~~~~~\n") {
		t.Errorf("the queue is shown as\n%s", got)
	}
	empty := t.TempDir()
	step(t, script, "RUNNER_TEMP="+empty) // an early end: no failure of its own
	if err := os.WriteFile(filepath.Join(empty, "booty.jsonl"), []byte(`{"event":"run.started"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, got, _ := step(t, script, "RUNNER_TEMP="+empty); !strings.Contains(got, "ended early") {
		t.Errorf("got %q for a run that ended early", got)
	}
}
