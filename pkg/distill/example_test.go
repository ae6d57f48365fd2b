package distill_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/pkg/distill"
)

func ExampleRead() {
	output := `=== RUN   TestTotal
    till_test.go:11: Total() = 2, want 6
--- FAIL: TestTotal (0.00s)
FAIL
FAIL	example.com/shop	0.004s
`
	exit := 1
	r, err := distill.Read(context.Background(), strings.NewReader(output), distill.Options{ExitCode: &exit})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := r.Failures[0]
	fmt.Println(f.Test, f.File, f.Line)
	fmt.Println("want", f.Expected, "got", f.Actual)
	fmt.Print(r.Text)
	// Output:
	// example.com/shop.TestTotal till_test.go 11
	// want 6 got 2
	// go test: 1 failed
	//
	// 1) example.com/shop.TestTotal
	//    at till_test.go:11
	//    Total() = 2, want 6
}
