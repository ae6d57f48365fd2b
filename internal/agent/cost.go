package agent

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"sync"
)

// totals are the names under which agents report their total cost in USD; steps are the
// names for one step, which are added up.
var (
	totals = []string{"total_cost_usd", "totalCostUsd", "totalCostUSD", "session_cost_usd", "total_cost",
		"totalCost"}
	steps = []string{"cost_usd", "costUsd", "costUSD", "cost"}
)

// costWords match reports of the cost in words. The last one counts, since they are
// cumulative. Aider's second amount, that of the session, comes before its first, that of
// the last message.
var costWords = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?im)\bcost: \$?[0-9.]+ message, \$([0-9]+(?:\.[0-9]+)?) session`),
		regexp.MustCompile(`(?im)\b(?:total|session|overall|estimated|api)[ _]?cost(?: \(usd\)| in usd| so far)?\s*[:=]\s*(?:usd )?\$?\s?([0-9]+(?:\.[0-9]+)?)\b`),
		regexp.MustCompile(`(?im)^\W*cost(?: \(usd\)| in usd)?\s*[:=]\s*(?:usd )?\$\s?([0-9]+(?:\.[0-9]+)?)\b`),
		regexp.MustCompile(`(?im)^\W*(?:total|cost)\s*[:=]?\s*\$([0-9]+(?:\.[0-9]+)?)\s*$`),
	}
})

// costIn finds the cost in any output of an agent.
func costIn(output []byte) (usd float64, ok bool) {
	if usd, ok = costInJSON(output); ok {
		return usd, true
	}
	for _, re := range costWords() {
		if all := re.FindAllSubmatch(output, -1); all != nil {
			return amount(string(all[len(all)-1][1]))
		}
	}
	return 0, false
}

func amount(text string) (float64, bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v >= 0 && !math.IsInf(v, 0)
}

// costInJSON reads an object, or one per line: a total if there is one, else the sum of the
// steps.
func costInJSON(output []byte) (usd float64, ok bool) {
	var total float64
	var isTotal bool
	take := func(text []byte) {
		var v any
		if len(text) < 2 || text[0] != '{' && text[0] != '[' || json.Unmarshal(text, &v) != nil {
			return
		}
		if t, found := findNumber(v, totals); found {
			total, isTotal = t, true // the last one counts
		}
		if s, found := findNumber(v, steps); found {
			usd, ok = usd+s, true
		}
	}
	whole := bytes.TrimSpace(output)
	if json.Valid(whole) {
		take(whole)
	} else {
		for line := range bytes.Lines(whole) {
			take(bytes.TrimSpace(line))
		}
	}
	if isTotal {
		return total, true
	}
	return usd, ok
}

// findNumber looks for a number under one of the names, at most three levels down.
func findNumber(v any, names []string) (float64, bool) { return below(v, names, 3) }

func below(v any, names []string, levels int) (sum float64, found bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range names {
			if n, ok := v[name].(float64); ok && n >= 0 {
				return n, true
			}
		}
		for _, inner := range v {
			if levels == 0 {
				break
			}
			if n, ok := below(inner, names, levels-1); ok {
				sum, found = sum+n, true
			}
		}
	case []any:
		for _, inner := range v {
			if n, ok := below(inner, names, levels-1); ok && levels > 0 {
				sum, found = sum+n, true
			}
		}
	}
	return sum, found
}
