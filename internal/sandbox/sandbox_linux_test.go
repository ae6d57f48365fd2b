package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proc"
	"github.com/booty-cli/booty/internal/testkit"
)

// place is a home with secrets and a repository in it.
func place(t *testing.T) (home, root string) {
	t.Helper()
	home = t.TempDir()
	testkit.Write(t, home, map[string]string{
		".ssh/id_ed25519": "PLANTED", ".aws/credentials": "PLANTED", ".config/gh/hosts.yml": "PLANTED", ".netrc": "PLANTED",
		".config/booty/config.yml": "PLANTED", ".local/state/booty/booty.db": "PLANTED", ".git-credentials": "PLANTED",
		".mozilla/firefox/x/logins.json": "PLANTED", ".local/share/keyrings/login.keyring": "PLANTED", ".docker/config.json": "PLANTED",
		".npmrc":     "//registry.example.com/:_authToken=PLANTED\n",
		".gitconfig": "[user]\n\tname = Plain\n[include]\n\tpath = dotfiles/git\n", "dotfiles/git": "plain", ".cargo/credentials.toml": "PLANTED",
		".qwen/settings.json": "PLANTED", ".factory/auth.json": "PLANTED", ".grok/user-settings.json": "PLANTED", ".grok/bin/grok": "plain",
		".copilot/config.json": "PLANTED", ".cache/huggingface/token": "PLANTED", ".local/share/com.vercel.cli/auth.json": "PLANTED",
		".unheard-of/key": "PLANTED", ".config/other/settings": "PLANTED", ".bashrc": "PLANTED", "notes/todo": "PLANTED", ".cache/one": "PLANTED",
		".cargo/bin/tool": "plain", ".cargo/registry/index": "plain", ".m2/settings.xml": "plain", ".nvm/versions/node/v20/lib/x.js": "plain",
		"shared/lib/code": "plain", "src/repo/file": "plain",
	})
	return home, filepath.Join(home, "src", "repo")
}

func plan(t *testing.T, c Config) *Plan {
	t.Helper()
	if landlockVersion() < versionRefer {
		t.Skip("this kernel has no Landlock of use")
	}
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// inBox runs a script in the root and gives its output, both streams.
func inBox(t *testing.T, p *Plan, script string, env ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Dir = p.c.Root
	cmd.Env = append(append(os.Environ(), "HOME="+p.c.Home), env...)
	if err := p.Wrap(cmd); err != nil {
		t.Fatal(err)
	}
	return runWrapped(t, cmd)
}

// runWrapped runs a wrapped command as booty does. The error is of an exit code other than 0.
func runWrapped(t *testing.T, cmd *exec.Cmd) (string, error) {
	t.Helper()
	text, code := waitWrapped(t, cmd)
	if code != 0 {
		return text, fmt.Errorf("exit status %d", code)
	}
	return text, nil
}

func waitWrapped(t *testing.T, cmd *exec.Cmd) (output string, code int) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd.Stdout, cmd.Stderr = w, w
	running, err := proc.Start(cmd, proc.Options{Supervise: true, Grace: 200 * time.Millisecond})
	_ = w.Close()
	if err != nil {
		t.Fatal(err)
	}
	text, readErr := io.ReadAll(r) // to the end: nobody holds the pipe any more
	exit, err := running.Wait()
	if err := errors.Join(err, readErr); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return string(text), exit.Code
}

// eitherWay runs a test with mounts and without.
func eitherWay(t *testing.T, test func(t *testing.T, noMounts bool)) {
	t.Helper()
	t.Run("with mounts", func(t *testing.T) {
		if s := Mounts(t.TempDir()); !s.View {
			t.Skip(s.Why)
		}
		test(t, false)
	})
	t.Run("without mounts", func(t *testing.T) { test(t, true) })
}

