package ferry

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	os.Exit(testscript.RunMain(m, map[string]func() int{"ferry": run}))
}

func run() int {
	cars, _ := strconv.Atoi(os.Args[1])
	f := &Ferry{Max: 1}
	for i := 0; i < cars; i++ {
		if err := f.Board(fmt.Sprint(i)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	fmt.Println(Price(cars, 0))
	return 0
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
