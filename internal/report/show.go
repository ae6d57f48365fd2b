package report

import (
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Read gives back a stored blob; [journal.Blobs.Read] is one.
type Read func(ref string) ([]byte, error)

// Show gives a part of an attempt as plain text: its diff, the output of its
// checks, or what was asked of the model and what it replied. The text is as it
// was stored, so that a diff applies; for a terminal it must go through Clean.
func Show(d record.Detail, n int, what string, read Read) (string, error) {
	a, err := attemptOf(d, n)
	if err != nil {
		return "", err
	}
	var parts []part
	switch what {
	case "diff":
		parts = []part{{ref: a.Diff}}
	case "output":
		for _, c := range a.Checks {
			parts = append(parts,
				part{head: fmt.Sprintf("%s: %s", c.Name, verdict(c)), ref: c.Log, text: c.Distilled})
		}
	case "prompt":
		for _, c := range a.Calls {
			parts = append(parts, part{head: c.Role, ref: c.Prompt})
		}
	case "reply":
		for _, c := range a.Calls {
			parts = append(parts, part{head: c.Role, ref: c.Reply})
		}
	default:
		return "", fault.New(fault.Usage, "--show takes diff, output, prompt, reply, context or pr",
			"there is no %q to show", what)
	}
	return join(parts, read, fmt.Sprintf("attempt %d has no %s on record", n, what))
}

func attemptOf(d record.Detail, n int) (record.Attempt, error) {
	for _, a := range d.Attempts {
		if a.N == n {
			return a, nil
		}
	}
	if n == 0 && len(d.Baseline) > 0 { // the checks before the first attempt
		return record.Attempt{Checks: d.Baseline, Calls: d.Extra}, nil
	}
	return record.Attempt{}, fault.New(fault.Usage, "booty status "+d.Run.ID+" lists them",
		"run %s has no attempt %d", d.Run.ID, n)
}

// part is a blob, with the text to show where it is not to be had.
type part struct{ head, ref, text string }

func join(parts []part, read Read, none string) (string, error) {
	var b strings.Builder
	var missing error
	shown := 0
	for _, p := range parts {
		text := p.text
		if p.ref != "" {
			data, err := read(p.ref)
			if err == nil {
				text = string(data)
			} else {
				missing = errors.Join(missing, err)
			}
		}
		if text == "" {
			continue
		}
		shown++
		if len(parts) > 1 && p.head != "" {
			fmt.Fprintf(&b, "==> %s <==\n", oneLine(p.head, 100))
		}
		b.WriteString(text)
		if !strings.HasSuffix(text, "\n") {
			b.WriteByte('\n')
		}
	}
	switch {
	case shown > 0:
		return b.String(), nil
	case missing != nil:
		return "", missing
	}
	return "", fault.New(fault.Usage, "", "%s", none)
}
