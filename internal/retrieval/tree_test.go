package retrieval

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
	got := New(t.TempDir(), []string{"b/c.go", "a.go", ".env"}, Options{IsSecret: secretName}).Tree(1000, "")
	if want := "a.go\nb/c.go\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTreeOfABigRepositoryNamesEveryFolderAndTheWorthiestFiles(t *testing.T) {
	ix := New(t.TempDir(), append(bigList(), "services/area03/part3/refund_policy.go"), Options{})
	const task = "services: the policy of a refund"
	got := ix.Tree(12000, task)
	if len(got) > 12000 {
		t.Fatalf("got %d bytes", len(got))
	}
	for _, want := range []string{"./ README.md go.mod\n", "cmd/app/ main.go\n", "docs/ guide.md\n", "internal/cart/ cart.go cart_test.go\n", "\nvendor/ +500\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("not listed: %q\n%s", want, got)
		}
	}
	for a := range 30 {
		for p := range 7 {
			if !strings.Contains(got, fmt.Sprintf("\nservices/area%02d/part%d/ ", a, p)) {
				t.Errorf("the folder of area %d, part %d is not named", a, p)
			}
		}
	}
	if at := strings.Index(got, "services/area03/part3/ "); at < 0 || !strings.Contains(got[at:at+strings.IndexByte(got[at:], '\n')], " refund_policy.go") {
		t.Error("the file that the task speaks of is not named")
	}
	if strings.Contains(got, "x.go") {
		t.Error("others' code is named")
	}
	if got != ix.Tree(12000, task) {
		t.Error("the same call gave another tree")
	}
}

func TestTreeAccountsForEveryFile(t *testing.T) {
	files := bigList()
	ix := New(t.TempDir(), files, Options{})
	for _, limit := range []int{30, 100, 500, 2000, 9000, 40000} {
		tree := ix.Tree(limit, "internal/cart/cart.go")
		n := 0
		for line := range lines(strings.TrimPrefix(tree, treeHead)) {
			for _, word := range strings.Fields(line)[1:] {
				var k int
				if _, err := fmt.Sscanf(word, "+%d", &k); err == nil {
					n += k
				} else {
					n++
				}
			}
		}
		if len(tree) > limit || tree != "" && n != len(files) || tree == "" && limit > 120 {
			t.Errorf("limit %d: %d bytes that stand for %d files, want %d", limit, len(tree), n, len(files))
		}
	}
}
