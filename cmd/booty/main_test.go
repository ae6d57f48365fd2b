package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/booty-cli/booty/internal/testkit"
)

var update = flag.Bool("update", false, "write what commands print into the scripts")

// TestMain makes this test binary booty itself where it is called by that name.
func TestMain(m *testing.M) {
	// These tests wait for other processes more than they compute. A -parallel of the command
	// line is read later, and wins.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"booty": func() {
		if file := os.Getenv(habits); file != "" {
			_ = os.Setenv("GIT_CONFIG_GLOBAL", file)
		}
		os.Exit(run())
	}, "nomounts": withoutMounts})
}

// habits names the git configuration that booty alone sees, not the script's
// own git: set by setup where BOOTY_TEST_GIT_HABITS is.
const habits = "BOOTY_TEST_HABITS_FILE"

// TestScripts runs the promises of the command line, one file each, through
// the real program, with real git and real test runners; only the model is a
// scripted server on loopback.
//
// BOOTY_TEST_EVERY=N runs each N-th of them alone, for a second run as somebody else; -short each
// sixteenth. Those that begin with "[!slow] skip" run with -tags slow.
func TestScripts(t *testing.T) {
	files, n := scripts(t), 1
	if testing.Short() {
		n = 16
	}
	if every, err := strconv.Atoi(os.Getenv("BOOTY_TEST_EVERY")); err == nil {
		n = every
	}
	var some []string
	for i := 0; i < len(files); i += max(n, 1) {
		some = append(some, files[i])
	}
	runScripts(t, some)
}

// quick skips a test that takes seconds where somebody at work asks for -short. A second run as
// somebody else is short too, and has it all.
func quick(t *testing.T) {
	if testing.Short() && os.Getenv("BOOTY_TEST_EVERY") == "" {
		t.Skip("it takes seconds")
	}
}

func scripts(t *testing.T) []string {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("found no script: %v", err)
	}
	return files
}

func runScripts(t *testing.T, files []string) {
	testscript.Run(t, testscript.Params{
		Files:               files,
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup:               setup,
		Cmds:                commands(),
		Condition:           condition,
	})
}

// condition knows root, which says that the tests run as that user, slow, which says that they
// were built with -tags slow, mounts and nomounts, which say that commands can have mounts of
// their own here and that these can be denied, env:NAME, which says that a variable is set, and
// works:TOOL, which says that a tool is there
// and starts: a proxy such as rustup's may be on the PATH with nothing behind it.
func condition(cond string) (bool, error) {
	switch cond {
	case "root":
		return os.Getuid() == 0, nil
	case "slow":
		return slow, nil
	case "nomounts":
		return canDenyMounts, nil
	case "mounts":
		return exec.Command("unshare", "--user", "--mount", "true").Run() == nil, nil
	}
	if name, ok := strings.CutPrefix(cond, "env:"); ok {
		return os.Getenv(name) != "", nil
	}
	tool, ok := strings.CutPrefix(cond, "works:")
	if !ok {
		return false, fmt.Errorf("unknown condition %s", cond)
	}
	return exec.Command(tool, "--version").Run() == nil, nil
}

// commands are what scripts can do beside those of testscript itself.
func commands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	all := map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"repo":     repoCommand,
		"model":    modelCommand,
		"requests": requestsCommand,
		"exit":     exitCommand,
		"manifest": manifestCommand,
		"samesize": samesizeCommand,
	}
	for name, f := range githubCommands() {
		all[name] = f
	}
	return all
}

// setup gives each script a home of its own and a git that is the same everywhere.
func setup(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(home, "gitconfig"), []byte("[init]\n\tdefaultBranch = main\n"), 0o600); err != nil {
		return err
	}
	if os.Getenv("BOOTY_TEST_GIT_HABITS") != "" {
		dir := filepath.Join(e.WorkDir, ".habits") // outside of the home, which scripts look at
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		file, err := testkit.Habits(dir)
		if err != nil {
			return err
		}
		e.Setenv(habits, file)
	}
	for _, kv := range testkit.GitEnv(home) {
		k, v, _ := strings.Cut(kv, "=")
		e.Setenv(k, v)
	}
	// Compilers may use what they have built before, runners that were fetched are named, without
	// the prefix of booty's own settings; all else is new.
	for _, k := range []string{"GOCACHE", "GOMODCACHE", "GOFLAGS", "CARGO_HOME", "RUSTUP_HOME", "BOOTY_JEST", "BOOTY_VITEST"} {
		if v := os.Getenv(k); v != "" {
			e.Setenv(strings.TrimPrefix(k, "BOOTY_"), v)
		}
	}
	if real, err := os.UserHomeDir(); err == nil {
		if e.Getenv("GOCACHE") == "" {
			e.Setenv("GOCACHE", builtBefore())
		}
		for k, dir := range map[string]string{"CARGO_HOME": ".cargo", "RUSTUP_HOME": ".rustup"} {
			if _, err := os.Stat(filepath.Join(real, dir)); err == nil && e.Getenv(k) == "" {
				e.Setenv(k, filepath.Join(real, dir))
			}
		}
	}
	for _, k := range []string{"OPENAI_API_KEY", "GH_TOKEN", "GITHUB_TOKEN"} {
		e.Setenv(k, "")
	}
	e.Setenv("GOTOOLCHAIN", "local")
	e.Setenv("TERM", "dumb")
	return nil
}

// builtBefore is the folder in which go keeps what it has built, by go's own settings,
// which may stand in a file as well as in the environment; empty without go.
var builtBefore = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})

// repoCommand makes a git repository of a folder, with one commit: repo DIR.
func repoCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: repo DIR")
	}
	dir := ts.MkAbs(args[0])
	for _, a := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "start"}} {
		ts.Check(ts.Exec("git", append([]string{"-C", dir}, a...)...))
	}
}

// modelCommand starts a model server that gives the contents of files as its
// replies: model REPLY... It sets OPENAI_BASE_URL and the key.
func modelCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: model REPLY...")
	}
	var replies []string
	for _, name := range args {
		replies = append(replies, ts.ReadFile(name))
	}
	s := testkit.NewModelServer(replies...)
	ts.Defer(s.Close)
	ts.Setenv("OPENAI_BASE_URL", s.BaseURL())
	ts.Setenv("OPENAI_API_KEY", "sk-test-key-for-the-scripted-server")
	ts.Setenv("BOOTY_MODEL", "scripted")
	servers.Store(ts, s)
}

// requestsCommand looks at what the model was asked: requests N says that N
// requests were made, and writes them to requests/1.txt and so on.
func requestsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: requests N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	v, ok := servers.Load(ts)
	if !ok {
		ts.Fatalf("no model was started")
	}
	got := v.(*testkit.ModelServer).Requests()
	dir := ts.MkAbs(filepath.Join(ts.Getenv("WORK"), "requests"))
	ts.Check(os.MkdirAll(dir, 0o755))
	for i, r := range got {
		ts.Check(os.WriteFile(filepath.Join(dir, strconv.Itoa(i+1)+".txt"), []byte(r.Text()), 0o644))
	}
	if len(got) != want {
		ts.Fatalf("got %d requests to the model, want %d", len(got), want)
	}
}

// exitCommand runs booty and asks for its exit code: exit CODE ARGS...
func exitCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exit CODE ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec("booty", args[1:]...); err != nil {
		got = exitCode(err)
	}
	if got != want {
		ts.Fatalf("booty %s: got exit code %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}
