package agent

import (
	"bytes"
	"encoding/json"
)

// lastObject decodes the last JSON object of an output, which may be all of it or its last
// line: agents print warnings before it.
func lastObject(stdout []byte, into any) bool {
	text := bytes.TrimSpace(stdout)
	if json.Unmarshal(text, into) == nil {
		return true
	}
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 && json.Unmarshal(text[i+1:], into) == nil {
		return true
	}
	if i := bytes.Index(text, []byte("\n{")); i >= 0 {
		return json.Unmarshal(text[i+1:], into) == nil
	}
	return false
}

// parseClaude reads the result object of Claude Code, which Cursor's command also writes.
func parseClaude(stdout []byte) (message string, u Usage, failed string, ok bool) {
	var r struct {
		Type    string   `json:"type"`
		Result  string   `json:"result"`
		IsError bool     `json:"is_error"`
		Cost    *float64 `json:"total_cost_usd"`
		Usage   *struct {
			Input   int `json:"input_tokens"`
			Output  int `json:"output_tokens"`
			Read    int `json:"cache_read_input_tokens"`
			Created int `json:"cache_creation_input_tokens"`
		} `json:"usage"`
	}
	if !lastObject(stdout, &r) || r.Type != "result" {
		return "", Usage{}, "", false
	}
	if r.Cost != nil && *r.Cost >= 0 {
		u.CostUSD, u.CostKnown = *r.Cost, true
	}
	if r.Usage != nil {
		u.Known = true
		u.Input, u.Output, u.Cached = r.Usage.Input+r.Usage.Read+r.Usage.Created, r.Usage.Output, r.Usage.Read
	}
	if r.IsError {
		failed = r.Result
		if failed == "" {
			failed = "it reports an error"
		}
	}
	return r.Result, u, failed, true
}

// parseCodex reads the events of codex exec --json.
func parseCodex(stdout []byte) (message string, u Usage, failed string, ok bool) {
	for line := range bytes.Lines(stdout) {
		var e struct {
			Type string `json:"type"`
			Item struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"item"`
			Usage *struct {
				Input  int `json:"input_tokens"`
				Cached int `json:"cached_input_tokens"`
				Output int `json:"output_tokens"`
			} `json:"usage"`
			Message string `json:"message"`
			Error   struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		if json.Unmarshal(line, &e) != nil || e.Type == "" {
			continue
		}
		ok = true
		switch {
		case e.Type == "item.completed" && e.Item.Type == "agent_message":
			message = e.Item.Text
		case e.Type == "turn.completed" && e.Usage != nil:
			u.Known, failed = true, ""
			u.Input += e.Usage.Input
			u.Cached += e.Usage.Cached
			u.Output += e.Usage.Output
		case e.Type == "turn.failed":
			failed = e.Error.Message
		case e.Type == "error":
			failed = e.Message
		}
	}
	return message, u, failed, ok
}

// parseGemini reads the object of gemini --output-format json.
func parseGemini(stdout []byte) (message string, u Usage, failed string, ok bool) {
	var r struct {
		Response *string `json:"response"`
		Error    *struct {
			Message string `json:"message"`
		} `json:"error"`
		Stats struct {
			Models map[string]struct {
				Tokens struct {
					Prompt     int `json:"prompt"`
					Candidates int `json:"candidates"`
					Thoughts   int `json:"thoughts"`
					Cached     int `json:"cached"`
				} `json:"tokens"`
			} `json:"models"`
		} `json:"stats"`
	}
	if !lastObject(stdout, &r) || r.Response == nil && r.Error == nil {
		return "", Usage{}, "", false
	}
	for _, m := range r.Stats.Models {
		u.Known = true
		u.Input += m.Tokens.Prompt
		u.Output += m.Tokens.Candidates + m.Tokens.Thoughts
		u.Cached += m.Tokens.Cached
	}
	if r.Response != nil {
		message = *r.Response
	}
	if r.Error != nil {
		failed = r.Error.Message
	}
	return message, u, failed, true
}
