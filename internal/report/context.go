package report

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Context tells of each request of an attempt, or of all with attempt below 0,
// which files it showed and why, which likely ones it did not, and what the model
// asked to see. lines are the run's events as --json writes them.
func Context(lines []string, attempt int) (string, error) {
	var b strings.Builder
	requests := map[int]int{}
	for _, line := range lines {
		var e struct {
			Event   string
			Attempt int
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			return "", fmt.Errorf("read a recorded event: %w", err)
		}
		if attempt >= 0 && e.Attempt != attempt {
			continue
		}
		switch e.Event {
		case event.ContextSelected{}.Name():
			var v event.ContextSelected
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				return "", fmt.Errorf("read a recorded event: %w", err)
			}
			requests[v.Attempt]++
			fmt.Fprintf(&b, "attempt %d, request %d: %s tokens\n", v.Attempt, requests[v.Attempt],
				tokens(v.Tokens))
			writeFiles(&b, v.Files)
			writeLeftOut(&b, v.LeftOut)
		case event.ContextRequested{}.Name():
			var v event.ContextRequested
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				return "", fmt.Errorf("read a recorded event: %w", err)
			}
			fmt.Fprintf(&b, "attempt %d: the model asked to see more\n", v.Attempt)
			for _, a := range v.Asks {
				fmt.Fprintf(&b, "  %s %s: %s\n", strings.ToUpper(a.Kind), oneLine(a.What, 200),
					strings.ReplaceAll(a.Answer, "_", " "))
			}
		}
	}
	if b.Len() == 0 {
		what := "this run"
		if attempt >= 0 {
			what = fmt.Sprintf("attempt %d", attempt)
		}
		return "", fault.New(fault.Usage, "", "%s has no request on record", what)
	}
	return b.String(), nil
}

// writeFiles tells the files of a request, one a line, with what speaks for each.
func writeFiles(b *strings.Builder, files []event.ContextFile) {
	width := 0
	for _, f := range files {
		width = max(width, min(utf8.RuneCountInString(fileName(f)), 48))
	}
	for _, f := range files {
		why := f.Why
		if f.Part == "excerpt" {
			why = strings.TrimSpace(lineRanges(f.Lines) + "  " + why)
		}
		line := fmt.Sprintf("  %-*s  %5s  %-7s  %s", width, fileName(f), tokens(f.Tokens), f.Part, why)
		fmt.Fprintln(b, strings.TrimRight(line, " "))
	}
}

// writeLeftOut tells the likeliest files that are not shown.
func writeLeftOut(b *strings.Builder, files []event.ContextFile) {
	if len(files) == 0 {
		return
	}
	b.WriteString("  not shown, though likely:\n")
	writeFiles(b, files)
}

// lineRanges tells the first lines that an excerpt shows.
func lineRanges(lines [][2]int) string {
	const most = 3
	var parts []string
	for k, l := range lines {
		if k == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(lines)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	return strings.Join(parts, ", ")
}
