package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/journal/record"
)

// money gives an amount in dollars, to the cent where that says something.
func money(v float64, estimated bool) string {
	sign := ""
	if estimated {
		sign = "~"
	}
	switch {
	case v == 0:
		return "$0"
	case v < 0.01:
		return fmt.Sprintf("%s$%.4f", sign, v)
	}
	return fmt.Sprintf("%s$%.2f", sign, v)
}

// tokens gives a count as 950, 12.3k or 1.2M.
func tokens(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 999_950:
		return fmt.Sprintf("%.1fk", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1fM", float64(n)/1e6)
}

// span gives a duration as 850ms, 12.3s, 4m05s, 2h10m or 3d4h.
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return "0s"
	case d < time.Second:
		return fmt.Sprintf("%dms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// age gives how long ago something was, in one unit.
func age(now, then time.Time) string {
	switch d := now.Sub(then); {
	case then.IsZero():
		return ""
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh ago", int(d.Hours()))
	default:
		return fmt.Sprintf("%dd ago", int(d.Hours())/24)
	}
}

func lines(files []event.File) (added, removed int) {
	for _, f := range files {
		added += f.Added
		removed += f.Removed
	}
	return added, removed
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// sums of an attempt's calls and checks.
type sums struct {
	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	CachedTokens int     `json:"cached_tokens"`
	CostUSD      float64 `json:"cost_usd"`
	SavedUSD     float64 `json:"saved_usd"`
	Estimated    bool    `json:"estimated"`
	DurationMS   int64   `json:"duration_ms"`
}

func sumOf(a record.Attempt) sums {
	var s sums
	for _, c := range a.Calls {
		s.InputTokens += c.InputTokens
		s.OutputTokens += c.OutputTokens
		s.CachedTokens += c.CachedTokens
		s.CostUSD += c.CostUSD
		s.SavedUSD += c.SavedUSD
		s.Estimated = s.Estimated || c.Estimated
	}
	if !a.Finished.IsZero() {
		s.DurationMS = a.Finished.Sub(a.Started).Milliseconds()
	}
	return s
}

// tokensIn gives a number of input tokens, with what of it came from a cache.
func tokensIn(n, cached int) string {
	if cached == 0 {
		return tokens(n) + " in"
	}
	return fmt.Sprintf("%s in (%s cached)", tokens(n), tokens(cached))
}

// cacheText says how much of a run's input came from the provider's prompt cache,
// and what that saved; "" where nothing did.
func cacheText(calls []record.Call) string {
	input, cached, saved := 0, 0, 0.0
	for _, c := range calls {
		input, cached, saved = input+c.InputTokens, cached+c.CachedTokens, saved+c.SavedUSD
	}
	if cached == 0 || input == 0 {
		return ""
	}
	text := fmt.Sprintf("%d%% of the input tokens from the prompt cache", cached*100/input)
	if saved > 0 {
		text += ", saved " + money(saved, false)
	}
	return text
}

// verdict says in a word or two how a check ended.
func verdict(c record.Check) string {
	switch {
	case c.Passed:
		return "passed"
	case c.TimedOut:
		return "timed out"
	case c.Counts.Failed != nil && *c.Counts.Failed > 0:
		return fmt.Sprintf("failed (%d)", *c.Counts.Failed)
	case failure.CountTests(c.Failures) > 0:
		return fmt.Sprintf("failed (%d)", failure.CountTests(c.Failures))
	case len(c.Failures) > 0:
		return "failed (" + count(len(c.Failures), "problem") + ")"
	}
	return fmt.Sprintf("failed (exit %d)", c.ExitCode)
}

// taskName says what a run works on.
func taskName(t event.Task) string {
	switch {
	case t.Number > 0:
		return fmt.Sprintf("#%d %s", t.Number, t.Title)
	case t.Spec != "":
		return t.Spec + " " + t.Title
	}
	return t.Title
}

// outcomeName gives an outcome, or the state of a run that has none yet.
func outcomeName(r record.Run) string {
	if r.Undone {
		return "undone"
	}
	if r.State == record.Finished && r.Outcome != "" {
		return r.Outcome
	}
	return r.State
}

// headline says in a few words how a run ended.
func headline(r record.Run) string {
	words := map[string]string{
		event.Green: "The checks pass", event.Exhausted: "Attempts used up: the checks still fail",
		event.Stuck: "No progress: the checks still fail", event.NeedsReview: "A person must judge this",
		event.Question: "The model asks a question", event.Environment: "The checks cannot run here",
		event.Budget: "Stopped at a budget limit", event.ModelFailed: "The model could not be reached",
		event.NothingToDo: "Nothing to do", event.Declined: "Refused for safety", event.Errored: "Ended with an error",
		record.Running: "Still at work", record.Interrupted: "Interrupted",
	}
	name := outcomeName(r)
	if name == event.Exhausted && r.AttemptsTotal == 0 {
		return "Stopped before the first attempt"
	}
	if w := words[name]; w != "" {
		return w
	}
	return name
}

// modelsOf names the models that were asked, in order.
func modelsOf(calls []record.Call) []string {
	var out []string
	for _, c := range calls {
		if name := modelName(c.Model); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// modelName is a model by its name; of a program that stands for one, the file's.
func modelName(s string) string {
	if strings.HasPrefix(s, "/") || len(s) > 2 && s[1] == ':' && s[2] == '\\' {
		return s[strings.LastIndexAny(s, `/\`)+1:]
	}
	return s
}

// ranges gives lines as 1-40, 52-60.
func ranges(lines [][2]int) string {
	var parts []string
	for _, l := range lines {
		parts = append(parts, fmt.Sprintf("%d-%d", l[0], l[1]))
	}
	return strings.Join(parts, ", ")
}
