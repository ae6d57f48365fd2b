package sandbox

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// Each is a small project whose tests write files, open ports and start
// processes, as tests do, with the tool's own caches in use.
var toolchains = []struct {
	tool, command string
	files         map[string]string
}{
	{"go", "go vet ./... && go test -count=1 -coverprofile=cover.out ./...", map[string]string{
		"go.mod": "module example.com/x\n\ngo 1.21\n",
		"x_test.go": `package x

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

func TestEverythingTestsDo(t *testing.T) {
	if err := os.WriteFile(t.TempDir()+"/f", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("out.txt", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	if _, err := http.Get(s.URL); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", "-c", "echo hi").Output(); err != nil || string(out) != "hi\n" {
		t.Fatal(err)
	}
}
`}},
	{"node", "node --test", map[string]string{
		"package.json": `{"name": "x", "version": "1.0.0", "scripts": {"test": "node --test"}}`,
		"x.test.js": `const test = require('node:test'), fs = require('fs'), os = require('os'), path = require('path'), http = require('http'), cp = require('child_process')
test('everything', async () => {
  const d = fs.mkdtempSync(path.join(os.tmpdir(), 'x-')); fs.writeFileSync(path.join(d, 'f'), 'x'); fs.renameSync(path.join(d, 'f'), path.join(process.cwd(), 'g'))
  const s = http.createServer((q, r) => r.end('ok')).listen(0); await new Promise(r => s.on('listening', r))
  const t = await (await fetch('http://127.0.0.1:' + s.address().port)).text(); s.close(); if (t !== 'ok') throw t
  if (cp.execSync('echo hi').toString() !== 'hi\n') throw 'no'
})
`}},
	{"npm", "npm install --offline --no-audit --no-fund && npm test", map[string]string{
		"package.json": `{"name": "x", "version": "1.0.0", "scripts": {"test": "node -e \"require('fs').writeFileSync('ran', 'x')\""}}`}},
	{"pytest", "pytest -q", map[string]string{
		"test_x.py": `import multiprocessing, os, socket, subprocess, tempfile

def test_everything(tmp_path):
    (tmp_path / "f").write_text("x")
    with tempfile.NamedTemporaryFile() as f:
        f.write(b"x")
    s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
    socket.create_connection(s.getsockname(), 5)
    assert subprocess.check_output(["sh", "-c", "echo hi"]) == b"hi\n"
    with multiprocessing.Pool(2) as p:
        assert p.map(abs, [-1, -2]) == [1, 2]
`}},
	{"cargo", "cargo test --offline", map[string]string{
		"Cargo.toml": "[package]\nname = \"x\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"src/lib.rs": `/// Adds.
///
/// ` + "```" + `
/// assert_eq!(x::add(1, 2), 3);
/// ` + "```" + `
pub fn add(a: i32, b: i32) -> i32 { a + b }
#[test]
fn everything() {
    let p = std::env::temp_dir().join("x-file");
    std::fs::write(&p, "x").unwrap();
    std::fs::rename(&p, "moved").unwrap();
    let l = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    std::net::TcpStream::connect(l.local_addr().unwrap()).unwrap();
}
`}},
	{"make", "make test", map[string]string{
		"Makefile": "test: x\n\t./x && echo ok >result\nx: x.c\n\t$(CC) -o $@ $<\n",
		"x.c":      "#include <stdio.h>\nint main(void) { FILE *f = tmpfile(); return f == NULL; }\n"}},
	{"mvn", "mvn -o -q --version", nil},
	{"java", "java X.java", map[string]string{
		"X.java": `public class X { public static void main(String[] a) throws Exception {
  java.io.File f = java.io.File.createTempFile("xyz", "y"); f.delete();
  try (var s = new java.net.ServerSocket(0)) { new java.net.Socket("127.0.0.1", s.getLocalPort()).close(); }
} }
`}},
	{"git", "git init -q sub && cd sub && echo x >f && git add f && git -c user.name=a -c user.email=a@b commit -qm x && git log -1 --format=%s", nil},
}

func TestToolsWorkInsideUntouched(t *testing.T) {
	if testing.Short() && os.Getenv("BOOTY_TEST_EVERY") == "" { // .ci/run sets it for a second user
		t.Skip("it starts real tools")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("no home directory")
	}
	for _, temp := range sharedTemp {
		if strings.HasPrefix(home+"/", temp+"/") {
			t.Skipf("the home directory lies in %s, which is closed then: tools that know no TMPDIR fail", temp)
		}
	}
	for _, network := range []bool{true, false} {
		if !network && !offline() {
			continue
		}
		for _, c := range toolchains {
			t.Run(c.tool+map[bool]string{true: "", false: ", without network"}[network], func(t *testing.T) {
				if _, err := exec.LookPath(c.tool); err != nil {
					t.Skipf("%s is not here", c.tool)
				}
				root := t.TempDir()
				testkit.Write(t, root, c.files)
				outside := exec.Command("/bin/sh", "-c", c.tool+" --version || "+c.tool+" version || "+c.tool+" -version")
				if outside.Run() != nil {
					t.Skipf("%s does not work here", c.tool)
				}
				p := plan(t, Config{Root: root, Home: home, Network: network})
				out, err := inBox(t, p, c.command)
				if err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				if strings.Contains(strings.ToLower(out), "permission denied") {
					t.Errorf("something was refused:\n%s", out)
				}
			})
		}
	}
}
