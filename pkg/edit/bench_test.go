package edit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\tvalue%d := compute(%d, \"some text\") // line %d\n", i, i*7, i)
	}
	return b.String()
}

func BenchmarkParseAndResolve2000Lines(b *testing.B) {
	old := manyLines(2000)
	tree := memory{"f.txt": old}
	var blocks strings.Builder
	for i := 0; i < 2000; i += 100 {
		fmt.Fprintf(&blocks, "f.txt\n<<<<<<< SEARCH\nvalue%d := compute(%d, \"some text\") // line %d\n=======\nchanged(%d)\n>>>>>>> REPLACE\n", i, i*7, i, i)
	}
	for name, reply := range map[string]string{
		"whole":  "f.txt\n```\n" + strings.Replace(old, "some", "other", 1) + "```\n",
		"blocks": blocks.String(),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(reply)))
			for b.Loop() {
				if _, ps := readAndResolve(tree, reply); len(ps) > 0 {
					b.Fatal(ps)
				}
			}
		})
	}
}

// The replies double in size; the bytes a second should stay about the same.
func BenchmarkParseLinear(b *testing.B) {
	for name, part := range map[string]string{
		"talk":          "Some `code`, and more text that says nothing:\n\n",
		"files":         "f.go\n```go\n" + manyLines(20) + "```\n",
		"open fences":   "```go\n",
		"odd fences":    "```go\n```sh\n```\n",
		"stray fences":  "```\nx\n<<<<<<< SEARCH\n",
		"open blocks":   "f.go\n<<<<<<< SEARCH\n=======\n",
		"hunks":         "--- a/f\n+++ b/f\n@@ @@\n-a\n+b\n",
		"envelopes":     "*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n",
		"bad envelopes": "*** Begin Patch\nx\n",
		"blank lines":   "\n\n\n\nx:\n",
		"dividers":      "f\n<<<<<<< SEARCH\n=======\n=======\n=======\n>>>>>>> REPLACE\n",
		"thoughts":      "<think>\n",
		"headers":       "--- a\n+++ b\n\n",
		"wrapped":       "```md\nSummary: x\n",
		"paths":         "a/b.go\n```\n",
		"long line":     "x",
	} {
		for _, size := range []int{5 << 20, 20 << 20} {
			b.Run(fmt.Sprintf("%s/%dMB", name, size>>20), func(b *testing.B) {
				text := strings.Repeat(part, size/len(part))
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					edit.Parse(nil, text)
				}
			})
		}
	}
}

// A file and a reply of 20 MB.
func BenchmarkResolveLinear(b *testing.B) {
	for _, lines := range []int{80_000, 320_000} {
		old := manyLines(lines)
		tree := memory{"f.txt": old}
		for name, reply := range map[string]string{
			"whole":     "f.txt\n```\n" + strings.Replace(old, "some", "other", 3) + "```\n",
			"block":     "f.txt\n<<<<<<< SEARCH\n" + old + "=======\n" + strings.Replace(old, "some", "other", 3) + ">>>>>>> REPLACE\n",
			"unmatched": "f.txt\n<<<<<<< SEARCH\n" + strings.ReplaceAll(old, "some", "other") + "=======\nx\n>>>>>>> REPLACE\n",
		} {
			b.Run(fmt.Sprintf("%s/%dMB", name, len(old)>>20), func(b *testing.B) {
				r := edit.Parse(tree, reply)
				b.SetBytes(int64(len(reply)))
				for b.Loop() {
					edit.Resolve(tree, r)
				}
			})
		}
	}
}
