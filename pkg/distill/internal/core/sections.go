package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// section is a part of an output that lists results.
type section int

const (
	noSection section = iota
	failures
	asides // skipped tests, warnings, passes
)

var (
	reSection = text.Lazy(`^(?:\d+ )?(?:(?:all |the |list of |summary of |details of |short test |` +
		`test )*(?:failures?|failed|failing|errors?|broken|unsuccessful)(?: (?:tests?|specs?|examples?|` +
		`scenarios?|cases?|test cases?|test suites|in the test run|info|details|summary|results?)` +
		`)*(?: \(\d+\)|: \d+| \d+)?:?|(?:the )?(?:following|these) .*(?:fail|error|broke).*:?|` +
		`tests? that failed:?|(?:there (?:was|were) )?\d+ (?:failures?|errors?|failed tests?|` +
		`failing tests?|risky tests?):?|short test summary info)$`)
	reElse = text.Lazy(`^(?:\d+ )?(?:skipped|pending|warnings?|passed|deprecations?|coverage|ignored|` +
		`todo|(?:list of )?slow(?:est)?|flaky|captured .*|reruns?|failed commands?|notices?|profil\w*|` +
		`top \d+.*|there (?:was|were) \d+ (?:skipped|incomplete|warnings?|notices?|deprecations?|risky))` +
		`(?: tests?| examples?| specs?| scenarios?| summary| durations?| info| cases?)*:?(?: ?\(.*\))?$`)
)

// sectionOf tells what a line that is a title lists.
func sectionOf(low string) section {
	t := strings.Trim(low, rules+" :\t!.")
	switch {
	case t == "" || len(t) > 110:
		return noSection
	case len(t) < 70 && reSection().MatchString(t):
		return failures
	case reElse().MatchString(t):
		return asides
	}
	return noSection
}
