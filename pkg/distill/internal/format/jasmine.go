package format

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

var (
	reJasmineSum = core.Lazy(`^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?`)
)

// readJasmine reads jasmine's console reporter and karma's.
func readJasmine(d *stream.Doc, f *core.Found) {
	inside, karmaRan := false, false
	var karma core.Total
	defer func() {
		if karmaRan {
			f.Format = "karma"
			f.Total(karma.Passed, karma.Failed, karma.Skipped)
		}
	}()
	for i := 0; i < len(d.Lines); i++ {
		l := &d.Lines[i]
		if l.Used || l.S == "" {
			continue
		}
		switch {
		case l.S == "Failures:" || l.S == "Suite error:" || strings.HasPrefix(l.S, "Suite error: "):
			inside = true
		case l.S == "Pending:":
			inside = false
		case inside && i+1 < len(d.Lines) && d.Lines[i+1].S == "  Message:":
			i = jasmineBlock(d, f, i) - 1
		case l.S[0] >= '0' && l.S[0] <= '9':
			if m := reJasmineSum().FindStringSubmatch(l.S); m != nil {
				l.Used = true
				all, fail, pend := core.Atoi(m[1]), core.Atoi(m[2]), core.Atoi(m[3])
				f.Format = "jasmine"
				if all == 0 {
					f.NoTests = true
				}
				f.Total(max(0, all-fail-pend), fail, pend)
			}
		case strings.HasSuffix(l.S, " FAILED") && strings.Contains(l.S, ") "):
			i = karmaBlock(d, f, i) - 1
		case strings.Contains(l.S, ": Executed "):
			if m := reKarmaSum().FindStringSubmatch(l.S); m != nil && m[1] == m[2] {
				karma = core.NewTotal(max(0, core.Atoi(m[1])-core.Atoi(m[3])-core.Atoi(m[4])), core.Atoi(m[3]), core.Atoi(m[4]))
				karmaRan = true
				l.Used = true
			}
		}
	}
}

func jasmineBlock(d *stream.Doc, f *core.Found, i int) int {
	name := d.Lines[i].S
	if m := reNumbered().FindStringSubmatch(name); m != nil {
		name = m[3]
	}
	j := i + 1
	part := ""
	var x *core.Failure
	emit := func() {
		if x != nil {
			f.Format = "jasmine"
			f.PlaceOf(x)
			f.Fail(*x)
		}
	}
	for ; j < len(d.Lines); j++ {
		s := d.Lines[j].S
		if s == "" || s[0] != ' ' {
			break
		}
		d.Lines[j].Used = true
		switch s {
		case "  Message:":
			emit()
			x = &core.Failure{Test: name, Kind: core.KindTest, Runner: "jasmine"}
			part = "message"
			continue
		case "  Stack:":
			part = "stack"
			continue
		}
		if part == "message" {
			if t := strings.TrimSpace(s); x.Message == "" {
				x.Message = t
			} else {
				x.Detail = append(x.Detail, s)
			}
		} else if fr, ok := core.ParseFrame(s); ok {
			x.Frames = append(x.Frames, fr)
		}
	}
	d.Lines[i].Used = true
	emit()
	return j
}