// TestSecretsCannotBeReadAndTheRestCan: with mounts, what is empty is in the place of
// secrets, and the directories above can be listed.
func TestSecretsCannotBeReadAndTheRestCan(t *testing.T) {
	eitherWay(t, func(t *testing.T, noMounts bool) {
		home, root := place(t)
		t.Setenv("PATH", os.Getenv("PATH")+":"+filepath.Join(home, ".grok/bin"))
		p := plan(t, Config{Root: root, Home: home, Network: true, noMounts: noMounts, Read: []string{"~/shared"}})
		for _, name := range []string{
			".qwen/settings.json", ".factory/auth.json", ".grok/user-settings.json", ".copilot/config.json", ".cache/huggingface/token",
			".local/share/com.vercel.cli/auth.json", ".unheard-of/key", ".config/other/settings", ".bashrc", "notes/todo", ".cache/one",
			".cargo/credentials.toml", ".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".config/booty/config.yml", ".local/state/booty/booty.db",
			".git-credentials", ".mozilla/firefox/x/logins.json", ".local/share/keyrings/login.keyring", ".docker/config.json", ".npmrc",
		} {
			ways := []string{
				`cat "$HOME/` + name + `"`, `cp "$HOME/` + name + `" stolen; cat stolen`, `ln "$HOME/` + name + `" hard; cat hard`,
				`ln -sf "$HOME/` + name + `" soft; cat soft`, `cd "$HOME/` + filepath.Dir(name) + `/.." && cat ` + filepath.Base(filepath.Dir(name)) + `/` + filepath.Base(name),
				`cat "/proc/$PPID/root$HOME/` + name + `" /proc/1/root"$HOME/` + name + `"`, `rm -f "$HOME/` + name + `"; cat "$HOME/` + name + `"`,
				`umount "$HOME/` + name + `" || umount -l "$HOME/` + filepath.Dir(name) + `"; cat "$HOME/` + name + `"`,
				`unshare -Urm sh -c 'umount "$HOME/` + name + `"; umount -l "$HOME/` + filepath.Dir(name) + `"; cat "$HOME/` + name + `"'`,
			}
			out, _ := inBox(t, p, "{ (\n"+strings.Join(ways, "\n); echo NEXT; (\n")+"\n) } 2>&1")
			for i, said := range strings.Split(out, "NEXT\n") {
				if strings.Contains(said, "PLANTED") {
					t.Errorf("%s: got %q", ways[i], said)
				}
			}
			if tried := strings.Count(out, "NEXT\n") + 1; tried != len(ways) {
				t.Errorf("%s: %d of %d ways were tried: %q", name, tried, len(ways), out)
			}
			if b, err := os.ReadFile(filepath.Join(home, name)); err != nil || !strings.Contains(string(b), "PLANTED") {
				t.Errorf("%s is not as it was: %q, %v", name, b, err)
			}
		}
		if out, err := inBox(t, p, `ls "$HOME/.ssh"`); strings.Contains(out, "id_") || noMounts && err == nil {
			t.Errorf("a secret directory was listed: %s", out)
		}
		if out, err := inBox(t, p, `ls / "$HOME" "$HOME/src"`); !noMounts && (err != nil || strings.Contains(out, "notes") || !strings.Contains(out, "repo")) {
			t.Errorf("what the work tree is in should be listed: %s", out)
		}
		for _, name := range []string{".gitconfig", "dotfiles/git", ".cargo/bin/tool", ".cargo/registry/index", ".m2/settings.xml", ".grok/bin/grok",
			".nvm/versions/node/v20/lib/x.js", "shared/lib/code", "src/repo/file"} {
			if out, err := inBox(t, p, `cat "$HOME/`+name+`"`); err != nil {
				t.Errorf("%s: %s", name, out)
			}
		}
		if noMounts {
			return
		}
		if out, err := inBox(t, p, `test -z "$(cat "$HOME/.cargo/credentials.toml")" && test ! -e "$HOME/.netrc"`); err != nil {
			t.Errorf("tools should find files without anything, or none: %q, %v", out, err)
		}
		testkit.Write(t, home, map[string]string{".azure/new": "PLANTED"})
		if out, _ := inBox(t, p, `cat "$HOME/.azure/new"`); strings.Contains(out, "PLANTED") {
			t.Error("a secret that came later was read")
		}
	})
}

