package testreport

import "strings"

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
