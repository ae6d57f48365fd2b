package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reGrind = text.Lazy(`^==\d+== (Invalid (?:read|write|free).*|Conditional jump.*|` +
		`Use of uninitialised.*|Mismatched free.*|[\d,]+ (?:\([^)]*\) )?bytes in .* (?:definitely|` +
		`indirectly|possibly) lost.*|Process terminating.*|Source and destination overlap.*|` +
		`Syscall param.*|Jump to the invalid.*|Stack overflow.*|Possible data race.*)$`)
)

// grindTrace reads a finding of valgrind.
func grindTrace(d *stream.Doc, f *Found, i int) int {
	m := reGrind().FindStringSubmatch(d.Lines[i].S)
	if m == nil {
		return i + 1
	}
	x := Failure{Message: m[1], Kind: KindCrash, Runner: "valgrind"}
	j := i + 1
	for ; j < len(d.Lines) && j < i+60; j++ {
		fr, ok := ParseFrame(d.Lines[j].S)
		if !ok && !strings.Contains(d.Lines[j].S, " 0x") {
			break
		}
		if ok {
			x.Frames = append(x.Frames, fr)
		} else if strings.Contains(d.Lines[j].S, "Address 0x") {
			x.Detail = append(x.Detail, d.Lines[j].S[strings.Index(d.Lines[j].S, "Address"):])
			x.Related = nil
			for j++; j < len(d.Lines) && strings.Contains(d.Lines[j].S, " 0x"); j++ {
				if fr, ok := ParseFrame(d.Lines[j].S); ok {
					x.Related = append(x.Related, fr)
				}
			}
			break
		}
	}
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	return j
}

var (
	reSanitizer = text.Lazy(`^(?:==\d+==)?\s*(?:ERROR|WARNING): ((?:Address|Leak|Thread|Memory|` +
		`UndefinedBehavior)Sanitizer: .+)$`)
)

func sanitizerTrace(d *stream.Doc, f *Found, i int) int {
	m := reSanitizer().FindStringSubmatch(d.Lines[i].S)
	if m == nil {
		return i + 1
	}
	x := Failure{Message: m[1], Kind: KindCrash, Runner: "sanitizer", Frames: framesBelow(d, i)}
	f.PlaceOf(&x)
	f.Loose = append(f.Loose, x)
	return i + 1
}
