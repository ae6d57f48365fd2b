package redact

import "strings"

// literal is a text that announces a secret, and what looks closer at it.
type literal struct {
	text  string
	fold  bool // letters may have any case
	match func(s string, start, end int) (span, bool)
}

// keyBlock is the kind of PEM private keys.
const keyBlock = "private-key"

// charset is a set of ASCII characters.
type charset [4]uint32

func chars(spec string) (c charset) {
	for i := 0; i < len(spec); i++ {
		lo, hi := spec[i], spec[i]
		if i+2 < len(spec) && spec[i+1] == '-' {
			hi = spec[i+2]
			i += 2
		}
		for b := lo; b <= hi; b++ {
			c[b>>5] |= 1 << (b & 31)
		}
	}
	return c
}

func (c *charset) has(b byte) bool { return b < 128 && c[b>>5]&(1<<(b&31)) != 0 }

// run is how many bytes of s from i on are in the set.
func (c *charset) run(s string, i int) int {
	n := 0
	for i+n < len(s) && c.has(s[i+n]) {
		n++
	}
	return n
}

var (
	alnum    = chars("A-Za-z0-9")
	letters  = chars("A-Za-z")
	upperNum = chars("A-Z0-9")
	hex      = chars("a-f0-9")
	word     = chars("A-Za-z0-9_")
	urlSafe  = chars("A-Za-z0-9_\x2d") // base64url
	b64      = chars("A-Za-z0-9+/=")
	dotted   = chars("A-Za-z0-9_.\x2d")
)

// formats is the table of known formats. A row is the fixed beginnings, the characters after them, and how
// many at least and (0: no bound) at most there are.
var formats = []format{
	{"github-token", "ghp_ gho_ ghu_", alnum, 30, 0},
	{"github-token", "ghs_", dotted, 30, 0},
	{"github-token", "ghr_", alnum, 30, 0},
	{"github-token", "github_pat_", word, 30, 0},
	{"gitlab-token", "glpat- gldt- glrt- glcbt- glptt- gloas- glsoat- glimt-", dotted, 20, 0},
	{"anthropic-key", "sk-ant-", urlSafe, 20, 0},
	{"openrouter-key", "sk-or-", urlSafe, 20, 0},
	{"openai-key", "sk-proj- sk-svcacct- sk-admin- sk-", urlSafe, 20, 0},
	{"google-key", "AIza", urlSafe, 35, 0},
	{"google-key", "GOCSPX-", urlSafe, 20, 0},
	{"google-token", "ya29.", dotted, 20, 0},
	{"aws-key-id", "AKIA ASIA ABIA", upperNum, 16, 16},
	{"slack-token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxc-", urlSafe, 10, 0},
	{"slack-token", "xoxd-", dotted, 10, 0},
	{"slack-token", "xapp-", urlSafe, 10, 0},
	{"slack-webhook", "hooks.slack.com/services/", chars("A-Za-z0-9/"), 20, 0},
	{"discord-webhook", "discord.com/api/webhooks/", chars("A-Za-z0-9_/\x2d"), 40, 0},
	{"stripe-key", "sk_live_ rk_live_ sk_test_ rk_test_", alnum, 16, 0},
	{"stripe-key", "whsec_", b64, 24, 0},
	{"npm-token", "npm_", alnum, 36, 0},
	{"pypi-token", "pypi-", urlSafe, 50, 0},
	{"huggingface-token", "hf_", alnum, 30, 0},
	{"sendgrid-key", "SG.", dotted, 50, 0},
	{"twilio-key", "SK", hex, 32, 32},
	{"mailgun-key", "key-", hex, 32, 32},
	{"digitalocean-token", "dop_v1_ doo_v1_", hex, 40, 0},
	{"shopify-token", "shpat_ shpss_ shpca_", hex, 32, 0},
	{"databricks-token", "dapi", hex, 32, 0},
	{"vault-token", "hvs. hvb.", urlSafe, 24, 0},
	{"doppler-token", "dp.pt.", alnum, 40, 0},
	{"linear-key", "lin_api_", alnum, 30, 0},
	{"groq-key", "gsk_", alnum, 40, 0},
	{"xai-key", "xai-", alnum, 40, 0},
	{"perplexity-key", "pplx-", alnum, 40, 0},
	{"replicate-token", "r8_", alnum, 36, 0},
	{"docker-token", "dckr_pat_", urlSafe, 20, 0},
	{"grafana-token", "glsa_", word, 32, 0},
	{"grafana-token", "glc_", b64, 32, 0},
	{"notion-token", "ntn_", alnum, 40, 0},
	{"newrelic-key", "NRAK-", upperNum, 27, 0},
	{"sentry-token", "sntrys_", chars("A-Za-z0-9_+/="), 40, 0},
	{"figma-token", "figd_", urlSafe, 30, 0},
	{"postman-key", "PMAK-", urlSafe, 50, 0},
	{"atlassian-token", "ATATT3", chars("A-Za-z0-9_=\x2d"), 40, 0},
	{"supabase-token", "sbp_", hex, 40, 0},
	{"age-key", "AGE-SECRET-KEY-1", upperNum, 50, 0},
	{"square-token", "sq0csp-", urlSafe, 40, 0},
	{"artifactory-token", "AKCp", alnum, 60, 0},
	{"rubygems-key", "rubygems_", hex, 40, 0},
	{"planetscale-token", "pscale_tkn_", dotted, 30, 0},
	{"azure-key", "AccountKey= SharedAccessKey= SharedSecretValue=", b64, 40, 0},
	{"heroku-key", "HRKU-", urlSafe, 30, 0},
	{"bitbucket-token", "ATBB", alnum, 28, 0},
	{"dynatrace-token", "dt0c01.", dotted, 60, 0},
	{"clojars-token", "CLOJARS_", alnum, 40, 0},
	{"nvidia-key", "nvapi-", urlSafe, 40, 0},
	{"tailscale-key", "tskey-", urlSafe, 20, 0},
	{"langsmith-key", "lsv2_", word, 40, 0},
	{"hubspot-token", "pat-na1-", urlSafe, 30, 0},
	{"fly-token", "fm2_", b64, 60, 0},
	{"telegram-token", ":AA", urlSafe, 33, 33},
}

