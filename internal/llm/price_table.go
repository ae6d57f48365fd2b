package llm

// priceRow is a line of the table: USD per million tokens. Where prompts
// longer than longFrom tokens cost more, all tokens of such a call cost
// longInput (input and cache) and longOutput times as much.
type priceRow struct {
	model                 string
	input, output, cached float64
	long                  longPrice
	date                  string // when the price was read
}

// longPrice is what long prompts cost more.
type longPrice struct {
	from          int
	input, output float64
}

var (
	openaiLong = longPrice{272_000, 2, 1.5}
	geminiLong = longPrice{200_000, 2, 1.5}
	haikuLong  = longPrice{100_000, 5, 5}
	never      = longPrice{}
)

// priceTable, newest models first. Read from stored copies of:
//
//	OpenAI, GPT-6 family and GPT-5.6: developers.openai.com/api/docs/pricing as
//	reported on 22 September to 27 October 2026; older ones: the public table
//	pydantic/genai-prices of 21 August 2026
//	Anthropic: platform.claude.com/docs, pages of each model, October 2026
//	Google: ai.google.dev/gemini-api/docs/pricing, read 7 October 2026 (the
//	Flash prices hold through 31 December 2026 and double then)
//	all others: pydantic/genai-prices, 21 August 2026
var priceTable = []priceRow{
	{"gpt-6-astra", 10, 50, 1, openaiLong, "2026-10"},
	{"gpt-6.1-sol", 2, 10, 0.10, openaiLong, "2026-10"},
	{"gpt-6.1-terra", 1, 5, 0.05, openaiLong, "2026-10"},
	{"gpt-6-sol", 2, 10, 0.20, openaiLong, "2026-10"},
	{"gpt-6-luna", 0.10, 0.50, 0.01, openaiLong, "2026-10"},
	{"gpt-5.6-sol", 4, 20, 0.40, openaiLong, "2026-09"},
	{"gpt-5.6-terra", 2, 12, 0.20, openaiLong, "2026-09"},
	{"gpt-5.6-luna", 0.20, 1.20, 0.02, openaiLong, "2026-09"},
	{"gpt-5.5", 5, 30, 0.50, openaiLong, "2026-08"},
	{"gpt-5.5-pro", 30, 180, 30, openaiLong, "2026-08"},
	{"gpt-5.4", 2.50, 15, 0.25, openaiLong, "2026-08"},
	{"gpt-5.4-mini", 0.75, 4.50, 0.075, never, "2026-08"},
	{"gpt-5.4-nano", 0.20, 1.25, 0.02, never, "2026-08"},
	{"gpt-5.4-pro", 30, 180, 30, openaiLong, "2026-08"},
	{"gpt-5.3", 1.75, 14, 0.175, never, "2026-08"},
	{"gpt-5.3-codex", 1.75, 14, 0.175, never, "2026-08"},
	{"gpt-5.2", 1.75, 14, 0.175, never, "2026-08"},
	{"gpt-5.1", 1.25, 10, 0.125, never, "2026-08"},
	{"gpt-5", 1.25, 10, 0.125, never, "2026-08"},
	{"gpt-5-mini", 0.25, 2, 0.025, never, "2026-08"},
	{"gpt-5-nano", 0.05, 0.40, 0.005, never, "2026-08"},
	{"gpt-4.1", 2, 8, 0.50, never, "2026-08"},
	{"gpt-4.1-mini", 0.40, 1.60, 0.10, never, "2026-08"},

	{"claude-fable-5.1", 10, 50, 0.25, never, "2026-10"},
	{"claude-opus-5.5", 4, 20, 0.20, never, "2026-10"},
	{"claude-sonnet-5.5", 2, 10, 0.10, never, "2026-10"},
	{"claude-haiku-5.5", 0.10, 0.50, 0.01, haikuLong, "2026-10"},
	{"claude-fable-5", 10, 50, 1, never, "2026-10"},
	{"claude-opus-5", 5, 25, 0.50, never, "2026-10"},
	{"claude-sonnet-5", 2, 10, 0.20, never, "2026-10"},
	{"claude-opus-4.8", 5, 25, 0.50, never, "2026-08"},
	{"claude-opus-4.7", 5, 25, 0.50, never, "2026-08"},
	{"claude-opus-4.6", 5, 25, 0.50, never, "2026-10"},
	{"claude-opus-4.5", 5, 25, 0.50, never, "2026-08"},
	{"claude-sonnet-4.6", 3, 15, 0.30, never, "2026-08"},
	{"claude-sonnet-4.5", 3, 15, 0.30, longPrice{200_000, 2, 1.5}, "2026-08"},
	{"claude-haiku-4.5", 1, 5, 0.10, never, "2026-10"},

	{"gemini-3.8-flash", 0.75, 3.75, 0.075, never, "2026-10"},
	{"gemini-3.7-flash", 0.75, 3.75, 0.075, never, "2026-09"},
	{"gemini-3.6-flash", 0.75, 3.75, 0.075, never, "2026-09"},
	{"gemini-3.5-flash", 1.50, 9, 0.15, never, "2026-10"},
	{"gemini-3.5-flash-lite", 0.30, 2.50, 0.03, never, "2026-10"},
	{"gemini-3.1-pro-preview", 2, 12, 0.20, geminiLong, "2026-10"},
	{"gemini-3.1-flash-lite", 0.25, 1.50, 0.025, never, "2026-08"},
	{"gemini-3-flash-preview", 0.50, 3, 0.05, never, "2026-08"},
	{"gemini-2.5-pro", 1.25, 10, 0.125, geminiLong, "2026-10"},
	{"gemini-2.5-flash", 0.30, 2.50, 0.03, never, "2026-10"},
	{"gemini-2.5-flash-lite", 0.10, 0.40, 0.01, never, "2026-10"},

	{"deepseek-v4-pro", 0.435, 0.87, 0.003625, never, "2026-08"},
	{"deepseek-v4-flash", 0.14, 0.28, 0.0028, never, "2026-08"},
	{"kimi-k3", 3, 15, 0.30, never, "2026-08"},
	{"kimi-k2.7-code", 0.95, 4, 0.19, never, "2026-08"},
	{"kimi-k2.6", 0.95, 4, 0.16, never, "2026-08"},
	{"grok-4.5", 2, 6, 0.50, never, "2026-08"},
	{"grok-4.3", 1.25, 2.50, 0.20, never, "2026-08"},
	{"grok-code-fast-1", 0.20, 1.50, 0.02, never, "2026-08"},
	{"devstral-2512", 0.40, 2, 0.04, never, "2026-08"},
	{"codestral-2508", 0.30, 0.90, 0.03, never, "2026-08"},
	{"mistral-large-2512", 0.50, 1.50, 0.05, never, "2026-08"},
}
