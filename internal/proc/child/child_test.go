//go:build unix

package child

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/proc"
)

func TestMain(m *testing.M) {
	if code, ok := proc.Supervise(os.Args, nil); ok {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func sh(script string) Options {
	return Options{Argv: []string{"sh", "-c", script}, MaxOutput: 1 << 20, Supervise: true, Grace: 100 * time.Millisecond}
}

func TestInputAndOutput(t *testing.T) {
	o := sh(`cat; echo oops >&2; exit 3`)
	o.Stdin = strings.Repeat("0123456789", 50_000) // more than a pipe holds
	var seen bytes.Buffer
	o.Output = &seen
	r, err := Run(t.Context(), o)
	if err != nil || string(r.Stdout) != o.Stdin || string(r.Stderr) != "oops\n" || r.ExitCode != 3 || r.Truncated {
		t.Errorf("got %d and %q, exit %d, %v", len(r.Stdout), r.Stderr, r.ExitCode, err)
	}
	if seen.Len() != len(o.Stdin)+5 {
		t.Errorf("%d bytes were handed on", seen.Len())
	}
}

func TestOutputIsBounded(t *testing.T) {
	for _, tail := range []bool{false, true} {
		o := sh(`echo first; yes | head -c 5000000; echo last`)
		o.MaxOutput, o.KeepTail = 1000, tail
		r, err := Run(t.Context(), o)
		if err != nil || len(r.Stdout) != 1000 || !r.Truncated {
			t.Fatalf("tail %v: got %d bytes, %v", tail, len(r.Stdout), err)
		}
		if first, last := bytes.HasPrefix(r.Stdout, []byte("first")), bytes.HasSuffix(r.Stdout, []byte("last\n")); first == tail || last != tail {
			t.Errorf("tail %v: kept %q…%q", tail, r.Stdout[:6], r.Stdout[990:])
		}
	}
}

func TestNothingLivesOn(t *testing.T) {
	// A background child, one that ignores TERM, and one in a session of its own.
	start := `cd "$0"; sleep 300 & echo $! > a; (trap '' TERM; echo $$ > /dev/null; exec sleep 301) & echo $! > b; setsid sleep 302 & echo $! > c; mv c ready; `
	cases := []struct {
		name string
		end  string
		stop func(*Options, context.CancelFunc)
		is   error
	}{
		{"when the command ends", "exit 0", nil, nil},
		{"when the context ends", "wait", nil, context.Canceled},
		{"when the time is over", "wait", func(o *Options, _ context.CancelFunc) { o.Timeout = 1500 * time.Millisecond }, ErrTimeout},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			o := sh(start + c.end)
			o.Argv = append(o.Argv, dir)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.stop != nil {
				c.stop(&o, cancel)
			}
			if errors.Is(c.is, context.Canceled) {
				go func() {
					for ctx.Err() == nil {
						if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
							cancel()
						}
						time.Sleep(5 * time.Millisecond)
					}
				}()
			}
			if _, err := Run(ctx, o); !errors.Is(err, c.is) {
				t.Fatalf("got %v", err)
			}
			for _, f := range []string{"a", "b", "ready"} {
				b, err := os.ReadFile(filepath.Join(dir, f))
				if err != nil {
					t.Fatal(err)
				}
				pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
				if err != nil {
					t.Fatal(err)
				}
				if alive(pid) {
					t.Errorf("%s (%d) lives on", f, pid)
				}
			}
		})
	}
}

// alive: a zombie whose parent is not ours counts as dead.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(b), ") Z ")
}

func TestACommandThatIsMissing(t *testing.T) {
	for _, argv := range [][]string{nil, {"no-such-command-here"}, {"/dev/null"}} {
		if _, err := Run(t.Context(), Options{Argv: argv, Supervise: true}); !errors.Is(err, ErrStart) {
			t.Errorf("%q: got %v", argv, err)
		}
		if _, err := Run(t.Context(), Options{Argv: argv}); !errors.Is(err, ErrStart) {
			t.Errorf("%q without a supervisor: got %v", argv, err)
		}
	}
}
