package pullrequest

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
)

var answerLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t>*-]*\**ANSWER (\d{1,3})\**:\**[ \t]*(\S.*)$`)
})

// answersIn returns the lines of a reply that answer items, by item number.
func answersIn(reply string) map[int]string {
	out := map[int]string{}
	for _, m := range answerLine().FindAllStringSubmatch(reply, -1) {
		n, _ := strconv.Atoi(m[1])
		out[n] = strings.TrimSpace(m[2])
	}
	return out
}

// answersAll reports whether a reply without edits answers every open item.
func (o todo) answersAll(reply string) bool {
	if len(o.checks)+len(o.conflicts) > 0 || len(o.items) == 0 {
		return false
	}
	got := answersIn(reply)
	for _, it := range o.items {
		if got[it.n] == "" {
			return false
		}
	}
	return true
}