// TestGitsSettingsComeWithoutPasswords: the other lines of such a file are there.
func TestGitsSettingsComeWithoutPasswords(t *testing.T) {
	if s := Mounts(t.TempDir()); !s.View {
		t.Skip(s.Why)
	}
	home, root := place(t)
	testkit.Write(t, home, map[string]string{".gitconfig": "[user]\n\tname = Plain\n[http]\n\textraHeader = Authorization: PLANTED\n" +
		"[url \"https://me:PLANTED@example.com/\"]\n\tinsteadOf = https://example.com/\n[include]\n\tpath = ~/more\n",
		"more": "[user]\n\temail = plain@example.com\n[credential]\n\thelper = store\n[my]\n\ttoken = PLANTED\n"})
	p := plan(t, Config{Root: root, Home: home, Network: true})
	out, err := inBox(t, p, `git config --global --list --includes && cat ~/.gitconfig ~/more && ! echo x >>~/more`)
	if err != nil || strings.Contains(out, "PLANTED") || !strings.Contains(out, "user.name=Plain") || !strings.Contains(out, "user.email=plain@example.com") {
		t.Errorf("%v %s", err, out)
	}
}

func TestWritingIsForTheWorkTreeTempAndCaches(t *testing.T) {
	home, root := place(t)
	elsewhere := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", "")
	testkit.Write(t, root, map[string]string{"go.mod": "module x\n"})
	testkit.Write(t, home, map[string]string{".cache/go-build/one": "x", ".cache/p10k-prompt.zsh": "plain", ".cache/pre-commit/hook": "plain",
		".local/share/uv/tools/x": "plain", ".mix/archives/x": "plain", ".npm/_npx/x": "plain", "go/bin/x": "plain"})
	// The places have to be there when the plan is made.
	if err := os.Mkdir(filepath.Join(home, "results"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := plan(t, Config{Root: root, Home: home, Network: true, Write: []string{"~/results", elsewhere}})
	for _, script := range []string{
		`echo x >new && mkdir -p a/b && mv new a/b/new && rm -r a && ln -s file link && mkfifo pipe`,
		`f=$(mktemp) && echo x >"$f" && mkdir "$TMPDIR/d" && echo y >"$TMPDIR/d/f" && mv "$TMPDIR/d/f" moved`,
		`echo x >"$HOME/.cache/go-build/two"`,
		`echo x >"$HOME/results/f" && echo x >` + elsewhere + `/f`,
		`echo x >/dev/null && : >/dev/shm/booty-test-$$ && rm /dev/shm/booty-test-$$`,
		`: >file && rm file`,
	} {
		if out, err := inBox(t, p, script); err != nil {
			t.Errorf("%s: %v: %s", script, err, out)
		}
	}
	for _, name := range []string{".cache/p10k-prompt.zsh", ".cache/pre-commit/hook", ".local/share/uv/tools/x", ".mix/archives/x", ".npm/_npx/x", "go/bin/x"} {
		if out, err := inBox(t, p, `echo x >"$HOME/`+name+`"`); err == nil {
			t.Errorf("%s was written to: %s", name, out)
		}
	}
	for _, script := range []string{
		`mkdir "$HOME/.cache/tool"`, `echo x >"$HOME/new"`, `echo x >>"$HOME/.bashrc"`, `: >"$HOME/.bashrc"`, `rm "$HOME/notes/todo"`, `mv "$HOME/notes" "$HOME/gone"`,
		`mkdir "$HOME/.ssh/x"`, `echo x >../sibling`, `mv file ../file`, `ln -s x "$HOME/link"`, `echo x >/usr/local/booty-test`,
		`truncate -s 0 "$HOME/.bashrc"`, `echo k >>"$HOME/.ssh/authorized_keys"`, `echo x >` + filepath.Dir(elsewhere) + `/up`,
	} {
		if out, err := inBox(t, p, script); err == nil {
			t.Errorf("%s: was allowed: %s", script, out)
		}
	}
	if b, _ := os.ReadFile(filepath.Join(home, ".bashrc")); string(b) != "PLANTED" {
		t.Errorf(".bashrc holds %q", b)
	}
}

// TestReadOnlyPlacesStay: what git obeys cannot be written to, moved, unmounted
// or replaced from inside, and one command may be let in.
func TestReadOnlyPlacesStay(t *testing.T) {
	home := testkit.Hermetic(t)
	root := testkit.Repo(t, map[string]string{"file": "plain", "hooks/pre-commit": "true"})
	git := filepath.Join(root, ".git")
	fixed := []string{git, filepath.Join(root, "hooks"), filepath.Join(root, "none")}
	p := plan(t, Config{Root: root, Home: home, Network: true, ReadOnly: fixed})
	if !p.canMount {
		t.Skip("this system gives no mount namespace")
	}
	for _, script := range []string{
		`git config core.hooksPath evil`, `echo evil >.git/hooks/post-checkout`, `rm -rf .git`, `mv .git .hidden`, `echo x >> hooks/pre-commit`,
		`umount .git`, `umount -l .git`, `mount -o remount,rw,bind .git`, `unshare -Urm sh -c 'umount .git; echo x > .git/x'`, `ln -sfn /tmp .git`, `rmdir .git; chmod 777 .git`,
		`chmod 777 .git/config`, `mount --bind /tmp .git`, `nsenter -t 1 -m sh -c "echo x > $PWD/.git/x"`, `echo x > /proc/1/root$PWD/.git/x`,
	} {
		before := testkit.Git(t, root, "config", "--list")
		out, _ := inBox(t, p, script+`; ls -l .git`)
		if now := testkit.Git(t, root, "config", "--list"); now != before {
			t.Errorf("%s: the settings are %s\n%s", script, now, out)
		}
		for _, name := range []string{"x", "hooks/post-checkout"} {
			if _, err := os.Lstat(filepath.Join(git, name)); err == nil {
				t.Errorf("%s: .git/%s was made\n%s", script, name, out)
			}
		}
		if b, _ := os.ReadFile(filepath.Join(root, "hooks", "pre-commit")); string(b) != "true" {
			t.Errorf("%s: the hook holds %q", script, b)
		}
		if info, err := os.Lstat(filepath.Join(git, "config")); err != nil || info.Mode().Perm() == 0o777 {
			t.Errorf("%s: .git/config: %v %v", script, info, err)
		}
	}
	if out, err := inBox(t, p, `git status --porcelain && git log --oneline && echo x > new && git diff --stat`); err != nil {
		t.Errorf("git that only reads: %v %s", err, out)
	}
	cmd := exec.Command("/bin/sh", "-c", "git config booty.test yes")
	cmd.Dir = root
	if err := p.Wrap(cmd, git); err != nil {
		t.Fatal(err)
	}
	if out, err := runWrapped(t, cmd); err != nil || testkit.Git(t, root, "config", "booty.test") != "yes" {
		t.Errorf("a command that was let in: %v %s", err, out)
	}
	opened := plan(t, Config{Root: root, Home: home, Network: true, ReadOnly: fixed, Write: []string{".git"}})
	if out, err := inBox(t, opened, `git config booty.test no`); err != nil {
		t.Errorf("opened by sandbox.write: %v %s", err, out)
	}
}

// TestCapabilitiesAreGone: a command of root keeps what package managers need.
func TestCapabilitiesAreGone(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("an ordinary user has no capabilities")
	}
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	out, err := inBox(t, p, `grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)' /proc/self/status; chown 1:1 file && mknod device b 7 0`)
	if err == nil {
		t.Errorf("a device was made: %s", out)
	}
	for _, line := range strings.Split(out, "\n") {
		name, value, _ := strings.Cut(line, ":")
		bits, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		if !strings.HasPrefix(name, "Cap") || err != nil {
			continue
		}
		for _, c := range []int{2, 17, 19, 21, 27, 38, 39} { // read all, raw devices, ptrace, admin, mknod, perfmon, bpf
			if bits&(1<<c) != 0 {
				t.Errorf("%s holds capability %d", name, c)
			}
		}
	}
	if info, err := os.Stat(filepath.Join(root, "file")); err != nil || info.Sys().(*syscall.Stat_t).Uid != 1 {
		t.Errorf("chown should work: %v", out)
	}
}

func TestAgentsAreNotInTheEnvironmentUnlessNamed(t *testing.T) {
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true, Env: []string{"GPG_AGENT_INFO"}})
	out, err := inBox(t, p, `echo "[$SSH_AUTH_SOCK] [$GPG_AGENT_INFO] [$BOOTY_SANDBOX]"`, "SSH_AUTH_SOCK=/x", "GPG_AGENT_INFO=/y")
	if err != nil || out != "[] [/y] []\n" {
		t.Errorf("got %q, %v", out, err)
	}
}

