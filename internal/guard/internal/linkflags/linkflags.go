// Package linkflags knows the options of linkers and preprocessors that replace what
// tests are made of.
package linkflags

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// Replacing are options of linkers and preprocessors that put something else in the
// place of what tests call, compare with or assert by.
var Replacing = pattern.Lazy(`(-Wl,|-Xlinker[ =]|link-arg=|\s|"|^)-{1,2}(wrap|defsym|` +
	`allow-multiple-definition)\b|-Wl,\S*(--wrap|--defsym|--allow-multiple-definition|muldefs)|(^|` +
	`[\s"'=;,(])(-include|-imacros|/FI)([\s"',;]|$)|` +
	`-D\s*['"]?(assert|ASSERT(_\w+)?|EXPECT(_\w+)?|REQUIRE(_\w+)?|CHECK(_\w+)?|main|strcmp|memcmp|` +
	`exit|abort)\b|` +
	`["'\s(](assert|ASSERT(_\w+)?|EXPECT(_\w+)?|REQUIRE(_\w+)?|strcmp|memcmp)(\(\w*\))?=`)

// ReplacesSymbols tells a build file that gains such an option.
func ReplacesSymbols(s checkout.Step) bool {
	count := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			n += len(Replacing().FindAllStringSubmatch(StripComment(line, "#", "//"), -1))
		}
		return n
	}
	return count(s.After) > count(s.Before)
}

// StripComment gives nothing for a line that is a comment by one of the marks.
func StripComment(line string, marks ...string) string {
	for _, m := range marks {
		if strings.HasPrefix(strings.TrimSpace(line), m) {
			return ""
		}
	}
	return line
}
