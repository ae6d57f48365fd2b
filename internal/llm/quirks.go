package llm

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/provider"
)

// quirks are settings that a server did not accept. They hold for the rest of the run. No
// table of model names is needed, and none can become outdated.
type quirks struct {
	responses       bool // the model is only available through Responses
	oldMaxTokens    bool // max_tokens instead of max_completion_tokens; some providers start with it
	noMaxTokens     bool
	maxTokens       int // the maximum that the server allows, 0 if unknown
	noTemperature   bool
	noEffort        bool
	effortFor       string // the effort that replaces the rejected one
	budget          bool   // thinking as a token budget instead of an effort
	noStreamOptions bool
	noSystem        bool // system text goes into the first user message
	noCacheKey      bool
	noCacheMark     bool
}

// outputTokens bounds the reply; 0 means that the server takes no bound.
func (q quirks) outputTokens(r Request) int {
	switch {
	case q.noMaxTokens:
		return 0
	case q.maxTokens > 0:
		return min(r.MaxOutputTokens, q.maxTokens)
	}
	return r.MaxOutputTokens
}

// effort returns how much the model should think, "" for its default.
func (q quirks) effort(r Request) string {
	switch {
	case r.ReasoningEffort == "" || q.noEffort:
		return ""
	case q.effortFor != "":
		return q.effortFor
	}
	return r.ReasoningEffort
}

// adapt learns from an error which setting to leave out. It returns false if the error is
// not about a setting, or the setting was left out already.
func (q quirks) adapt(err error, r Request) (next quirks, note string, ok bool) {
	var e *statusError
	if !errors.As(err, &e) {
		return q, "", false
	}
	if needsResponses(e) && !q.responses {
		q.responses = true
		return q, "", true
	}
	if e.status != http.StatusBadRequest && e.status != http.StatusUnprocessableEntity || isContextLength(e) {
		return q, "", false
	}
	about := strings.ToLower(e.param + " " + e.message)
	names := func(words ...string) bool { return containsAny(about, words) }
	switch {
	case names("stream_options") && !q.noStreamOptions:
		q.noStreamOptions = true
		return q, "the server does not accept stream_options: tokens are estimated", true
	case names(provider.CacheKey) && !q.noCacheKey:
		q.noCacheKey = true
		return q, "", true
	case names(provider.OpenAIMark, "prompt_cache_options", provider.AnthropicMark) && !q.noCacheMark:
		q.noCacheMark = true
		return q, "", true
	case names(outputFields...) && !q.noMaxTokens:
		return q.adaptMaxTokens(about, r)
	case names("temperature") && r.Temperature != nil && !q.noTemperature:
		q.noTemperature = true
		return q, "the model does not accept a temperature: left out", true
	case names("effort", "thinking", "reasoning", "output_config") && q.effort(r) != "":
		return q.adaptEffort(about, r)
	case names(systemWords...) && !q.noSystem:
		q.noSystem = true
		return q, "", true
	}
	return q, "", false
}

// What errors call the output limit, and a rejected system message.
var (
	outputFields = []string{"max_completion_tokens", "max_tokens", "max_output_tokens", "max tokens",
		"maxoutputtokens"}
	systemWords = []string{"system role", "system message", "role 'system'", `role "system"`,
		"roles must alternate", "user and assistant roles"}
)

// needsResponses reports whether an error says that the model is not available through Chat
// Completions, in the words of OpenAI or a gateway.
func needsResponses(e *statusError) bool {
	if e.status != http.StatusNotFound && e.status != http.StatusBadRequest {
		return false
	}
	text := strings.ToLower(e.message)
	return containsAny(text,
		[]string{"only supported in v1/responses", "use /v1/responses", "not a chat model"})
}

// adaptMaxTokens changes the name of the field, or its value if that is too large.
func (q quirks) adaptMaxTokens(about string, r Request) (quirks, string, bool) {
	if n := namedLimit(about); n >= leastLimit && n < q.outputTokens(r) {
		q.maxTokens = n
		return q, fmt.Sprintf("the model writes at most %d tokens: max_output_tokens lowered", n), true
	}
	if !q.oldMaxTokens {
		q.oldMaxTokens = true
		return q, "", true
	}
	q.noMaxTokens = true
	return q, "the server accepts no limit of output tokens: left out", true
}

// leastLimit is the lowest number that is accepted as an output limit.
const leastLimit = 256

// limits are phrases in which servers name their maximum. Any other number in an error (a
// status, a date, the value sent) is not one.
var limits = sync.OnceValue(func() []*regexp.Regexp {
	var out []*regexp.Regexp
	for _, s := range []string{
		`at most (\d[\d,]*)`,                                // OpenAI
		`> (\d[\d,]*), which is the maximum allowed`,        // Anthropic
		`valid range of \S+ is \[\s*\d+\s*,\s*(\d[\d,]*)\]`, // DeepSeek
		`should be \[\s*\d+\s*,\s*(\d[\d,]*)\]`,             // Qwen
		`range is from \d+ \(inclusive\) to (\d[\d,]*)`,     // Gemini
		"(?:less than or equal to|<=) [`'\"]?(\\d[\\d,]*)",  // Groq
		`(?:maximum|limit)(?: allowed)?(?: value)?(?: is| of|:) (\d[\d,]*)`,
		`between \d+ and (\d[\d,]*)`,
	} {
		out = append(out, regexp.MustCompile(s))
	}
	return out
})

// namedLimit returns the limit that an error names, or 0.
func namedLimit(about string) int {
	for _, re := range limits() {
		if m := re.FindStringSubmatchIndex(about); m != nil {
			n := number(about[m[2]:m[3]])
			if strings.HasPrefix(about[m[3]:], " (exclusive)") {
				n--
			}
			return n
		}
	}
	return 0
}

func number(s string) int {
	n, err := strconv.Atoi(strings.ReplaceAll(strings.TrimRight(s, ","), ",", ""))
	if err != nil {
		return 0
	}
	return n
}

// efforts, the least first.
var efforts = []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}

// adaptEffort chooses the nearest effort that the error names as accepted; otherwise, in
// Messages, a token budget; otherwise it drops the setting.
func (q quirks) adaptEffort(about string, r Request) (quirks, string, bool) {
	asked := q.effort(r)
	if near := nearestEffort(asked, about); near != "" && q.effortFor == "" {
		q.effortFor = near
		return q, fmt.Sprintf("the model does not accept reasoning_effort %q: asked with %q", asked, near), true
	}
	if containsAny(about, []string{"output_config", "effort parameter"}) && !q.budget {
		q.budget = true
		return q, "", true
	}
	q.noEffort = true
	return q, fmt.Sprintf("the model does not accept reasoning_effort %q: left out", r.ReasoningEffort), true
}

var word = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[a-z]+`) })

// nearestEffort returns the effort named after "supported" or "must be one of" that is
// nearest to the one asked for, or "".
func nearestEffort(asked, about string) string {
	at := -1
	for _, s := range []string{"supported values", "one of", "should be", "valid values", "expected", "allowed"} {
		if at = strings.LastIndex(about, s); at >= 0 {
			break
		}
	}
	if at < 0 {
		return ""
	}
	want, best := slices.Index(efforts, asked), ""
	for _, w := range word().FindAllString(about[at:], -1) {
		i := slices.Index(efforts, w)
		if i < 0 || w == asked {
			continue
		}
		if best == "" || distance(i, want) < distance(slices.Index(efforts, best), want) {
			best = w
		}
	}
	return best
}

func distance(a, b int) int { return max(a-b, b-a) }
