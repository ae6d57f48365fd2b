package edit_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/pkg/edit"
)

func ExampleParse() {
	r := edit.Parse(`Summary: fix: greet by name

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
		fmt.Println(e.Kind, e.Path, len(e.Blocks))
	}
	// Output:
	// fix: greet by name
	// replace greet.go 1
	// delete old/greet.go 0
}

func ExampleResolve() {
	root, err := os.MkdirTemp("", "edit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("one\ntwo\nthree\n"), 0o644); err != nil {
		panic(err)
	}

	changes, problems := edit.Resolve(edit.DirFS(root), edit.Parse("a.txt\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n"))
	if len(problems) > 0 {
		panic(problems[0].Reason)
	}
	fmt.Print(edit.Unified(changes))
	if err := edit.Apply(root, changes); err != nil {
		panic(err)
	}
	text, _ := os.ReadFile(filepath.Join(root, "a.txt"))
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
	root, err := os.MkdirTemp("", "edit")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(root)
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("the first line\nthe second line\n"), 0o644); err != nil {
		panic(err)
	}

	_, problems := edit.Resolve(edit.DirFS(root), edit.Parse("a.txt\n<<<<<<< SEARCH\nthe second row\n=======\n2\n>>>>>>> REPLACE\n"))
	for _, p := range problems {
		fmt.Println(p.Path+":", p.Reason)
	}
	// Output:
	// a.txt: block 1 of 1 (line 2 of the reply) does not match the file. The nearest text, line 2, is:
	// the second line
}

func ExampleChange_Lines() {
	c := edit.Change{Op: edit.Modify, Path: "a.txt", Old: []byte("one\ntwo\n"), New: []byte("one\n2\n3\n")}
	added, removed := c.Lines()
	fmt.Println(added, removed)
	// Output: 2 1
}
