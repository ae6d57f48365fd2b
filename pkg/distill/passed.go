package distill

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Passed holds the names of passed tests, from one kind of line.
type Passed struct {
	// Names are in output order, with # for numbers, since durations, ports and the like
	// differ from run to run.
	Names []string
	// Mark is what all of these lines have besides the name, such as "✓" or "ok".
	Mark string
}

// maxNameLine bounds the lines in which a name is looked for.
const maxNameLine = 1000

// PassedTests returns the names of the n tests that passed, for any runner, if the output
// has exactly n lines with the same mark: a tick, "ok 3 - name", "name ... ok", "name
// PASSED". Otherwise, as for a runner that prints dots, it returns nothing: a partial list
// says nothing about the rest.
func PassedTests(ctx context.Context, r io.Reader, n int) (Passed, error) {
	var marks []string
	names := map[string][]string{}
	above := ""
	lines := bufio.NewReaderSize(r, 64<<10)
	for ctx.Err() == nil {
		line, long, err := lines.ReadLine()
		if err == io.EOF {
			break
		}
		if err != nil {
			return Passed{}, fmt.Errorf("read output: %w", err)
		}
		if long || len(line) > maxNameLine {
			continue
		}
		clean := stream.CleanLine(line)
		name, mark, ok := core.PassedName(clean)
		if ok && strings.HasSuffix(above, ")") && reTitled().MatchString(above) {
			name = above
		}
		above = clean
		if !ok || len(names[mark]) > n {
			continue // as many as that are no list of these tests
		}
		if !slices.Contains(marks, mark) {
			marks = append(marks, mark)
		}
		names[mark] = append(names[mark], withoutNumbers(name))
	}
	for _, mark := range marks {
		if len(names[mark]) == n {
			return Passed{names[mark], mark}, ctx.Err()
		}
	}
	return Passed{}, ctx.Err()
}

var (
	// reTitled is the line above a description with its mark, as unittest prints for a test
	// with a docstring.
	reTitled = text.Lazy(`^\w+ \([\w.]+\)$`)
	reWord   = text.Lazy(`[0-9A-Za-z]+`)
	reHex    = text.Lazy(`^(?:0x)?(?i:[0-9a-f]{6,})$`)
	reDigits = text.Lazy(`\d+`)
)

// withoutNumbers replaces each number by #, including hexadecimal ones.
func withoutNumbers(name string) string {
	return reWord().ReplaceAllStringFunc(name, func(w string) string {
		if strings.ContainsAny(w, "0123456789") && reHex().MatchString(w) {
			return "#"
		}
		return reDigits().ReplaceAllString(strings.TrimPrefix(w, "0x"), "#")
	})
}
