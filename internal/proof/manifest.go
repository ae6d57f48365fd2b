package proof

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
)

// A buildFile is a kind of build file, and the lines in it by which a project takes a version
// of a package from a registry, or which say nothing.
type buildFile struct {
	name  string // a glob of path
	lines *regexp.Regexp
}

// manifests are those with known lines of this kind. All other build files are programs, and are
// put back whole.
var manifests = sync.OnceValue(func() []buildFile {
	const (
		version = `[~^<>=!\s]*v?\d[\w.+*-]*([\s,|]*[~^<>=!-]*\s*v?\d[\w.+*-]*)*`
		entry   = `"[\w@./-]+":\s*"(npm:[\w@./-]+@)?(` + version + `|\*|latest)"`
		value   = `("[^"/:]*"|\[[\s"\w.,-]*\]|true|false)`
		table   = `\{(\s*(version|features|optional|default-features|extras|python|markers|workspace)\s*=\s*` + value + `\s*,?)+\s*\}`
		listed  = `["'][\w.-]+(\[[\w, .-]+\])?\s*([<>=!~]=?\s*[\w.*]+\s*,?\s*)+(;[^@/]*)?["']`
		header  = `\[[\w.'"()=-]*(dependencies|packages)[\w.-]*\]|[\w-]*(dependencies|requires|dev|test)\s*=\s*\[|\]|#.*`
		toml    = `[\w."-]+\s*=\s*("` + version + `"|"\*"|` + table + `)|[\w.]+\.workspace = true|` + listed +
			`|` + header
	)
	var out []buildFile
	for _, row := range [][2]string{
		{"package.json", entry + `|"(devD|peerD|optionalD|d)ependencies":\s*\{|\}`},
		{"composer.json", entry + `|"require(-dev)?":\s*\{|\}`},
		{"Cargo.toml", toml},
		{"pyproject.toml", toml},
		{"Pipfile", toml},
		{"go.mod", `require(\s*\(|\s+[\w.~/-]+ v\S+.*)|\)|[\w.-]+\.[\w.~/-]+ v[^=]+|(go|toolchain) \S+|//.*`},
		{"*requirements*.txt", `[\w.-]+(\[[\w,. -]+\])?\s*([<>=!~]=?[^@:]*)?(;.*)?|#.*`},
		{"Gemfile", `gem ["'][\w-]+["'](,\s*["'][^"']+["'])*(,\s*(require:|:require =>) \S+)?|ruby .*|#.*`},
		{"*.csproj", `<Package(Reference|Version) Include="[\w.-]+" Version="[^"]+"\s*/>`},
		{"*.gradle*", `\w*([iI]mplementation|[aA]pi|Only|kapt|ksp)[ (]+["'][\w.-]+:[\w.-]+(:[^"':@]+)?["']\)?|//.*`},
	} {
		out = append(out, buildFile{row[0], regexp.MustCompile(`^(` + row[1] + `)?$`)})
	}
	return out
})

// WithOldSettings returns the old build file, or the new one if only versions of registry packages
// differ.
func WithOldSettings(name string, old, now []byte) []byte {
	for _, m := range manifests() {
		ok, err := path.Match(m.name, path.Base(name))
		if err == nil && ok && m.coversWhatIsOnlyIn(old, now) && m.coversWhatIsOnlyIn(now, old) {
			return now
		}
	}
	return old
}

// coversWhatIsOnlyIn reports whether all lines of a text that another one lacks are lines of
// dependencies. A comma behind the last of a list says nothing.
func (m buildFile) coversWhatIsOnlyIn(text, other []byte) bool {
	trim := func(line []byte) string {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(string(line)), ","))
	}
	count := map[string]int{}
	for line := range bytes.Lines(other) {
		count[trim(line)]++
	}
	for line := range bytes.Lines(text) {
		l := trim(line)
		if count[l]--; count[l] < 0 && !m.lines.MatchString(l) {
			return false
		}
	}
	return true
}
