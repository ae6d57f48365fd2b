package llm

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Price is in USD per million tokens.
type Price struct {
	// Cached is for input read from the provider's prompt cache, Write for input written to
	// it.
	Input, Output, Cached, Write float64
	// Known is false for the fallback.
	Known bool
	// Source names where the price is from, for people.
	Source string
	// AtLeast marks explicit prices that may only raise the known ones: they come from
	// someone who must not be able to get around a budget.
	AtLeast bool

	long longPrice
}

// longPrice applies to requests with more than from input tokens, as multiples.
type longPrice struct {
	from          int
	input, output float64
}

// cost returns the price of a call. Input includes cache reads and writes.
func (p Price) cost(u Usage) float64 {
	if p.long.from > 0 && u.Input > p.long.from {
		p.Input, p.Cached, p.Write = p.Input*p.long.input, p.Cached*p.long.input, p.Write*p.long.input
		p.Output *= p.long.output
	}
	cached := min(u.Cached, u.Input)
	written := min(u.Written, u.Input-cached)
	fresh := u.Input - cached - written
	input := float64(fresh)*p.Input + float64(cached)*p.Cached + float64(written)*p.Write
	return (input + float64(u.Output)*p.Output) / 1e6
}

// saved returns what the prompt cache saved, negative if it only cost the writing.
func (p Price) saved(u Usage) float64 {
	without := u
	without.Cached, without.Written = 0, 0
	return p.cost(without) - p.cost(u)
}

// usualWrite is the usual price of writing to a prompt cache, as a multiple of input, as
// charged by OpenAI and Anthropic.
const usualWrite = 1.25

// fallbackPrice applies to an unknown model until prices are set. Only the "pro" models in
// the table cost more.
func fallbackPrice() Price {
	return Price{Input: 15, Output: 75, Cached: 15, Write: 15 * usualWrite,
		Source: "unknown model: high fallback"}
}

// resolvePrice returns explicit prices, or else zero for a model on this machine, the
// table's price, or the fallback.
func resolvePrice(explicit *Price, local bool, model string, now time.Time) Price {
	switch {
	case explicit != nil:
		p := *explicit
		p.Known, p.Source = true, "configured"
		if p.Cached == 0 {
			p.Cached = p.Input // a price without a cache column gets no discount
		}
		if p.Write == 0 {
			p.Write = p.Input * usualWrite
		}
		if p.AtLeast {
			return maxPrice(p, resolvePrice(nil, local, model, now))
		}
		return p
	case local:
		return Price{Known: true, Source: "a model on this machine"}
	}
	if p, ok := lookupPrice(model, now); ok {
		return p
	}
	return fallbackPrice()
}

// maxPrice returns the higher of two prices, field by field.
func maxPrice(p, least Price) Price {
	out := least
	out.Input, out.Output = max(p.Input, least.Input), max(p.Output, least.Output)
	out.Cached, out.Write = max(p.Cached, least.Cached), max(p.Write, least.Write)
	if out != least {
		out.Source = "configured, at least: " + least.Source
	}
	return out
}

// lookupPrice finds the current row for a model, by its name without vendor, region, date
// and variant: anthropic/claude-sonnet-5.5, eu.anthropic.claude-sonnet-5-5,
// claude-sonnet-5-5-20260928.
func lookupPrice(model string, now time.Time) (Price, bool) {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, variant, _ := strings.Cut(name, ":")
	if variant == "free" {
		return Price{Known: true, Source: "a free variant"}, true
	}
	for _, vendor := range []string{"anthropic.", "openai."} { // Bedrock
		if i := strings.Index(name, vendor); i >= 0 {
			name = name[i+len(vendor):]
		}
	}
	rows := priceRows()
	for _, n := range []string{name, strings.TrimSuffix(name, "-latest"), cutDate(name)} {
		var held *priceRow
		for i, row := range rows[priceKey(n)] {
			if !row.from.After(now) {
				held = &rows[priceKey(n)][i]
			}
		}
		if held != nil {
			return held.price, true
		}
	}
	return Price{}, false
}

func priceKey(name string) string { return strings.ReplaceAll(name, ".", "-") }

// priceRow is a price valid from some day on.
type priceRow struct {
	model string
	from  time.Time
	read  string
	price Price
}

//go:embed prices.csv
var pricesCSV string

// priceRows are the rows of the table by model, earliest first, parsed on first use.
var priceRows = sync.OnceValue(func() map[string][]priceRow {
	rows := map[string][]priceRow{}
	for line := range strings.Lines(pricesCSV) {
		row, err := parsePriceRow(strings.TrimSpace(line))
		if err == nil {
			rows[priceKey(row.model)] = append(rows[priceKey(row.model)], row)
		}
	}
	return rows
})

// parsePriceRow reads a line of the table.
func parsePriceRow(line string) (priceRow, error) {
	f := strings.Split(line, ",")
	if len(f) != 11 || strings.HasPrefix(line, "#") {
		return priceRow{}, fmt.Errorf("%q is no row of prices", line)
	}
	row := priceRow{model: f[0], read: f[9]}
	if f[1] != "" {
		var err error
		if row.from, err = time.Parse(time.DateOnly, f[1]); err != nil {
			return priceRow{}, err
		}
	}
	var n [7]float64
	for i, text := range f[2:9] {
		if text == "" {
			continue
		}
		var err error
		if n[i], err = strconv.ParseFloat(text, 64); err != nil {
			return priceRow{}, err
		}
	}
	row.price = Price{Input: n[0], Output: n[1], Cached: n[2], Write: n[3], Known: true,
		Source: "built-in table, read " + row.read, long: longPrice{int(n[4]), n[5], n[6]}}
	if f[5] == "" {
		row.price.Write = row.price.Input
	}
	return row, nil
}

// cutDate removes -20260928 or -2026-09-28 from the end of a name.
func cutDate(name string) string {
	end := len(name)
	digits := 0
	for end > 0 && digits < 8 {
		c := name[end-1]
		if c >= '0' && c <= '9' {
			digits++
		} else if c != '-' {
			return name
		}
		end--
	}
	if digits == 8 && end > 0 && name[end-1] == '-' {
		return name[:end-1]
	}
	return name
}
