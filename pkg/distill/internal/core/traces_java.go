package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reException = text.Lazy(`^\s*(?:Caused by: |Exception in thread "[^"]*" |` +
		`Suppressed: )?((?:[a-z_][\w]*\.)+[A-Z][\w$]*(?:Error|Exception|Failure|Failed\w*|Throwable|` +
		`Assert\w*|Comparison\w*)[\w$]*)(?:: (.*))?$`)
)

var (
	reJavaMain = text.Lazy(`^Exception in thread "[^"]*" (.+)$`)
)

func javaTrace(d *stream.Doc, f *Found, i int) int {
	j := i + 1
	lines := []string{d.Lines[i].S}
	if m := reJavaMain().FindStringSubmatch(d.Lines[i].S); m != nil {
		lines[0] = m[1]
	}
	for ; j < len(d.Lines) && j < i+300; j++ {
		t := strings.TrimSpace(d.Lines[j].S)
		if !strings.HasPrefix(t, "at ") && !strings.HasPrefix(t, "Caused by: ") &&
			!strings.HasPrefix(t, "... ") && !strings.HasPrefix(t, "Suppressed: ") {
			break
		}
		lines = append(lines, d.Lines[j].S)
	}
	x := Failure{Kind: KindCrash, Runner: "java"}
	Explain(&x, lines)
	f.Loose = append(f.Loose, x)
	for k := i; k < j; k++ {
		d.Lines[k].Used = true
	}
	return j
}
