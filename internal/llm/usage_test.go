package llm

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// TestWhatAServerCountsIsForeignText reads usages of all kinds: what cannot be
// is estimated and marked, and no reply fails for it.
func TestWhatAServerCountsIsForeignText(t *testing.T) {
	long := strings.Repeat("a word and another ", 1000)
	for name, c := range map[string]struct {
		usage         string
		input, output int // 0 for an estimate
		cached        int
		estimated     bool
	}{
		"counted":                       {`{"prompt_tokens":5000,"completion_tokens":3}`, 5000, 3, 0, false},
		"more tokens than bytes":        {`{"prompt_tokens":900000000,"completion_tokens":3}`, 0, 3, 0, true},
		"beyond all numbers":            {`{"prompt_tokens":1e30,"completion_tokens":1e300}`, 0, 0, 0, true},
		"one token for a long prompt":   {`{"prompt_tokens":1,"completion_tokens":3}`, 0, 3, 0, true},
		"no numbers":                    {`{"prompt_tokens":"many","completion_tokens":null}`, 0, 0, 0, true},
		"a number in quotes":            {`{"prompt_tokens":"5000","completion_tokens":3}`, 0, 3, 0, true},
		"half a token":                  {`{"prompt_tokens":5000.5,"completion_tokens":3}`, 5000, 3, 0, false},
		"below nothing":                 {`{"prompt_tokens":-5,"completion_tokens":-1}`, 0, 0, 0, true},
		"no object":                     {`"none"`, 0, 0, 0, true},
		"a list":                        {`[1,2]`, 0, 0, 0, true},
		"more cached than sent":         {`{"prompt_tokens":5000,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":99999}}`, 5000, 3, 5000, false},
		"cached below nothing":          {`{"prompt_tokens":5000,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":-7}}`, 5000, 3, 0, false},
		"details of another kind":       {`{"prompt_tokens":5000,"completion_tokens":3,"prompt_tokens_details":[]}`, 5000, 3, 0, false},
		"an output beyond what may be":  {`{"prompt_tokens":5000,"completion_tokens":2000000000}`, 5000, 0, 0, true},
		"a cost that is no number":      {`{"prompt_tokens":5000,"completion_tokens":3,"cost":"free"}`, 5000, 3, 0, false},
		"a cost beyond all money":       {`{"prompt_tokens":5000,"completion_tokens":3,"cost":1e12}`, 5000, 3, 0, false},
		"cut by a small local setting":  {`{"prompt_tokens":2048,"completion_tokens":3}`, 2048, 3, 0, false},
		"a gateway's own system prompt": {`{"prompt_tokens":30000,"completion_tokens":3}`, 30000, 3, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, stream(delta("hello"), finish("stop"), `{"choices":[],"usage":`+c.usage+`}`))
			var n naps
			r, err := newClient(t, config(s, &n)).Complete(t.Context(), ask(long))
			if err != nil || len(n.list) > 0 {
				t.Fatalf("it failed, or was tried again: %v %v", err, n.list)
			}
			u := r.Usage
			guess := estimateTokens(long)
			if c.input > 0 && u.Input != c.input || c.input == 0 && (u.Input < guess/2 || u.Input > 2*guess) ||
				c.output > 0 && u.Output != c.output || c.output == 0 && (u.Output < 1 || u.Output > 10) ||
				u.Cached != c.cached || u.Estimated != c.estimated || u.CostUSD < 0 || u.CostUSD > 10 {
				t.Errorf("got %+v", u)
			}
		})
	}
}

func FuzzUsage(f *testing.F) {
	f.Add([]byte(`{"prompt_tokens":5,"completion_tokens":1e9,"cost":0.1,"prompt_tokens_details":{"cached_tokens":9}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var u usageFrame
		if !json.Valid(data) {
			return
		}
		if err := json.Unmarshal(data, &u); err != nil {
			t.Fatal(err)
		}
		if u.input < 0 || u.output < 0 || u.cached < 0 || u.cached > u.input || u.cost != nil && !(*u.cost >= 0 && !math.IsInf(*u.cost, 0)) {
			t.Errorf("%s: %+v", data, u)
		}
	})
}
