package edit_test

import (
	"fmt"
	"os"
	"testing/fstest"

	"github.com/booty-cli/booty/pkg/edit"
)

func ExampleParse() {
	r := edit.Parse(nil, `Summary: fix: greet by name

I changed the greeting and removed what is not needed any more.

greet.go
<<<<<<< SEARCH
	fmt.Println("hello")
=======
	fmt.Println("hello", name)
>>>>>>> REPLACE

DELETE old/greet.go
`)
	fmt.Println(r.Summary)
	for _, e := range r.Edits {
		fmt.Println(e.Op, e.Path, len(e.Blocks))
	}
	// Output:
	// fix: greet by name
	// modify greet.go 1
	// delete old/greet.go 0
}

// From a reply to files on disk.
func Example() {
	dir, err := os.MkdirTemp("", "edit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	root, err := os.OpenRoot(dir)
	if err != nil {
		panic(err)
	}
	defer root.Close()
	if err := root.WriteFile("a.txt", []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		panic(err)
	}

	files := edit.DirFS(dir)
	reply := edit.Parse(files, "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n")
	changes, problems := edit.Resolve(files, reply)
	if len(problems) > 0 {
		panic(problems[0].Reason)
	}
	fmt.Print(edit.Unified(changes))
	if err := edit.Apply(root, changes); err != nil {
		panic(err)
	}
	text, _ := root.ReadFile("a.txt")
	fmt.Printf("%q\n", text)
	// Output:
	// diff --git a/a.txt b/a.txt
	// --- a/a.txt
	// +++ b/a.txt
	// @@ -1,3 +1,3 @@
	//  one
	// -two
	// +2
	//  three
	// "one\n2\nthree\n"
}

func ExampleResolve_problem() {
	files := fstest.MapFS{"a.txt": {Data: []byte("the first line\nthe second line\n")}}
	reply := edit.Parse(files, "a.txt\n<<<<<<< SEARCH\nthe second row\n=======\n2\n>>>>>>> REPLACE\n")
	_, problems := edit.Resolve(files, reply)
	for _, p := range problems {
		fmt.Println(p.Path+":", p.Reason)
	}
	// Output:
	// a.txt: block 1 of 1 (line 2 of the reply) does not match the file. The nearest text, line 2, is:
	// the second line
	// The block was:
	// <<<<<<< SEARCH
	// the second row
	// =======
	// 2
	// >>>>>>> REPLACE
}

// The blocks that were fine are kept, and the next reply gives only the others.
func ExampleMerge() {
	files := fstest.MapFS{"a.txt": {Data: []byte("one\ntwo\n")}}
	first := edit.Parse(files, "a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n<<<<<<< SEARCH\ntow\n=======\n2\n>>>>>>> REPLACE\n")
	_, problems := edit.Resolve(files, first)
	kept := first.Sound(problems)

	second := edit.Parse(files, "a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n")
	second.Edits = edit.Merge(kept, second.Edits)
	changes, _ := edit.Resolve(files, second)
	fmt.Printf("%q\n", changes[0].New)
	// Output: "1\n2\n"
}

func ExampleChange_Lines() {
	c := edit.Change{Op: edit.Modify, Path: "a.txt", Old: []byte("one\ntwo\n"), New: []byte("one\n2\n3\n")}
	added, removed := c.Lines()
	fmt.Println(added, removed)
	// Output: 2 1
}
