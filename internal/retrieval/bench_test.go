package retrieval

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// bigRepo makes a repository of n files in packages of ten that import each
// other, and gives its root and files.
func bigRepo(b *testing.B, n int) (string, []string) {
	b.Helper()
	root := b.TempDir()
	files := []string{"go.mod"}
	write(b, root, "go.mod", "module example.com/big\n\ngo 1.26\n")
	for i := range n - 1 {
		pkg := i / 10
		p := fmt.Sprintf("internal/area%d/pkg%d/file%d.go", pkg%40, pkg, i%10)
		if i%10 == 9 {
			p = fmt.Sprintf("internal/area%d/pkg%d/file0_test.go", pkg%40, pkg)
		}
		var s strings.Builder
		fmt.Fprintf(&s, "package pkg%d\n\nimport (\n\t\"fmt\"\n\t\"example.com/big/internal/area%d/pkg%d\"\n)\n", pkg, (pkg+1)%40, pkg+1)
		for k := range 16 {
			w := func(j int) string { return fillerWords[(i*3+k*5+j*11)%len(fillerWords)] }
			fmt.Fprintf(&s, "\n// %s%d makes a %s of the %s; see %s.\nfunc %s%s%d(%s int, %s string) (int, error) {\n\tfor i := range %s {\n\t\tfmt.Println(i, %s, pkg%d.%s)\n\t}\n\treturn %s + %d, nil\n}\n",
				w(0), k, w(1), w(2), w(3), w(0), strings.ToUpper(w(1)[:1])+w(1)[1:], i, w(4), w(5), w(4), w(5), pkg+1, w(2), w(4), k)
		}
		write(b, root, p, s.String())
		files = append(files, p)
	}
	return root, files
}

func BenchmarkBigRepository(b *testing.B) {
	root, files := bigRepo(b, 30000)
	ctx := context.Background()
	task := Need{Task: "Fix the rounding of `orderTotal1234` in internal/area3/pkg123/file4.go and cache the result of each user's cart", Budget: 126000}
	failure := Need{Task: task.Task, Failure: "--- FAIL: TestOrder (0.00s)\n    internal/area3/pkg123/file0_test.go:12: got 3, want 4\n    file4.go:20", Budget: 126000,
		Suspects: []string{"internal/area3/pkg123/file4.go", "internal/area4/pkg124/file2.go"}, Last: []string{"internal/area3/pkg123/file4.go"}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	ix := New(root, files, Options{})
	if err := ix.Warm(ctx); err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)

	b.Run("New", func(b *testing.B) {
		for b.Loop() {
			New(root, files, Options{})
		}
	})
	b.Run("NewWarm", func(b *testing.B) {
		for b.Loop() {
			if err := New(root, files, Options{}).Warm(ctx); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(held, "MiB-held")
	})
	for _, c := range []struct {
		name string
		n    Need
	}{{"SelectTask", task}, {"SelectFailure", failure}, {"SelectWide", Need{Failure: failure.Failure, Suspects: failure.Suspects, Last: failure.Last, Budget: failure.Budget, Wide: true}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if len(ix.Select(c.n)) == 0 {
					b.Fatal("nothing selected")
				}
			}
		})
	}
	b.Run("Tree", func(b *testing.B) {
		for b.Loop() {
			ix.Tree(12000, "")
		}
	})
}
