package locate

import (
	"fmt"
	"strings"
	"testing"
)

func bigList() []string {
	var files []string
	for i := range 3000 {
		files = append(files, fmt.Sprintf("services/area%02d/part%d/file%d.go", i%30, i%7, i))
	}
	for i := range 500 {
		files = append(files, fmt.Sprintf("vendor/example.com/lib%d/x.go", i))
	}
	return append(files, "README.md", "go.mod", "cmd/app/main.go", "docs/guide.md", "internal/cart/cart.go", "internal/cart/cart_test.go")
}

func TestTreeOfASmallRepositoryListsEveryFile(t *testing.T) {
	got := New(t.TempDir(), []string{"b/c.go", "a.go", ".env"}, Options{IsSecret: secretName}).Tree(1000)
	if want := "a.go\nb/c.go\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTreeOfABigRepositoryCountsFoldersAndOpensTheNearOnes(t *testing.T) {
	ix := New(t.TempDir(), bigList(), Options{})
	got := ix.Tree(4000, "services/area03/part3/file3.go")
	if len(got) > 4000 {
		t.Fatalf("got %d bytes", len(got))
	}
	for _, want := range []string{"README.md\n", "go.mod\n", "cmd/app/main.go\n", "internal/cart/cart.go\n", "services/area29/ (100 files)\n", "services/area03/part3/file3.go\n", "vendor/ (500 files)\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("not listed: %q\n%s", want, got)
		}
	}
	if got != ix.Tree(4000, "services/area03/part3/file3.go") {
		t.Error("the same call gave another tree")
	}
}

func TestTreeAccountsForEveryFile(t *testing.T) {
	files := bigList()
	ix := New(t.TempDir(), files, Options{})
	for _, limit := range []int{30, 100, 500, 2000, 9000, 40000} {
		tree := ix.Tree(limit, "internal/cart/cart.go")
		n := 0
		for line := range lines(tree) {
			var k int
			if i := strings.Index(line, " ("); i > 0 {
				if _, err := fmt.Sscanf(line[i:], " (%d file", &k); err != nil {
					t.Fatal(err)
				}
				n += k
				continue
			}
			n++
		}
		if len(tree) > limit || n != len(files) {
			t.Errorf("limit %d: %d bytes that stand for %d files, want %d", limit, len(tree), n, len(files))
		}
	}
}