func TestNothingOutsideCanBeSignalled(t *testing.T) {
	if landlockVersion() < versionScope {
		t.Skip("this kernel cannot rule signals")
	}
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	victim := exec.Command("sleep", "600")
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = victim.Process.Kill()
		_ = victim.Wait()
	}()
	if out, err := inBox(t, p, `kill -0 `+strconv.Itoa(victim.Process.Pid)); err == nil {
		t.Errorf("was allowed: %s", out)
	}
	if out, err := inBox(t, p, `sleep 600 & kill $!`); err != nil {
		t.Errorf("its own children must be: %s", out)
	}
}

// TestNoAbstractSocketOutsideIsReached: a desktop's bus or a container's engine may
// listen on one, which no rule about files covers.
func TestNoAbstractSocketOutsideIsReached(t *testing.T) {
	if landlockVersion() < versionScope {
		t.Skip("this kernel cannot rule abstract sockets")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	name := "booty-test-" + strconv.Itoa(os.Getpid())
	outside, err := net.Listen("unix", "@"+name)
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	if inside, err := net.Dial("unix", "@"+name); err != nil {
		t.Fatal(err)
	} else {
		inside.Close()
	}
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	reach := python + ` -c 'import socket; socket.socket(socket.AF_UNIX).connect("\0` + name + `")'`
	if out, err := inBox(t, p, reach); err == nil || !strings.Contains(out, "PermissionError") {
		t.Errorf("reached, or for another reason not: %v: %s", err, out)
	}
	own := python + ` -c 'import socket
s = socket.socket(socket.AF_UNIX); s.bind("\0` + name + `-own"); s.listen(); socket.socket(socket.AF_UNIX).connect("\0` + name + `-own")'`
	if out, err := inBox(t, p, own); err != nil {
		t.Errorf("its own must be: %v: %s", err, out)
	}
}

func TestWithoutNetworkThereIsLoopbackOnly(t *testing.T) {
	if _, err := trySpaces(spaces{network: true}, rules{}); err != nil {
		t.Skipf("no network namespaces here: %v", err)
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	home, root := place(t)
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	port := strconv.Itoa(outside.Addr().(*net.TCPAddr).Port)
	reach := python + ` -c 'import socket; socket.create_connection(("127.0.0.1", ` + port + `), 5)'`
	own := python + ` -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); c = socket.create_connection(s.getsockname(), 5); c.send(b"x"); print(s.accept()[0].recv(1))'`

	p := plan(t, Config{Root: root, Home: home, Network: true})
	if out, err := inBox(t, p, reach); err != nil {
		t.Fatalf("with network: %s", out)
	}
	p = plan(t, Config{Root: root, Home: home, Network: false})
	if out, err := inBox(t, p, reach); err == nil {
		t.Errorf("without network: reached: %s", out)
	}
	if out, err := inBox(t, p, own); err != nil || out != "b'x'\n" {
		t.Errorf("loopback: %v: %s", err, out)
	}
	if out, err := inBox(t, p, `cat "$HOME/.ssh/id_ed25519"`); err == nil {
		t.Errorf("files: %s", out)
	}
	if out, err := inBox(t, p, `id -u; touch mine && test -O mine`); err != nil || strings.TrimSpace(out) != strconv.Itoa(os.Getuid()) {
		t.Errorf("the user should be the same: %v: %s", err, out)
	}
}

func TestOffLeavesCommandsAloneAndWarns(t *testing.T) {
	p, err := New(Config{Mode: Off, Root: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh")
	if err := p.Wrap(cmd); err != nil || cmd.Path != "/bin/sh" || len(p.Notes) != 1 || p.Close() != nil {
		t.Errorf("got %v, %v, %q", err, cmd, p.Notes)
	}
}

func TestFailedEntryDoesNotRestartForever(t *testing.T) {
	home, root := place(t)
	p := plan(t, Config{Root: root, Home: home, Network: true})
	t.Setenv(enterVariable, "1")
	if err := p.Wrap(exec.Command("/bin/true")); !errors.Is(err, errNested) {
		t.Errorf("got %v", err)
	}
	if _, err := trySpaces(spaces{network: true}, rules{}); !errors.Is(err, errNested) {
		t.Errorf("got %v", err)
	}
}

func TestRequireNamesWhatIsMissing(t *testing.T) {
	t.Setenv(enterVariable, "1") // no namespaces then
	_, err := New(Config{Mode: Require, Root: t.TempDir(), Home: t.TempDir()})
	if fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "network not restricted") {
		t.Errorf("got %v", err)
	}
}

func TestARefusalIsExplainedAndNothingElseIs(t *testing.T) {
	home, root := place(t)
	if err := os.MkdirAll(filepath.Join(home, ".cache/pre-commit/db"), 0o755); err != nil {
		t.Fatal(err)
	}
	p := plan(t, Config{Root: root, Home: home, Network: true})
	for script, want := range map[string]string{
		`echo x >"$HOME/new/file"; mkdir "$HOME/new"`:      "write to ~/new",
		`cat "$HOME/.ssh/id_ed25519"`:                      "read ~/.ssh/id_ed25519",
		`cat "$HOME/.config/other/settings"`:               "hides ~/.config/other from the commands; if they need it, name it under sandbox.read",
		`cat "$HOME/notes/todo"`:                           "hides ~/notes/todo",
		`echo x >"$HOME/.cache/pre-commit/db/x"`:           "write to ~/.cache/pre-commit;",
		`cat /dev/kmsg`:                                    "the device /dev/kmsg",
		`python3 -c 'open("` + home + `/x", "w")'`:         "write to ~/x",
		`node -e 'fs.writeFileSync("` + home + `/y", "")'`: "write to ~/y",
	} {
		if tool, _, _ := strings.Cut(script, " "); strings.HasPrefix(tool, "python") || tool == "node" {
			if _, err := exec.LookPath(tool); err != nil {
				continue
			}
		}
		if _, err := os.Stat("/dev/kmsg"); err != nil && strings.Contains(script, "kmsg") {
			continue
		}
		out, err := inBox(t, p, script)
		if got := p.Explain(out); err == nil || !strings.Contains(got, want) {
			t.Errorf("%s: got %q of\n%s", script, got, out)
		}
	}
	for _, text := range []string{
		"", "no such file or directory: " + home + "/x", "permission denied", "open " + root + "/x: permission denied",
		"open " + p.tmp + "/x: permission denied", "permission denied (publickey)", "open relative/path: permission denied",
		"cat " + home + "/.ssh/not-there/at-all: no such file", "cat " + home + "/notes/none: no such file or directory",
		"ls: cannot access " + home + "/.cargo/none: no such file or directory",
		"cat /dev/null: no such file or directory",
	} {
		if got := p.Explain(text); got != "" {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add("open /root/x: permission denied")
	f.Add("EACCES: '/a/../b'")
	p := &Plan{Active: true, rules: rules{root: "/root/src", secrets: []string{"/root/.ssh"}}}
	f.Fuzz(func(t *testing.T, text string) {
		if got := p.Explain(text); strings.Contains(got, "\n") && !strings.Contains(text, "\n") {
			t.Errorf("got %q", got)
		}
	})
}
