package report

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// bar is a part of an attempt's time, in percent of the longest one.
type bar struct {
	Class    string
	X, Width int
}

// bars gives each attempt its time as a line: the model's part, the checks', the rest.
func bars(tries []tryView) {
	longest := int64(1)
	for _, t := range tries {
		longest = max(longest, t.All)
	}
	for i, t := range tries {
		at := 0
		for _, part := range []struct {
			class string
			ms    int64
		}{{"model", t.Model}, {"tests", t.Tested}, {"rest", t.All - t.Model - t.Tested}} {
			if part.ms <= 0 {
				continue
			}
			width := max(int(part.ms*100/longest), 1)
			tries[i].Bar = append(tries[i].Bar, bar{part.class, at, width})
			at += width
		}
	}
}

// plot draws the failing tests over the attempts.
type plot struct {
	Width, Height, Right, Base, Below int
	// Words are for who does not see it.
	Words  string
	Points []point
	Lines  []struct{ X1, Y1, X2, Y2 int }
}

// point is a number of failing tests, "?" where it is not known.
type point struct {
	Label, N, Class string
	X, Y, Above     int
	failing         int
}

func plotOf(s story) *plot {
	points, words := pointsOf(s)
	if len(points) < 2 {
		return nil
	}
	const left, top, height, step = 40, 24, 110, 80
	width := left + step*(len(points)-1) + 60
	p := &plot{Width: width, Height: top + height + 40, Right: width - 20, Base: top + height, Below: top + height + 22,
		Words: strings.Join(words, ", ")}
	most := 1
	for _, pt := range points {
		most = max(most, pt.failing)
	}
	last := -1
	for i := range points {
		pt := &points[i]
		pt.N = fmt.Sprint(pt.failing)
		if pt.failing < 0 {
			pt.N = "?"
		}
		pt.X, pt.Y = left+step*i, top+height-height*max(pt.failing, 0)/most
		pt.Above = pt.Y - 10
		if pt.failing < 0 {
			continue
		}
		if last >= 0 {
			p.Lines = append(p.Lines, struct{ X1, Y1, X2, Y2 int }{points[last].X, points[last].Y, pt.X, pt.Y})
		}
		last = i
	}
	p.Points = points
	return p
}

// pointsOf are the numbers of failing tests in order, and the words for them.
func pointsOf(s story) (points []point, words []string) {
	add := func(label, when, outcome string, failing int) {
		n := fmt.Sprint(failing)
		if failing < 0 {
			n = "unknown"
		}
		points = append(points, point{Label: label, Class: cssClass(outcome), failing: failing})
		words = append(words, n+" "+when)
	}
	checked := func(label, when string, failing int) {
		outcome := event.Failing
		if failing == 0 {
			outcome = event.Green
		}
		add(label, when, outcome, failing)
	}
	start := len(testsOf(s.Before))
	if s.Found != nil && len(s.Again) == 0 { // else it is about a later state
		start = s.Found.Failing
		if s.Found.Trouble != "" {
			start = -1
		}
	}
	checked("before", "before the first attempt", start)
	for _, a := range s.Attempts {
		if a.Outcome != "" && a.Outcome != event.Refused && a.Outcome != event.Question {
			failing := a.Failing
			if a.Trouble != "" {
				failing = -1
			}
			add(fmt.Sprint(a.N), fmt.Sprintf("after attempt %d", a.N), a.Outcome, failing)
		}
		if again := s.Again[a.N]; len(again) > 0 {
			checked("again", "when checked again", len(testsOf(lastTests(again))))
		}
	}
	return points, words
}
