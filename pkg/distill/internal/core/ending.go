package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// How a run ended is known by its exit code. Without one, as from a pipe, the output must say: by its
// counts, and by what stands behind the last of them, where no test prints anymore.

// CountedAt records the line of a count of results.
func (f *Result) CountedAt(no int64) { f.counted = max(f.counted, no) }

// PartFailed records that a runner reports a part as failed, such as a package, without a test in it.
func (f *Result) PartFailed() { f.partFailed = true }

// green reports whether a runner has counted tests and no failure among them, and the output does
// not end like that of a failed run.
func (f *Result) green() bool {
	if f.partFailed || len(f.Totals) == 0 {
		return false
	}
	for _, t := range f.Totals {
		if t.Failed > 0 {
			return false
		}
	}
	return !f.endsBadly()
}

// Green reports whether a run passed: by its exit code, or without one by all that it counts.
func (f *Result) Green() bool {
	if f.exit != nil {
		return *f.exit == 0
	}
	return f.green() && len(f.Failures) == 0
}

// Red reports whether a run failed: by its exit code, or without one by what it says.
func (f *Result) Red() bool {
	if f.exit != nil {
		return *f.exit != 0
	}
	failed := func(t Total) bool { return t.Failed > 0 }
	return f.partFailed || len(f.Failures) > 0 || slices.ContainsFunc(f.Totals, failed) || f.endsBadly()
}

// killed are the exit codes of a command that was ended from outside: its earlier log lines
// are no failures.
var killed = []int{124, 130, 137, 143}

// reKilled matches what a shell or make prints of a command that was ended from outside.
var reKilled = text.Lazy(`^(?:Terminated|Killed)\b|^\w*make(?:\[\d+\])?: \*\*\* .*\] (?:Terminated|Killed|Interrupt)$`)

// Cut reports whether the run was ended from outside, such as by a time limit.
func (f *Result) Cut() bool {
	if f.exit != nil {
		return slices.Contains(killed, *f.exit)
	}
	return slices.ContainsFunc(f.streams, func(d *stream.Stream) bool {
		last := d.Lines[max(0, len(d.Lines)-5):]
		return slices.ContainsFunc(last, func(l stream.Line) bool { return reKilled().MatchString(l.S) })
	})
}

// reBadEnd matches what shells, build tools and task runners print of a command that failed.
var reBadEnd = text.Lazy(`^\w*make(?:\[\d+\])?: \*\*\* |^npm (?:ERR!|error) |\bELIFECYCLE\b|^error Command failed|` +
	`^error: (?:could not compile|test failed|[Rr]ecipe |script )|^ninja: build stopped|^BUILD FAIL|^Build FAILED|` +
	`^Result: FAIL$|^(?:Terminated|Killed|Aborted|Segmentation fault)\b|^##\[error\]|` +
	`(?i:\bexit(?:ed)?(?: with)?(?: exit)?(?: status| code)[: ]+[1-9])`)

// endsBadly reports whether a line behind the last count says that a command failed.
func (f *Result) endsBadly() bool {
	return slices.ContainsFunc(f.streams, func(d *stream.Stream) bool {
		for _, l := range slices.Backward(d.Lines) {
			if l.No <= f.counted {
				return false
			}
			if len(l.S) < 300 && reBadEnd().MatchString(l.S) && !strings.HasSuffix(l.S, "(ignored)") {
				return true
			}
		}
		return false
	})
}

// ErrorLines returns the lines that read like errors and that no reader has used, each kind of line
// once and no more than n, and how many there are besides.
func (f *Result) ErrorLines(n int) (lines []string, more int) {
	seen := map[uint64]bool{}
	for _, d := range f.streams {
		for i := range d.Lines {
			l := &d.Lines[i]
			if l.Used && !l.Guessed || ErrorLike(l.S) < 4 || IsNoise(l.S) || IsSum(l.S) {
				continue
			}
			if shape := stream.ShapeOf([]byte(l.S)); seen[shape] || len(lines) == n {
				more++
			} else {
				seen[shape] = true
				lines = append(lines, strings.TrimSpace(l.S))
			}
		}
	}
	return lines, more
}
