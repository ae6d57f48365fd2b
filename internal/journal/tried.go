package journal

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/booty-cli/booty/internal/event"
)

// Tried is what tests said of a change that an earlier run tried.
type Tried struct {
	// Files are those that the attempt changed.
	Files []string
	// Failed are files of tests that failed with the change and had not failed before it.
	Failed []string
}

// maxTried bounds the checks that Tried reads.
const maxTried = 500

// Tried returns what the failing checks of earlier runs in a repository say of the files that
// they had changed, newest first.
func (j *Journal) Tried(ctx context.Context, repo string) ([]Tried, error) {
	rows, err := j.db.QueryContext(ctx, `SELECT c.run, c.attempt, coalesce(a.files, ''), c.result
		FROM checks c JOIN runs r ON r.id = c.run LEFT JOIN attempts a ON a.run = c.run AND a.n = c.attempt
		WHERE r.repo = ? AND c.kind = 'test' AND NOT json_extract(c.result, '$.passed')
		ORDER BY c.id DESC LIMIT ?`, repo, maxTried)
	if err != nil {
		return nil, j.explain("read what earlier runs tried", err)
	}
	defer func() { _ = rows.Close() }()
	type failing struct {
		run      string
		files    []event.File
		failures []event.Failure
	}
	var all []failing
	before := map[string]map[string]bool{} // run to the tests that failed at its start
	for rows.Next() {
		var f failing
		var attempt int
		var files, result string
		if err := rows.Scan(&f.run, &attempt, &files, &result); err != nil {
			return nil, j.explain("read what earlier runs tried", err)
		}
		var r checkResult
		if json.Unmarshal([]byte(result), &r) != nil {
			continue
		}
		if attempt == 0 {
			if before[f.run] == nil {
				before[f.run] = map[string]bool{}
			}
			for _, x := range r.Failures {
				before[f.run][x.Test] = true
			}
			continue
		}
		if files == "" || json.Unmarshal([]byte(files), &f.files) != nil {
			continue
		}
		f.failures = r.Failures
		all = append(all, f)
	}
	if err := rows.Err(); err != nil {
		return nil, j.explain("read what earlier runs tried", err)
	}
	var out []Tried
	for _, f := range all {
		var t Tried
		for _, x := range f.files {
			t.Files = append(t.Files, x.Path)
		}
		for _, x := range f.failures {
			if x.Test != "" && x.File != "" && !before[f.run][x.Test] && !slices.Contains(t.Failed, x.File) {
				t.Failed = append(t.Failed, x.File)
			}
		}
		if len(t.Failed) > 0 {
			out = append(out, t)
		}
	}
	return out, nil
}
