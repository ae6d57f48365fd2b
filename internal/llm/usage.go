package llm

import (
	"encoding/json"
	"math"
)

// counts are the server's own counts until usage adds them up.
type counts struct {
	input, output, total      int
	cached, written, thinking int
	// separate is set if cached and written tokens are counted on top of the input, as
	// Anthropic does, and not as a part of it.
	separate bool
	// partial is set while the answer is not complete.
	partial bool
	cost    *float64
}

// usageFields are the names that protocols and gateways use for counts.
type usageFields struct {
	Prompt     json.RawMessage `json:"prompt_tokens"`
	Input      json.RawMessage `json:"input_tokens"`
	Completion json.RawMessage `json:"completion_tokens"`
	Output     json.RawMessage `json:"output_tokens"`
	Total      json.RawMessage `json:"total_tokens"`
	Cost       json.RawMessage `json:"cost"`
	// Chat Completions, Responses; Anthropic and its gateways; DeepSeek; Moonshot
	PromptDetails     json.RawMessage `json:"prompt_tokens_details"`
	InputDetails      json.RawMessage `json:"input_tokens_details"`
	CompletionDetails json.RawMessage `json:"completion_tokens_details"`
	OutputDetails     json.RawMessage `json:"output_tokens_details"`
	CacheRead         json.RawMessage `json:"cache_read_input_tokens"`
	CacheCreated      json.RawMessage `json:"cache_creation_input_tokens"`
	CacheHit          json.RawMessage `json:"prompt_cache_hit_tokens"`
	Cached            json.RawMessage `json:"cached_tokens"`
}

// cacheFields are the fields of the details.
type cacheFields struct {
	Cached    json.RawMessage `json:"cached_tokens"`
	Written   json.RawMessage `json:"cache_write_tokens"`
	Created   json.RawMessage `json:"cache_creation_input_tokens"`
	Reasoning json.RawMessage `json:"reasoning_tokens"`
}

// read reads a usage. It is untrusted: anything that is not a plausible number is absent,
// and absent values leave earlier ones.
func (c *counts) read(data json.RawMessage) {
	var f usageFields
	if len(data) == 0 || json.Unmarshal(data, &f) != nil {
		return
	}
	var in, out cacheFields
	_ = json.Unmarshal(either(f.PromptDetails, f.InputDetails), &in)       // absent, or of another type
	_ = json.Unmarshal(either(f.CompletionDetails, f.OutputDetails), &out) // as above
	c.take(&c.input, f.Prompt, f.Input)
	c.take(&c.output, f.Completion, f.Output)
	c.take(&c.total, f.Total)
	c.take(&c.cached, in.Cached, f.CacheRead, f.CacheHit, f.Cached)
	c.take(&c.written, in.Written, in.Created, f.CacheCreated)
	c.take(&c.thinking, out.Reasoning)
	var cost float64
	if len(f.Cost) > 0 && string(f.Cost) != "null" && json.Unmarshal(f.Cost, &cost) == nil &&
		cost >= 0 && cost < maxCost {
		c.cost = &cost
	}
}

// take sets a count to the first valid value.
func (c *counts) take(into *int, values ...json.RawMessage) {
	for _, v := range values {
		if n := count(v); n > 0 {
			*into = n
			return
		}
	}
}

func either(a, b json.RawMessage) json.RawMessage {
	if len(a) > 0 {
		return a
	}
	return b
}

// usage adds the counts up. Thinking is output: some servers count it only in the total,
// some separately.
func (c *counts) usage() Usage {
	u := Usage{Input: c.input, Output: c.output, Cached: c.cached, Written: c.written}
	if c.separate {
		u.Input += u.Cached + u.Written
	}
	u.Cached = min(u.Cached, u.Input)
	u.Written = min(u.Written, u.Input-u.Cached)
	switch {
	case c.total > 0 && c.input > 0 && !c.separate:
		u.Output = max(u.Output, c.total-c.input)
	case c.thinking > c.output:
		u.Output += c.thinking
	}
	return u
}

const (
	// maxCount is more than any model reads or writes in one call, so a larger number is
	// invalid. maxCost is beyond any one call.
	maxCount = 1 << 24
	maxCost  = 1e5
)

// count returns a number of tokens, or 0.
func count(raw json.RawMessage) int {
	var n float64
	if len(raw) == 0 || json.Unmarshal(raw, &n) != nil || math.IsNaN(n) || n < 0 || n > maxCount {
		return 0
	}
	return int(n)
}
