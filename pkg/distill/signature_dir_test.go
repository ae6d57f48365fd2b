package distill

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnPathsBelowTemp: in a checkout that lies in a temporary folder two
// failures in two files are two, and the same one in another checkout is the same.
func TestOwnPathsBelowTemp(t *testing.T) {
	t.Parallel()
	sum := func(dir, file string) string {
		dir = filepath.Join("/tmp", dir)
		text := "error 17 in " + dir + "/lib/" + file + ": it does not hold\n"
		one := 1
		r, err := Read(t.Context(), strings.NewReader(text), Options{Dir: dir, ExitCode: &one})
		if err != nil {
			t.Fatal(err)
		}
		return r.Signature
	}
	if sum("app", "part1") == sum("app", "part2") {
		t.Error("two files of the project have one signature")
	}
	if sum("app", "part1") != sum("other", "part1") {
		t.Error("the place of the checkout is in the signature")
	}
}
