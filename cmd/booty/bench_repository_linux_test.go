package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

var beforeFlag = flag.String("before", "", "another build of booty, which BenchmarkRepository runs in turns with this one")

// BenchmarkRepository measures what whole commands cost in repositories of several
// sizes: the processor's time, children included, the clock's, and the memory of the
// largest process. First nothing is kept of an earlier run, then what a run keeps.
// Another build, named by -before, runs each command too, in turns:
//
//	go test ./cmd/booty -run xxx -bench Repository -benchtime 5x -before /tmp/booty-before
func BenchmarkRepository(b *testing.B) {
	programs := map[string]string{"": build(b, ".")}
	if *beforeFlag != "" {
		programs["before-"] = *beforeFlag
	}
	for _, size := range []struct {
		files, bytes, output int
	}{{3, 16 << 10, 0}, {3000, 16 << 10, 0}, {5000, 4500, 2 << 20}, {30000, 16 << 10, 0}} {
		b.Run(fmt.Sprintf("files-%d", size.files), func(b *testing.B) {
			testkit.Hermetic(b)
			repos, task := map[string]string{}, ""
			for name := range programs {
				repos[name], task = wordyRepo(b, size.files, size.bytes, size.output)
			}
			attempt := []string{"run", "--task", task, "--replay", "replies.jsonl"}
			dry := []string{"run", "--dry-run", "--task", task}
			if size.output > 0 { // which a dry run of refine reads
				dry = []string{"refine", "--dry-run"}
			}
			inTurns(b, "first", programs, repos, dry) // a dry run keeps nothing
			for build, program := range programs {
				new(usage).add(b, repos[build], program, attempt)
			}
			inTurns(b, "kept", programs, repos, dry)
			inTurns(b, "attempt", programs, repos, attempt)
		})
	}
}

// inTurns measures a command of each program, each in a repository of its own.
func inTurns(b *testing.B, name string, programs, repos map[string]string, argv []string) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		sums := map[string]*usage{}
		for build := range programs {
			sums[build] = &usage{}
		}
		for b.Loop() {
			for build, program := range programs {
				sums[build].add(b, repos[build], program, argv)
			}
		}
		for build, u := range sums {
			u.report(b, build)
		}
	})
}

// usage is what commands took together; peak is the most that one process held.
type usage struct {
	processor, clock time.Duration
	peak             int64
}

func (u *usage) add(b *testing.B, repo, program string, argv []string) {
	b.Helper()
	cmd := exec.Command(program, argv...)
	cmd.Dir = repo
	// Records of its own beside the repository: an older build does not read a newer one's.
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+repo+"-state", "XDG_CACHE_HOME="+repo+"-cache")
	begun := time.Now()
	out, err := cmd.CombinedOutput()
	u.clock += time.Since(begun)
	if err != nil && exitCode(err) != 3 { // nothing is fixed
		b.Fatalf("%s %s: %v\n%s", program, strings.Join(argv, " "), err, out)
	}
	p := cmd.ProcessState
	u.processor += p.UserTime() + p.SystemTime()
	if r, ok := p.SysUsage().(*syscall.Rusage); ok {
		u.peak = max(u.peak, r.Maxrss>>10)
	}
}

func (u *usage) report(b *testing.B, name string) {
	b.Helper()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(u.processor.Seconds()/float64(b.N), name+"cpu-s")
	b.ReportMetric(u.clock.Seconds()/float64(b.N), name+"wall-s")
	b.ReportMetric(float64(u.peak), name+"MiB")
}

// wordyRepo makes a repository of files of so many bytes of code, whose names are drawn evenly from
// 20,000, which is harder than real code is; the one test fails with so much output of
// go test -v, most of which names a place in one of the files. The task speaks of a few
// of the names. Nothing of it is held: what a process is said to have held at most begins
// with what its parent does.
func wordyRepo(b *testing.B, files, bytes, output int) (repo, task string) {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 4000)
	for i := range words {
		word := make([]byte, 3+r.IntN(6))
		for k := range word {
			word[k] = "etaoinshrdlucmfwypvbgkqjxz"[min(r.IntN(26), r.IntN(26))]
		}
		words[i] = string(word)
	}
	names := make([]string, 20000)
	for i := range names {
		second := words[r.IntN(len(words))]
		names[i] = words[r.IntN(len(words))] + strings.ToUpper(second[:1]) + second[1:]
	}
	name := func() string { return names[r.IntN(len(names))] }
	path := func(i int) string { return fmt.Sprintf("area%d/pkg%d/file%d.go", i/200, i/10, i) }
	repo = testkit.Repo(b, map[string]string{
		".booty.yml": "test_command: sh test.sh\nmax_retries: 1\n", "hello.sh": "echo 0\n",
		"test.sh":       "cat log\nexit 1\n",
		"replies.jsonl": `{"reply": "Summary: fix: try\n\nhello.sh\n` + "```sh\\necho 1\\n```" + `\n"}` + "\n",
	})
	put := func(file, text string) { testkit.Write(b, repo, map[string]string{file: text}) }
	for i := range files {
		var s strings.Builder
		fmt.Fprintf(&s, "package pkg%d\n\nimport \"fmt\"\n", i/10)
		for s.Len() < bytes {
			a, f := name(), name()
			fmt.Fprintf(&s, "\n// %s %s a %s of the %s.\nfunc %s(%s int) (int, error) {\n\tif %s > %d {\n"+
				"\t\treturn 0, fmt.Errorf(\"%s: %%d\", %s)\n\t}\n\treturn %s.%s(%s), nil\n}\n",
				f, words[r.IntN(len(words))], name(), name(), f, a, a, r.IntN(100), name(), a, name(), name(), a)
		}
		put(path(i), s.String())
	}
	log := strings.Builder{}
	log.WriteString("=== RUN   TestHello\n    hello_test.go:7: got 0\n--- FAIL: TestHello (0.00s)\n")
	for n := 0; log.Len() < output; n++ {
		test, result := fmt.Sprintf("Test%s%d", name(), n), "PASS"
		if n%700 == 0 {
			result = "FAIL"
		}
		fmt.Fprintf(&log, "=== RUN   %s\n    %s:%d: got %d, want %d\n--- %s: %s (0.00s)\n",
			test, path(r.IntN(files)), 1+r.IntN(90), r.IntN(99), r.IntN(99), result, test)
	}
	put("log", log.String()+"FAIL\nFAIL\texample.com/many\t0.1s\nFAIL\n")
	testkit.Git(b, repo, "add", "-A")
	testkit.Git(b, repo, "commit", "-qm", "many files")
	return repo, fmt.Sprintf("fix: %s of %s, %s and %s", name(), name(), name(), name())
}
