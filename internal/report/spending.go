package report

import (
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/journal/record"
)

// writeDays draws the spending of the last days as bars of one sign each.
func writeDays(p *paint, days []record.Day) {
	const bars = "▁▂▃▄▅▆▇█"
	sum, most := 0.0, record.Day{}
	for _, d := range days {
		sum += d.UsedUSD
		if d.UsedUSD > most.UsedUSD {
			most = d
		}
	}
	if most.UsedUSD == 0 {
		return
	}
	signs := []rune(bars)
	chart := ""
	for _, d := range days {
		if d.UsedUSD == 0 {
			chart += "·"
			continue
		}
		chart += string(signs[min(int(d.UsedUSD/most.UsedUSD*float64(len(signs))), len(signs)-1)])
	}
	text := fmt.Sprintf("%s in %d days, most on %s: %s", money(sum, false), len(days), dayName(most.Day),
		money(most.UsedUSD, false))
	p.wrapped("spent  "+p.color(cyan, chart)+"  ", text)
}

// dayName is a date as Nov 9.
func dayName(day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return t.Format("Jan 2")
}
