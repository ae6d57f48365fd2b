package testreport

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Libtest reads the list that a program of Rust's tests writes with --logfile.
func Libtest(list, program string) Run {
	var tests Run
	for line := range strings.Lines(list) {
		word, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		outcome, known := map[string]Outcome{"ok": Passed, "failed": Failed, "ignored": Skipped}[word]
		if known {
			tests = append(tests, Test{Name: name, Program: program, Outcome: outcome})
		}
	}
	return tests
}

// LibtestSums adds up what the programs of a log say to have passed and failed.
func LibtestSums(log io.Reader) (passed, failed int) {
	lines := bufio.NewReaderSize(log, 64<<10)
	for {
		line, _, err := lines.ReadLine() // of a long line the pieces: none begins like a sum
		if err != nil {
			return passed, failed
		}
		var word string
		var good, bad int
		if !bytes.HasPrefix(line, []byte("test result: ")) {
			continue
		}
		if n, _ := fmt.Sscanf(string(line), "test result: %s %d passed; %d failed;", &word, &good,
			&bad); n == 3 {
			passed, failed = passed+good, failed+bad
		}
	}
}
