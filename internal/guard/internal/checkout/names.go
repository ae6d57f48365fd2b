package checkout

import (
	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/testfile"
)

// IsTestName reports whether a path is that of a file with test cases or their helpers.
func IsTestName(p string) bool { return testfile.Of(p) == testfile.Case }

func isRunner(p string) bool { return testfile.Of(p) == testfile.Runner }

// MatchAny reports whether one of the globs matches the path.
func MatchAny(globs []string, p string) bool {
	for _, glob := range globs {
		if doublestar.MatchUnvalidated(glob, p) {
			return true
		}
	}
	return false
}
