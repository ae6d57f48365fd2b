package weaken

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

var (
	// rubyKill sends a signal: its name, and the process that gets it.
	rubyKill = pattern.Lazy(`\bProcess\.kill\b\s*\(?\s*(\S+)\s*,\s*([@\w.]+|\$\$)\s*\)?`)
	// namesItself is the number of the test's own process, of its group or of its parent.
	namesItself = pattern.Lazy(`\$\$|\$PID\b|\$PROCESS_ID\b|\bProcess\.(pp?id|getpg\w+|getsid)\b|` +
		`\bProcess\.(method|send|public_send)\b|/proc/|\bself/stat`)
	ownProcess = pattern.Lazy(`^(Process\.|\$)`)
	signalName = pattern.Lazy(`^:?['"]?(?:SIG)?([A-Z]+\d?)['"]?$`)
)

// withoutSignals is line i without what sends signals that end no run of tests: to a
// process that the test started, or, to itself, one that nobody takes for an end.
func (r *reading) withoutSignals(i int) (code, live string) {
	code, live = r.new.Code[i], r.new.Live[i]
	if r.pollutesAWhile(i) {
		return "", ""
	}
	if r.lang.Name != "ruby" || !strings.Contains(code, "Process.kill") {
		return code, live
	}
	for _, m := range rubyKill().FindAllStringSubmatchIndex(live, -1) {
		if r.endsNothing(live[m[2]:m[3]], live[m[4]:m[5]]) {
			blank := strings.Repeat(" ", m[1]-m[0])
			code, live = code[:m[0]]+blank+code[m[1]:], live[:m[0]]+blank+live[m[1]:]
		}
	}
	return code, live
}

func (r *reading) endsNothing(signal, process string) bool {
	signal = r.valueOf(signal)
	name := signalName().FindStringSubmatch(signal)
	if name != nil && slices.Contains([]string{"USR1", "USR2", "WINCH", "CONT"}, name[1]) {
		return true
	}
	return strings.Contains(process, "pid") && !ownProcess().MatchString(process) &&
		!slices.ContainsFunc(r.new.Live, namesItself().MatchString)
}

// valueOf is what a file sets a constant to, once, or else the name itself.
func (r *reading) valueOf(name string) string {
	value := name
	for _, live := range r.new.Live {
		left, right, is := strings.Cut(strings.TrimSpace(live), "=")
		if !is || strings.TrimSpace(left) != name || name != strings.ToUpper(name) {
			continue
		}
		if value != name {
			return name
		}
		value = strings.TrimSpace(right)
	}
	return value
}
