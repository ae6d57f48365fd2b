package proof

import (
	"bytes"
	"regexp"
	"sync"
)

// otherExpectation is a way to expect what no literal with a content says, and another that
// cannot hold with it.
type otherExpectation struct {
	lang string
	from *regexp.Regexp
	to   string
}

// otherExpectations are those of errors, and of what is empty. To add one, add a row.
var otherExpectations = sync.OnceValue(func() []otherExpectation {
	row := func(lang, from, to string) otherExpectation {
		return otherExpectation{lang, regexp.MustCompile(from), to}
	}
	const (
		// second is what comes before the last argument of a comparison, last what comes behind.
		second = `((?:[=!]==?|,|\.to\w+\()[ \t]*)`
		last   = `(\)?[;,]?[ \t]*\r?\n?)$`
	)
	return []otherExpectation{
		row("python", `\b((?:pytest\.raises|assertRaises(?:Regex)?)\([ \t]*)(?:[\w.]+|\([\w., \t]*\))`,
			"${1}MemoryError"),
		row("python", second+`\{\}`+last, `${1}{"x": 1}${2}`),
		row("python", second+`\[\]`+last, `${1}["x"]${2}`),
		row("js", `\b(assert|t)\.throws\(`, "${1}.doesNotThrow("),
		row("js", `\b(assert|t)\.rejects\(`, "${1}.doesNotReject("),
		row("js", `\.not\.(toThrow\w*\()`, ".${1}"),
		row("js", `\.(toThrow\w*\()`, ".not.${1}"),
		row("js", second+`\{\}`+last, `${1}{"x": 1}${2}`),
		row("js", second+`\[\]`+last, `${1}["x"]${2}`),
		row("ruby", `\b(assert_raises?)(\(| )[ \t]*[A-Z][\w:]*`, "${1}${2}NoMemoryError"),
		row("ruby", `\.to raise_error\b`, ".not_to raise_error"),
		row("ruby", second+`\{\}`+last, `${1}{"x" => 1}${2}`),
		row("ruby", second+`\[\]`+last, `${1}["x"]${2}`),
		row("go", `\b(assert|require)\.Errorf?\(`, "${1}.NoError("),
		row("go", `\b(assert|require)\.(ErrorIs|Panics|Empty)(f?)\(`, "${1}.Not${2}${3}("),
		row("rust", `\.is_err\(\)`, ".is_ok()"),
	}
})

// otherwise alters some lines of a test file so that they expect another error or none, or
// something instead of nothing; n is how many.
func otherwise(lang string, text []byte, only map[int]bool) (out []byte, n int) {
	lines := bytes.SplitAfter(text, []byte("\n"))
	for i, line := range lines {
		if !only[i+1] || comment().Match(line) {
			continue
		}
		for _, o := range otherExpectations() {
			if o.lang != lang || !o.from.Match(line) {
				continue
			}
			lines[i] = o.from.ReplaceAll(line, []byte(o.to))
			n++
			break
		}
	}
	return bytes.Join(lines, nil), n
}
