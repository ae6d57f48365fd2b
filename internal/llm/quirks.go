package llm

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// quirks are what a server was seen not to accept; they hold for the rest of
// the run. No table of model names is needed, and none gets old.
type quirks struct {
	oldMaxTokens    bool // max_tokens in the place of max_completion_tokens
	noMaxTokens     bool
	maxTokens       int // the most that the server allows, 0 for unknown
	noTemperature   bool
	noEffort        bool
	noStreamOptions bool
	noSystem        bool // system text goes into the first user message
}

var numbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d[\d,]*`) })

// adapt learns from an error which setting to leave out; false where the error
// does not speak of one, or it was left out already.
func (q quirks) adapt(err error, r Request) (next quirks, note string, ok bool) {
	var e *statusError
	if !errors.As(err, &e) || e.status != 400 && e.status != 422 {
		return q, "", false
	}
	about := strings.ToLower(e.param + " " + e.message)
	names := func(words ...string) bool { return containsAny(about, words) }
	switch {
	case isContextLength(e):
		return q, "", false
	case names("stream_options") && !q.noStreamOptions:
		q.noStreamOptions = true
		return q, "the server does not accept stream_options: tokens are estimated", true
	case names("max_completion_tokens", "max_tokens", "max tokens", "maxoutputtokens") && !q.noMaxTokens:
		return q.adaptMaxTokens(about, r)
	case names("temperature") && r.Temperature != nil && !q.noTemperature:
		q.noTemperature = true
		return q, "the model does not accept a temperature: left out", true
	case names("reasoning_effort", "reasoning effort", "reasoning.effort", "thinking", "effort") && r.ReasoningEffort != "" && !q.noEffort:
		q.noEffort = true
		return q, fmt.Sprintf("the model does not accept reasoning_effort %q: left out", r.ReasoningEffort), true
	case names("system role", "system message", "role 'system'", `role "system"`, "roles must alternate", "user and assistant roles") && !q.noSystem:
		q.noSystem = true
		return q, "", true
	}
	return q, "", false
}

// adaptMaxTokens changes the field's name, or its value where that is too large.
func (q quirks) adaptMaxTokens(about string, r Request) (quirks, string, bool) {
	sent := r.MaxOutputTokens
	if q.maxTokens > 0 {
		sent = min(sent, q.maxTokens)
	}
	best := 0
	for _, text := range numbers().FindAllString(about, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(text, ",", ""))
		if err == nil && n >= 256 && n < sent && n > best {
			best = n
		}
	}
	if best > 0 {
		q.maxTokens = best
		return q, fmt.Sprintf("the model writes at most %d tokens: max_output_tokens lowered", best), true
	}
	if !q.oldMaxTokens {
		q.oldMaxTokens = true
		return q, "", true
	}
	q.noMaxTokens = true
	return q, "the server accepts no limit of output tokens: left out", true
}
