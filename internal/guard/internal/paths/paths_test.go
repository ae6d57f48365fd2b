package paths

import (
	"path"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// badPaths are spellings that must not pass, on any system.
var badPaths = map[string][]string{
	"nothing, or not clean": {"", ".", "./a.go", "a/", "a//b", "a/./b", "/", "//", " ", "a/ ", "./", "a/.", "\t"},
	"out of the checkout": {
		"..", "../a", "../../a", "a/..", "a/../b", "a/../../b", "a/b/../../../c", "/etc/passwd", "//etc/passwd", "/a", "~", "~/.bashrc", "~root/x",
		"./../a", "a/b/..", ".../../a", "..\\a", "a\\..\\..\\b", "\\a", "\\\\server\\share\\a", "//server/share", "\\\\?\\C:\\a", "//?/C:/a", "\\\\.\\pipe\\a",
		"C:\\a", "C:/a", "C:a", "c:", "Z:/", "file:///etc/passwd", "a/C:/b", ".. /a", "..\u00a0/a", ". ./a", ".. ", "...", "a/...", "a/.../b", "....//a", "..;/a/.",
	},
	"another form of a dot or slash": {
		"．．/a", "‥/a", "a/‥/b", "․․/a", "．/a", "a／..／b", "..／a", "..∕a", "..⁄a", "a⧸b", "..＼a", "..﹨a", "..∖a", "a⧵b", "a╱b", "C：/a", "C﹕/a", "a：b", "a∶b",
		"．git/config", ".．/a", "。。/a", "｡｡/a", "a／", "／etc/passwd", "℀/a", "a/℅", "a/\u2025", "a\u29f8..\u29f8b", "﹒﹒/a", "…", "a/…", "…/a", "⒈/a",
	},
	"git's own directory": {
		".git", ".git/config", ".git/hooks/pre-commit", "a/.git/config", "a/b/.git", ".GIT/config", ".Git/HEAD", ".gIt", ".git./config", ".git../x", ".git /config", ".git  /x",
		".git. /x", ".git .", ".git::$INDEX_ALLOCATION/config", ".git:$I30:$INDEX_ALLOCATION/x", ".git::$DATA", ".git:x", "git~1", "git~1/config", "GIT~1/config", "Git~2/x", "a/git~1/b", "GI7EBA~1/config", "gi7d29~1",
		".git\\config", ".git\\hooks\\x", "a\\.git\\b", ".git\x00", ".git\x00/x", ".git\n", ".git\t/x", ".git\r",
		".g\u200cit/config", ".gi\u200dt/config", "\u200e.git/config", ".git\u200f/config", "\ufeff.git/config", ".g\u00adit/x", ".gi\u2060t/x", ".g\u206ait/x", ".git\u202a/x", ".\u200bgit/x",
		".g\u034fit/x", ".gi\u180et/x", ".git\u2028", "\u202e.git/x", ".ｇit/config", "．ｇｉｔ/config", ".ɡit/config", ".gıt/config", ".gіt/config", ".giт/config", ".ⅰgit/../x", ".𝐠it/config", ".ⓖit/config",
		".gİt/x", ".g\ufe0fit/x", ".git\u3000/x", ".git\u00a0", ".git\u2800/x", ".gⅰt", ".git\u0000.md", " .git/x", "\u00a0.git/x",
	},
	"booty's own file": {
		".booty.yml", ".booty.yaml", ".BOOTY.YML", ".Booty.Yaml", ".booty.yml.", ".booty.yml ", ".booty.yml/x", ".booty.yml::$DATA", "BOOTY~1.YML", "booty~1.yam", ".bооty.yml", ".booty.yⅿl",
		".b\u200booty.yml", "．booty.yml", ".ｂooty.yml", ".booty．yml", ".booty\u2024yml", "BO1234~1.YML", ".booty.yml\x00.go", ".boοty.yml", "./.booty.yml", "a/../.booty.yml", ".booty.ym\u217c",
	},
	"a device": {
		"con", "CON", "Con.txt", "con.go", "a/con.go", "con/a.go", "prn", "PRN.md", "aux", "aux.c", "src/aux/a.go", "nul", "NUL.txt", "nul.tar.gz", "com1", "COM1.txt", "com9.log", "lpt1", "LPT9.x", "com0.a", "lpt0",
		"COM¹", "com².txt", "COM³.log", "LPT¹.md", "lpt²", "lpt³.x", "conin$", "CONOUT$", "CON .txt", "con  .go", "nul .", "clock$", "aux ", "ｃｏｎ.txt", "com１.txt", "conin$.txt",
	},
	"an ending that some systems drop": {"a.", "a..", "a.go.", "a.go ", "a.go. ", "dir./a", "dir /a", "dir../a", "a\u00a0", "a\u2003/b", "a\u3000", "conftest.py.", ".env ", ".env."},
	"characters that are not seen": {
		"a\x00b", "a\x00", "\x00", "a\nb", "a\rb", "a\tb", "a\x1bb", "a\x7f", "a\u0085b", "a\u200bb", "a\u202eog.txt", "a\u2066b", "a\u2069", "a\u061cb", "a\ufeffb", "a\u2028b", "a\u2029b", "\U000e0041", "a\U000e0001b",
		"a\u3164b", "a\u115fb", "a\uffa0b", "a\uf028", "a\ue000b", "a\U000f0000", "a\ufdd0", "a\U0001fffe",
	},
	"bytes that are no text": {"\xff", "a\xc0\xafb", "..\xc0\xaf", ".git\xff", "a\xed\xa0\x80", "\xf4\x90\x80\x80"},
	"a short alias":          {"PROGRA~1/a", "conftE~1.py", "MAKEFI~1", "a/secret~1.jso", "LONGNA~12.TXT"},
	"too long":               {strings.Repeat("a", 300), strings.Repeat("a/", 2100) + "b"},
}

// goodPaths are honest, however unusual.
var goodPaths = []string{
	"a.go", "a/b/c.go", "..foo", "foo..bar",
	".github/ISSUE_TEMPLATE/bug.md", ".gitignore", ".gitattributes", ".gitmodules", ".github/CODEOWNERS", ".gitlab-ci.yml", "git/config.go", "gitignore.go", "a.git/x", "my.git.go", ".gitkeep", ".gitx", "x.git",
	"console.go", "contest.js", "connect.py", "auxiliary.c", "nullable.ts", "null.go", "com10.txt", "comma.go", "lpt.go", "com.go", "printer.go", "prn2.txt", "conf/aux_test.go", "concat", "COM", "LPT10",
	"latest.py", "testing.go", "spec_parser.rs", "über/straße.go", "日本語/テスト.md", "документ.txt", "naïve café.md", "ファイル.txt", "한국어.go", "עברית.md", "ελληνικά.tex", "a b.txt", "a  b.txt", "dir with blanks/a b.go",
	"e\u0301.txt", "\u00e9.txt", "😀.md", "❤️.md", "it's.md", "a,b.txt", "a;b", "a=b", "a+b.go", "a@2x.png", "$lib/x.ts", "$id.tsx", "[slug].tsx", "[...all].ts", "(group)/page.tsx", "@scope/pkg/index.js", "#notes.md", "a#b", "a%20b",
	"a&b.txt", "!important.md", "a!b", "a^b", "{x}.txt", "`a`.md", "~a.go", "main.c~", "a~b.go", ".#lock", "-flag", "--help", "_private.go", "__init__.py", ".hidden", "...a", "....b", "a...b", "v1.2.3", "a.b.c.d", "Makefile",
	"booty.yml", ".booty.yml.example", "docs/booty.yaml", "x.booty.yml", ".booty/x", "a…b.md", "l·l.md", "½.md", "ﬁle.txt", "№1.txt", "α.go", "т.go", "вот.md", "ıtır.md", "C/a.go", "c++/a.cc", "a/b~c/d.go", "file~12345678.txt", "node~1-backup.md",
}

func TestCheckPathRefuses(t *testing.T) {
	n := 0
	for name, paths := range badPaths {
		for _, p := range paths {
			n++
			if Check(p) == nil {
				t.Errorf("%s: %+q passes", name, p)
			}
		}
	}
	if n < 150 {
		t.Errorf("got %d tricks, want at least 150", n)
	}
}

func TestCheckPathLetsHonestNamesPass(t *testing.T) {
	for _, p := range goodPaths {
		if err := Check(p); err != nil {
			t.Errorf("%+q: %v", p, err)
		}
	}
}

func FuzzCheckPath(f *testing.F) {
	for _, paths := range badPaths {
		for _, p := range paths {
			f.Add(p)
		}
	}
	for _, p := range goodPaths {
		f.Add(p)
	}
	f.Fuzz(func(t *testing.T, p string) {
		if Check(p) != nil {
			return
		}
		// As Unix reads it, as Windows does, and after either was normalised.
		for _, form := range []string{p, norm.NFC.String(p), norm.NFD.String(p), norm.NFKC.String(p), norm.NFKD.String(p), strings.ToLower(p), strings.ToUpper(p)} {
			stays(t, p, form, "/")
			stays(t, p, strings.ReplaceAll(form, `\`, "/"), "/")
		}
		if filepath.IsAbs(p) || !filepath.IsLocal(filepath.FromSlash(p)) {
			t.Errorf("%+q is not local", p)
		}
	})
}

// stays fails where a spelling leaves the root or reaches .git.
func stays(t *testing.T, p, form, sep string) {
	t.Helper()
	clean := path.Clean("/root/checkout/" + form)
	if !strings.HasPrefix(clean, "/root/checkout/") {
		t.Errorf("%+q leaves the checkout as %q", p, clean)
	}
	for _, part := range strings.Split(form, sep) {
		// Windows drops trailing dots and blanks and cuts a stream; a Mac drops
		// invisible characters.
		part, _, _ = strings.Cut(part, ":")
		part = strings.TrimRight(part, ". ")
		part = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, part)
		if part == "" || strings.EqualFold(part, ".git") || strings.EqualFold(part, "git~1") || strings.EqualFold(part, ".booty.yml") {
			t.Errorf("%+q reaches %q", p, part)
		}
	}
}
