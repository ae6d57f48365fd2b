package shadow

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// SnapshotOwner is the test that a Jest or Vitest snapshot belongs to.
func SnapshotOwner(p string) string {
	dir, base := path.Split(p)
	owner, isSnap := strings.CutSuffix(base, ".snap")
	dir, inDir := strings.CutSuffix(dir, "__snapshots__/")
	if !isSnap || !inDir {
		return ""
	}
	return dir + owner
}

var mocksModule = pattern.Lazy(`\b(?:jest|vi)\.(?:mock|doMock|` +
	`setMock)\(\s*['"\x60]([^'"\x60]+)['"\x60]\s*\)`)

// MockedIn gives an old test that mocks, without saying how, the module that a
// file in __mocks__ stands for.
func MockedIn(c *checkout.Files, p string) (test string) {
	if path.Base(path.Dir(p)) != "__mocks__" {
		return ""
	}
	module := strings.TrimSuffix(path.Base(p), path.Ext(p))
	c.Walk(func(f string) {
		if lang := lexer.Of(f); test != "" || lang == nil || lang.Name != "js" ||
			!checkout.IsTestName(f) || c.Own(f) {
			return
		}
		text, err := c.ReadFile(f)
		if err != nil {
			return
		}
		for _, m := range mocksModule().FindAllStringSubmatch(string(text), -1) {
			if base := path.Base(m[1]); strings.TrimSuffix(base, path.Ext(base)) == module {
				test = f
			}
		}
	})
	return test
}

// InMocksOfPackages tells a mock by which a package is replaced in all tests.
func InMocksOfPackages(p string) bool { return strings.HasPrefix(p, "__mocks__/") }
