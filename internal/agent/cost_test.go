package agent

import "testing"

func TestTheCostIsReadFromAnyOutput(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		output string
		want   float64
		known  bool
	}{
		"a result object":           {`{"type":"result","total_cost_usd":0.1234,"usage":{"input_tokens":5}}`, 0.1234, true},
		"a result after other text": {"warming up\n{\"result\":\"ok\",\"total_cost_usd\":0.5}\n", 0.5, true},
		"steps that are added up":   {"{\"type\":\"step_finish\",\"part\":{\"cost\":0.01}}\n{\"type\":\"text\"}\n{\"type\":\"step_finish\",\"part\":{\"cost\":0.02}}\n", 0.03, true},
		"a total beside its steps":  {"{\"cost\":0.4}\n{\"stats\":{\"totalCost\":0.4}}\n", 0.4, true},
		"free of charge":            {`{"total_cost_usd":0}`, 0, true},
		"aider":                     {"Tokens: 2.3k sent, 120 received. Cost: $0.0083 message, $0.0201 session.\n", 0.0201, true},
		"in words":                  {"done\nTotal cost: $1.23\n", 1.23, true},
		"in words, twice":           {"Total cost: $0.20\nmore\nTotal cost: $0.45\n", 0.45, true},
		"estimated":                 {"  Estimated cost: $0.07\n", 0.07, true},
		"a table":                   {"Total        $0.30\n", 0.30, true},
		"USD behind":                {"session cost: USD 0.25\n", 0.25, true},
		"nothing":                   {"I changed three files.\n", 0, false},
		"prose about money":         {"The total cost of the order is computed in cart.go; cost: see there.\n", 0, false},
		"code that prints a cost":   {"fmt.Println(\"cost\", 3)\n", 0, false},
		"below nothing":             {`{"total_cost_usd":-1}`, 0, false},
		"no JSON after all":         {`{"total_cost_usd":`, 0, false},
	} {
		got, known := costIn([]byte(c.output))
		if known != c.known || got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: got %v %t, want %v %t", name, got, known, c.want, c.known)
		}
	}
}

func FuzzCostIn(f *testing.F) {
	f.Add([]byte(`{"total_cost_usd":0.1}`))
	f.Add([]byte("Total cost: $1.23\nCost: $1 message, $2 session"))
	f.Fuzz(func(t *testing.T, output []byte) {
		if usd, ok := costIn(output); ok && !(usd >= 0) {
			t.Errorf("a cost of %v", usd)
		}
	})
}
