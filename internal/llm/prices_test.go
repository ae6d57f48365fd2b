package llm

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/provider"
)

// autumn is when the tests of prices take place.
var autumn = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func TestPrices(t *testing.T) {
	cases := []struct {
		name     string
		explicit *Price
		local    bool
		model    string
		want     Price
	}{
		{"explicit prices win, also for a local model", &Price{Input: 1, Output: 2, Cached: 0.5, Write: 3}, true, "gpt-6.1-sol", Price{Input: 1, Output: 2, Cached: 0.5, Write: 3, Known: true}},
		{"without prices of the cache there is no discount", &Price{Input: 1, Output: 2}, false, "x", Price{Input: 1, Output: 2, Cached: 1, Write: 1.25, Known: true}},
		{"prices that may only raise do", &Price{Input: 3, Output: 11, AtLeast: true}, false, "gpt-6.1-sol", Price{Input: 3, Output: 11, Cached: 3, Write: 3.75, Known: true}},
		{"and never lower the table's", &Price{Input: 0.01, Output: 20, AtLeast: true}, false, "gpt-6.1-sol", Price{Input: 2, Output: 20, Cached: 0.1, Write: 2.5, Known: true}},
		{"nor the fallback", &Price{Input: 0.01, AtLeast: true}, false, "gpt-99", Price{Input: 15, Output: 75, Cached: 15, Write: 18.75}},
		{"for a local model they are what is known", &Price{Input: 1, Output: 2, AtLeast: true}, true, "x", Price{Input: 1, Output: 2, Cached: 1, Write: 1.25, Known: true}},
		{"a model on this machine costs nothing", nil, true, "gpt-6.1-sol", Price{Known: true}},
		{"the table", nil, false, "gpt-6.1-sol", Price{Input: 2, Output: 10, Cached: 0.1, Write: 2.5, Known: true}},
		{"writing costs nothing extra where nothing is said", nil, false, "gpt-4o", Price{Input: 2.5, Output: 10, Cached: 1.25, Write: 2.5, Known: true}},
		{"a router's name", nil, false, "anthropic/claude-sonnet-5.5", Price{Input: 2, Output: 10, Cached: 0.1, Write: 2.5, Known: true}},
		{"Bedrock's name", nil, false, "us.anthropic.claude-opus-5", Price{Input: 5, Output: 25, Cached: 0.5, Write: 6.25, Known: true}},
		{"a dated name", nil, false, "claude-haiku-4-5-20251001", Price{Input: 1, Output: 5, Cached: 0.1, Write: 1.25, Known: true}},
		{"a date with dashes", nil, false, "gpt-5-2025-08-07", Price{Input: 1.25, Output: 10, Cached: 0.125, Write: 1.25, Known: true}},
		{"a free variant", nil, false, "vendor/model:free", Price{Known: true}},
		{"an unknown model counts high", nil, false, "gpt-99", Price{Input: 15, Output: 75, Cached: 15, Write: 18.75}},
		{"a name that only begins like one is unknown", nil, false, "gpt-5-mega", Price{Input: 15, Output: 75, Cached: 15, Write: 18.75}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := resolvePrice(c.explicit, c.local, c.model, autumn)
			got.Source, got.long = "", longPrice{}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestAPriceHoldsFromItsDayOn(t *testing.T) {
	at := func(day string) time.Time {
		d, err := time.Parse(time.DateTime, day)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for _, c := range []struct {
		model, when string
		input       float64
		known       bool
	}{
		{"gemini-3.8-flash", "2026-12-31 23:59:59", 0.75, true},
		{"gemini-3.8-flash", "2027-01-01 00:00:00", 1.5, true},
		{"gemini-4-carbon", "2026-11-30 12:00:00", 2, true},
		{"gemini-4-carbon", "2026-12-01 00:00:00", 4, true},
		{"gpt-5.6-luna", "2026-07-10 00:00:00", 1, true},
		{"gpt-5.6-luna", "2026-08-01 00:00:00", 0.2, true},
		{"gpt-6.2-sol", "2026-11-16 23:00:00", 0, false},
	} {
		p, known := lookupPrice(c.model, at(c.when))
		if p.Input != c.input || known != c.known {
			t.Errorf("%s on %s: got %v, known %t", c.model, c.when, p.Input, known)
		}
	}
}

func TestThePriceTableIsSane(t *testing.T) {
	lines := 0
	var last priceRow
	for line := range strings.Lines(pricesCSV) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "model,") {
			continue
		}
		lines++
		row, err := parsePriceRow(line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		p := row.price
		if p.Input <= 0 || p.Output < p.Input || p.Cached <= 0 || p.Cached > p.Input || p.Write < p.Input || row.read < "2026-08" || row.read > "2027" {
			t.Errorf("row %s", line)
		}
		if row.model == last.model && !row.from.After(last.from) {
			t.Errorf("%s: a later row holds from an earlier day", line)
		}
		last = row
	}
	if lines < 90 {
		t.Errorf("only %d rows", lines)
	}
	for _, p := range provider.All() {
		if p.Model == "" {
			continue
		}
		if _, ok := lookupPrice(p.Model, autumn); !ok {
			t.Errorf("the default model of %s, %s, has no price", p.Name, p.Model)
		}
	}
}

func TestLongPromptsCostMoreWhereTheProviderSaysSo(t *testing.T) {
	p := resolvePrice(nil, false, "claude-haiku-5-5", autumn)
	short, long := Usage{Input: 100_000, Output: 10_000}, Usage{Input: 100_001, Cached: 50_000, Written: 50_000, Output: 10_000}
	if got := p.cost(short); math.Abs(got-0.015) > 1e-9 {
		t.Errorf("up to 100,000 tokens: got %v", got)
	}
	if got, want := p.cost(long), (1*0.5+50_000*0.05+50_000*0.625+10_000*2.5)/1e6; math.Abs(got-want) > 1e-9 {
		t.Errorf("beyond: got %v, want %v", got, want)
	}
}

func TestCacheSavings(t *testing.T) {
	p := Price{Input: 2, Output: 10, Cached: 0.2, Write: 2.5}
	for _, c := range []struct {
		u    Usage
		want float64
	}{
		{Usage{Input: 1e6, Output: 5}, 0},
		{Usage{Input: 1e6, Cached: 1e6}, 1.8},
		{Usage{Input: 1e6, Written: 1e6}, -0.5},
	} {
		if got := p.saved(c.u); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%+v: got %v, want %v", c.u, got, c.want)
		}
	}
}
