package guard

import (
	"fmt"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/pkg/edit"
)

// overLimit checks the size of the kept changes.
func (g *Guard) overLimit(kept []edit.Change) string {
	p := g.policy
	if p.MaxFiles > 0 && len(kept) > p.MaxFiles {
		return fmt.Sprintf("The reply changes %d files; at most %d may change at once "+
			"(limits.max_files_changed).", len(kept), p.MaxFiles)
	}
	total := 0
	for _, c := range kept {
		added, removed := diff.Count(c.Old, c.New)
		total += added + removed
	}
	if p.MaxDiffLines > 0 && total > p.MaxDiffLines {
		return fmt.Sprintf("The reply adds and removes %d lines; at most %d may change at once "+
			"(limits.max_diff_lines).", total, p.MaxDiffLines)
	}
	return ""
}