// literals are the formats' beginnings, then what needs a closer look.
var literals = build()

// format is a row of the table; prefixes have blanks between them.
type format struct {
	kind, prefixes string
	set            charset
	least, most    int
}

func build() []literal {
	var out []literal
	for _, f := range formats {
		for _, prefix := range strings.Fields(f.prefixes) {
			out = append(out, literal{text: prefix, match: f.match})
		}
	}
	out = append(out,
		literal{text: mark},
		literal{text: "-----BEGIN ", match: matchKeyBlock},
		literal{text: "eyJ", match: matchJWT},
		literal{text: "://", match: matchURL},
		literal{text: "bearer ", fold: true, match: behind("bearer-token", bearerRE, isToken)},
		literal{text: "basic ", fold: true, match: matchBasic},
		literal{text: "authorization", fold: true, match: matchAuthorization},
		literal{text: "auth\"", match: matchDocker},
		literal{text: "sig=", fold: true, match: matchSAS},
	)
	for _, w := range assignedWords {
		out = append(out, literal{text: w, fold: true, match: matchAssigned})
	}
	return out
}

// match looks at a hit of the fixed beginning.
func (f format) match(s string, start, end int) (span, bool) {
	n := f.set.run(s, end)
	if n < f.least || f.most > 0 && n > f.most {
		return span{}, false
	}
	from, prefix := start, s[start:end]
	switch prefix {
	case ":AA": // Telegram: the bot's number stands before
		for from > 0 && s[from-1] >= '0' && s[from-1] <= '9' {
			from--
		}
		if start-from < 8 || start-from > 10 {
			return span{}, false
		}
	case "AccountKey=", "SharedAccessKey=", "SharedSecretValue=":
		return span{start: end, end: end + n, kind: f.kind}, varied(s[end:end+n], 10)
	default:
		if start > 0 && word.has(s[start-1]) && !plain(prefix, s[end:end+n]) {
			return span{}, false
		}
	}
	body := strings.TrimRight(s[end:end+n], ".-")
	if len(body) < f.least {
		return span{}, false
	}
	// A placeholder such as ghp_xxxxxxxx is no secret, nor is sk-spinner-…
	if !varied(body, 8) || prefix == "sk-" && (!mixed(body) || wordsOnly(body)) {
		return span{}, false
	}
	return span{start: from, end: end + len(body), kind: f.kind}, true
}

// plain reports whether no word around a beginning and what follows it makes them something else:
// the sign behind the beginning hardly occurs in words, and the rest is no name of several words.
func plain(prefix, body string) bool {
	return len(prefix) >= 4 && strings.ContainsAny(prefix[len(prefix)-1:], "_-.") &&
		prefix != "key-" && mixed(body) && varied(body, 12) && !wordsOnly(body)
}

// varied reports whether there are at least n different characters.
func varied(s string, n int) bool {
	var seen charset
	for i := 0; i < len(s) && n > 0; i++ {
		if b := s[i] & 127; !seen.has(b) {
			seen[b>>5] |= 1 << (b & 31)
			n--
		}
	}
	return n <= 0
}

// mixed reports whether digits stand among the letters, and no words with dashes
// between them.
func mixed(s string) bool {
	digits, uppers := 0, 0
	for i := range len(s) {
		switch {
		case s[i] >= '0' && s[i] <= '9':
			digits++
		case s[i] >= 'A' && s[i] <= 'Z':
			uppers++
		}
	}
	return digits >= 2 && (uppers >= 2 || digits >= len(s)/5)
}
