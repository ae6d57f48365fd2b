package queue

import (
	"testing"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

func TestWhatOthersHaveSpentNarrowsTheLimits(t *testing.T) {
	own := []record.Period{{Period: "day", UsedUSD: 1, LimitUSD: 10}, {Period: "week", UsedUSD: 2, LimitUSD: 50}}
	all := []record.Period{{Period: "day", UsedUSD: 4, LimitUSD: 10}, {Period: "week", UsedUSD: 70, LimitUSD: 50}}
	b := within(config.Budget{DayUSD: 10, WeekUSD: 50}, all, own)
	if b.DayUSD != 7 || b.WeekUSD <= 0 || b.WeekUSD > 0.01 {
		t.Errorf("got %+v", b)
	}
	if b := within(config.Budget{}, all, own); b.DayUSD != 0 || b.WeekUSD != 0 {
		t.Errorf("a limit came from nowhere: %+v", b)
	}
	for i := range all {
		weigh(&all[i], 80)
	}
	if all[0].State == record.Reached || all[0].LeftUSD != 6 || all[1].State != record.Reached {
		t.Errorf("got %+v", all)
	}
	if err := afford(all[:1]); err != nil {
		t.Errorf("within the limit: %v", err)
	}
	if err := afford(all); fault.KindOf(err) != fault.Budget {
		t.Errorf("past the limit: %v", err)
	}
	near := record.Period{Period: "day", UsedUSD: 8.5, LimitUSD: 10}
	if weigh(&near, 80); near.State != record.Warned {
		t.Errorf("close to the limit: %+v", near)
	}
}
