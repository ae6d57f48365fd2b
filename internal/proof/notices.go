package proof

import (
	"context"

	"github.com/booty-cli/booty/pkg/edit"
)

// broken is what is written into changed files to see whether tests notice: no language takes it
// for code or data.
const broken = "\x01<<<< broken, to see whether the tests notice >>>>\n"

// Notices reports whether the tests fail once the changed files of a tree are broken. The tree is
// useless afterwards.
func Notices(ctx context.Context, t Tree, files []Source) (bool, error) {
	var changes []edit.Change
	for _, f := range files {
		if f.New != nil {
			changes = append(changes,
				edit.Change{Op: edit.Modify, Path: f.Path, New: []byte(broken), Mode: f.Mode})
		}
	}
	if len(changes) == 0 {
		return true, nil
	}
	if err := t.Apply(changes); err != nil {
		return false, err
	}
	r, err := t.Test(ctx)
	return !r.Passed, err
}
