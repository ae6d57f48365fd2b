package tokens

import "strings"

// family is what models of a name count.
type family struct {
	// prefix is that of the name, without a vendor before it.
	prefix string
	// pieces that make one token; less means that a text has more tokens.
	pieces float64
}

// families have public vocabularies, and so many pieces a token that 98 in 100 first
// requests of 44 projects in 18 languages have fewer tokens than that says.
var families = []family{
	// o200k_base
	{"gpt-4o", 1}, {"gpt-4.1", 1}, {"gpt-5", 1}, {"gpt-oss", 1}, {"o1", 1}, {"o3", 1}, {"o4", 1},
	{"gpt-4", 0.99}, {"gpt-3.5", 0.99}, // cl100k_base
	{"llama-3", 0.99}, {"llama3", 0.99},
	{"qwen2.5", 0.98}, {"qwen3", 0.98}, {"qwen-3", 0.98},
	{"deepseek-v3", 0.93}, {"deepseek-r1", 0.93},
	{"gemma-3", 0.86}, {"gemma3", 0.86},
}

// unknown is where estimates begin with every other vocabulary: about three bytes a
// token in most code, more tokens than any public vocabulary makes of it.
const unknown = 0.8

// PerToken is how many pieces make a token in the vocabulary of a model, before any
// reply has told: rather too few.
func PerToken(model string) float64 {
	name := strings.ToLower(model)
	name = name[strings.LastIndexByte(name, '/')+1:]
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.pieces
		}
	}
	return unknown
}

// Within gives what is known of the pieces a token, within what any vocabulary gives;
// where nothing is, what holds for most.
func Within(perToken float64) float64 {
	if perToken <= 0 {
		return unknown
	}
	return min(max(perToken, 0.4), 2)
}
