package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	// handlesErrors sets what PHP does with errors, handlesAgain takes that back.
	handlesErrors = pattern.Lazy(`^\s*(?:\$\w+\s*=\s*)?\\?set_error_handler\(`)
	handlesAgain  = pattern.Lazy(`^\s*\\?restore_error_handler\(\s*\)\s*;\s*$`)
	phpTry        = pattern.Lazy(`^\s*try\b`)
	phpFinally    = pattern.Lazy(`^(?:\}\s*)?finally\b`)
)

// handlesAWhile tells, in a function that was added, what PHP is to do with errors, where
// the same function takes it back whatever happens: once, in the finally of a try that
// stands directly below.
func (r *reading) handlesAWhile(i int) bool {
	if !handlesErrors().MatchString(r.new.Code[i]) {
		return false
	}
	at := r.new.Outline.At[i]
	if at == nil || at.Sort() != source.Function || len(r.old.Lines) > 0 && !r.added[at.Line] {
		return false
	}
	next := i + 1
	for next < len(r.new.Code) && (r.new.Blank(next) || r.new.Outline.At[next] != at ||
		strings.HasPrefix(strings.TrimSpace(r.new.Code[next]), "}")) {
		next++
	}
	if next == len(r.new.Code) || !phpTry().MatchString(r.new.Code[next]) {
		return false // it could leave before
	}
	set, back := 0, 0
	for k := at.Line + 1; k < len(r.new.Code); k++ {
		if !r.new.Blank(k) && !source.Within(r.new.Outline.At[k], at) {
			break
		}
		if strings.Contains(r.new.Code[k], "set_error_handler") {
			set++
		}
		if !handlesAgain().MatchString(r.new.Code[k]) {
			continue
		}
		if b := r.new.Outline.At[k]; b != nil && b.Parent == at && phpFinally().MatchString(b.Header) {
			back++
		}
	}
	return set == 1 && back == 1
}
