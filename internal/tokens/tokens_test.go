package tokens

import (
	"strings"
	"testing"
)

func TestPiecesAreWhatVocabulariesHaveTokensFor(t *testing.T) {
	for text, want := range map[string]int{
		"":                            0,
		"word":                        1,
		"two words":                   2,
		"camelCaseName":               3,
		"HTTP":                        1,
		"internationalization":        2,
		"1234":                        4,
		"f(x)":                        4,
		"a === b":                     3,
		"==========":                  3,
		"one\ntwo":                    3,
		"one\n\n\t\ttwo\n":            4,
		"a  b":                        2,
		strings.Repeat(" ", 33):       2,
		"größe":                       4,
		"日本":                          2,
		strings.Repeat("x", 100):      10,
		"if (count > 10) { return; }": 11,
	} {
		if got := Pieces(text); got != want {
			t.Errorf("%q has %d pieces, want %d", text, got, want)
		}
	}
}

// Counts of public vocabularies (by gpt-tokenizer 4.0.0, encoding o200k_base) of texts
// of kinds of code with the fewest and the most bytes a token: 2.5, 2.7, 5.7 and 5.8.
func TestPiecesFollowTheTextNotItsBytes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		tokens     int
	}{
		{"C", cCode, 116}, {"Perl", perlCode, 106}, {"C#", csharpCode, 91}, {"Swift", swiftCode, 93},
	} {
		if ratio := float64(Pieces(c.text)) / float64(c.tokens); ratio < 0.9 || ratio > 1.3 {
			t.Errorf("%s: %d pieces for %d tokens of %d bytes, a ratio of %.2f", c.name, Pieces(c.text), c.tokens, len(c.text), ratio)
		}
	}
}

const cCode = `static int ring_put(struct ring *r, const uint8_t *src, size_t len)
{
	if (!r || (len && !src))
		return -EINVAL;
	for (size_t i = 0; i < len; i++) {
		if (((r->head + 1) & r->mask) == r->tail)
			return -ENOSPC;
		r->buf[r->head] = src[i];
		r->head = (r->head + 1) & r->mask;
	}
	return 0;
}
`

const perlCode = `sub parse_line {
    my ($self, $line) = @_;
    return unless defined $line && $line =~ /^\s*(\w+)\s*=\s*(.*?)\s*$/;
    my ($key, $value) = (lc $1, $2);
    $value =~ s/^"(.*)"$/$1/s;
    push @{ $self->{values}{$key} //= [] }, $value;
    return wantarray ? ($key, $value) : $key;
}
`

const csharpCode = `    /// <summary>Registers a handler for messages of the given type.</summary>
    public async Task<RegistrationResult> RegisterHandlerAsync<TMessage>(
        IMessageHandler<TMessage> messageHandler, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(messageHandler);
        var registration = await registrationRepository.FindByMessageTypeAsync(typeof(TMessage), cancellationToken);
        return registration ?? RegistrationResult.CreateDefault(messageHandler);
    }
`

const swiftCode = `    /// Creates the request modifier that applies the given authentication credential.
    public func authenticatedRequest(for request: URLRequest, using credential: AuthenticationCredential) throws -> URLRequest {
        guard credential.expirationDate > currentDateProvider.currentDate else {
            throw AuthenticationError.credentialExpired(credential)
        }
        var modifiedRequest = request
        modifiedRequest.setValue(credential.headerValue, forHTTPHeaderField: "Authorization")
        return modifiedRequest
    }
`

func TestPerTokenByTheModelsName(t *testing.T) {
	for model, want := range map[string]float64{
		"gpt-5-mini": 1, "openai/gpt-4o": 1, "gpt-4-turbo": 0.99, "Qwen3-Coder:30b": 0.98, "deepseek/deepseek-r1": 0.93,
		"meta-llama/llama-3.3-70b-instruct": 0.99, "gemma3:27b": 0.86,
		"": unknown, "claude-sonnet-5.5": unknown, "gpt-6.1-sol": unknown, "mine": unknown,
	} {
		if got := PerToken(model); got != want {
			t.Errorf("%q: %v pieces a token, want %v", model, got, want)
		}
	}
	for given, want := range map[float64]float64{0: unknown, -1: unknown, 0.1: 0.4, 1.07: 1.07, 9: 2} {
		if got := Within(given); got != want {
			t.Errorf("Within(%v) is %v, want %v", given, got, want)
		}
	}
}

func FuzzPieces(f *testing.F) {
	f.Add("func main() {}\n", "\x00\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		n, m, both := Pieces(a), Pieces(b), Pieces(a+b)
		if n < 0 || n > len(a) {
			t.Errorf("%d pieces of %d bytes", n, len(a))
		}
		if both > n+m+1 || both < n+m-2 {
			t.Errorf("%d and %d pieces make %d", n, m, both)
		}
	})
}
