package workspace

import (
	"errors"
	"os"
	"sort"
)

// removeFile removes a file, if it is there.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func sortRemotes(list []Remote) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].Name, list[j].Name
		if (a == "origin") != (b == "origin") {
			return a == "origin"
		}
		return a < b
	})
}
