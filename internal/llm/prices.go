package llm

import (
	"fmt"
	"strings"
)

// Price is in USD per million tokens.
type Price struct {
	Input, Output, Cached float64
	// Known is false for the fallback.
	Known bool
	// Source says where the price is from, for people.
	Source string
	// AtLeast marks explicit prices that may only raise what is known without
	// them: they come from someone who is not to get round a budget.
	AtLeast bool

	long longPrice
}

// cost of the counts; cached tokens are part of the input.
func (p Price) cost(input, output, cached int) float64 {
	cached = min(cached, input)
	if p.long.from > 0 && input > p.long.from {
		p.Input, p.Cached, p.Output = p.Input*p.long.input, p.Cached*p.long.input, p.Output*p.long.output
	}
	return (float64(input-cached)*p.Input + float64(cached)*p.Cached + float64(output)*p.Output) / 1e6
}

// fallbackPrice is what an unknown model counts at until prices are set: more
// than any model in the table but the "pro" ones.
func fallbackPrice() Price {
	return Price{Input: 15, Output: 75, Cached: 15, Source: "unknown model: high fallback"}
}

// resolvePrice: explicit prices, else nothing for a model on this machine,
// else the table, else the fallback.
func resolvePrice(explicit *Price, local bool, model string) Price {
	switch {
	case explicit != nil:
		p := *explicit
		p.Known, p.Source = true, "configured"
		if p.Cached == 0 {
			p.Cached = p.Input // nothing is said about the cache: no discount
		}
		if p.AtLeast {
			return raised(p, resolvePrice(nil, local, model))
		}
		return p
	case local:
		return Price{Known: true, Source: "a model on this machine"}
	}
	if row, ok := lookupPrice(model); ok {
		return Price{Input: row.input, Output: row.output, Cached: row.cached, Known: true, long: row.long,
			Source: fmt.Sprintf("built-in table, %s", row.date)}
	}
	return fallbackPrice()
}

// raised gives the higher of two prices, each for itself.
func raised(p, least Price) Price {
	out := least
	out.Input, out.Output, out.Cached = max(p.Input, least.Input), max(p.Output, least.Output), max(p.Cached, least.Cached)
	if out.Input != least.Input || out.Output != least.Output || out.Cached != least.Cached {
		out.Source = "configured, at least: " + least.Source
	}
	return out
}

// lookupPrice finds a model by its name without vendor prefix, date and
// variant: anthropic/claude-sonnet-5.5, claude-sonnet-5-5-20260928.
func lookupPrice(model string) (priceRow, bool) {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, variant, _ := strings.Cut(name, ":")
	if variant == "free" {
		return priceRow{date: "free variant"}, true
	}
	name = strings.ReplaceAll(name, ".", "-")
	for _, n := range []string{name, strings.TrimSuffix(name, "-latest"), cutDate(name)} {
		for _, row := range priceTable {
			if strings.ReplaceAll(row.model, ".", "-") == n {
				return row, true
			}
		}
	}
	return priceRow{}, false
}

// cutDate takes -20260928 or -2026-09-28 off the end of a name.
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
