package distill

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// volatile matches what differs between two runs that fail in the same way.
var volatile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`0x[0-9a-fA-F]{5,}\??`, // addresses
		`\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?`, // time stamps
		`\b\d{4}/\d\d/\d\d \d\d:\d\d:\d\d(?:\.\d+)?`,
		`(?:/private)?/(?:var/folders|tmp|var/tmp)/[^\s'":,)\]]+`, // temporary names
		`[A-Z]:\\Users\\[^\\\s]+\\AppData\\Local\\Temp\\[^\s'":,)\]]+`,
		`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
		`goroutine \d+`,
		`(?i)\b(?:seed|randomized with seed)[ =:]+\d+`,
		`\((?:\d+(?:\.\d+)?) ?(?:ns|us|\x{b5}s|ms|s|sec|seconds|m)\)`,
		`\b\d+\.\d+ ?(?:ns|us|\x{b5}s|ms|s|milliseconds|seconds|secs?)\b`,
		// a round number is a limit, not a measurement
		`\(\d{3,}\) panicked`,
		`\b(?:pid|PID)[ =:]+\d+`,
		`(?:127\.0\.0\.1|localhost|\[::1\]):\d{4,5}`,
	}, "|"))
})

// steady replaces what differs from run to run by a mark, so that the same failure reads
// the same.
func steady(s string) string {
	if !volatileParts().Match([]byte(s)) {
		return s
	}
	return volatile().ReplaceAllStringFunc(s, func(m string) string {
		switch {
		case strings.HasPrefix(m, "127.") || strings.HasPrefix(m, "localhost") || strings.HasPrefix(m, "["):
			return m[:strings.LastIndexByte(m, ':')] + ":PORT"
		case strings.Contains(m, "/tmp/") || strings.Contains(m, "/var/") || strings.Contains(m, `\Temp\`):
			return "TMP/" + steadyTemp(m)
		}
		return "…"
	})
}

// ownPaths makes the paths below the command's folder relative, since that may be a
// temporary folder.
func ownPaths(s, dir string) string {
	if dir == "" || dir == "/" || !strings.Contains(s, dir) {
		return s
	}
	return strings.ReplaceAll(s, strings.TrimSuffix(dir, "/")+"/", "")
}

// steadyTemp keeps the last part of a temporary path if it is a file name.
func steadyTemp(m string) string {
	last := m[strings.LastIndexAny(m, `/\`)+1:]
	if strings.Contains(last, ".") && !strings.ContainsAny(strings.TrimRight(last, "0123456789"),
		"0123456789") {
		return last
	}
	return "…"
}

// volatileParts finds parts of all volatile texts, as a quick check before the regular
// expression.
var volatileParts = sync.OnceValue(func() *stream.Matcher {
	words := []string{"0x", "/tmp", "/var/", ":\\users", "goroutine ", "seed", "pid", "localhost:", "[::1]:"}
	for _, c := range "0123456789abcdef" { // of dates, numbers with a point, and the like
		words = append(words, "-"+string(c), "/"+string(c), "("+string(c), "."+string(c))
	}
	return stream.NewMatcher(true, words)
})

// signature hashes the failures. Order does not matter, since parallel tests end in any
// order; source lines do not matter either, since an edit above the failure moves it.
func signature(r *Report, streams []*stream.Stream, dir string) string {
	var keys []string
	steady := func(s string) string { return steady(ownPaths(s, dir)) }
	for i := range r.Failures {
		x := &r.Failures[i]
		keys = append(keys, strings.Join([]string{x.Test, x.File, x.Kind, steady(x.Message),
			steady(x.Expected), steady(x.Actual)}, "\x00"))
	}
	if len(keys) == 0 {
		keys = append(keys, r.Runner)
		if !r.Recognised {
			lines, _ := leftLines(streams, "", maxTelling, 20)
			for _, l := range lines {
				keys = append(keys, steady(l))
			}
		}
	}
	slices.Sort(keys)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(keys), "\x01")))
	return hex.EncodeToString(sum[:8])
}
