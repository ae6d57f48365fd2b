package guard

import (
	"path"
	"slices"
	"strings"
)

// replacing are options of linkers and preprocessors that put something else in the
// place of what tests call, compare with or assert by.
var replacing = lazy(`(-Wl,|-Xlinker[ =]|link-arg=|\s|"|^)-{1,2}(wrap|defsym|allow-multiple-definition)\b|-Wl,\S*(--wrap|--defsym|--allow-multiple-definition|muldefs)|(^|[\s"'=;,(])(-include|-imacros|/FI)([\s"',;]|$)|` +
	`-D\s*['"]?(assert|ASSERT\w*|EXPECT\w*|REQUIRE\w*|CHECK\w*|main|strcmp|memcmp|exit|abort)\b|["'\s(](assert|ASSERT\w*|EXPECT\w*|REQUIRE\w*|strcmp|memcmp)(\(\w*\))?=`)

// replacesSymbols tells a build file that gains such an option.
func replacesSymbols(s step) bool {
	count := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			n += len(replacing().FindAllStringSubmatch(stripComment(line, "#", "//"), -1))
		}
		return n
	}
	return count(s.after) > count(s.before)
}

// isIncluded tells a file that a make file beside it, or at the root, includes.
func (g *Guard) isIncluded(p string) bool {
	for _, dir := range []string{path.Dir(p), "."} {
		for _, name := range []string{"GNUmakefile", "makefile", "Makefile"} {
			text, err := g.tree.ReadFile(path.Join(dir, name))
			if err != nil {
				continue
			}
			for _, line := range parseMake(string(text)).other {
				words := strings.Fields(line)
				if len(words) < 2 || !strings.HasSuffix(words[0], "include") {
					continue
				}
				if slices.ContainsFunc(words[1:], func(w string) bool { return path.Join(dir, w) == path.Clean(p) }) {
					return true
				}
			}
		}
	}
	return false
}
