package config

import (
	"fmt"
	"math"
	"slices"

	"github.com/booty-cli/booty/internal/provider"
)

// connection drops what precedence alone would mix up: an address, a key's
// variable and a command belong to the provider that the same file names.
// Where a stronger layer names another provider they do not count, lest one
// provider's key is sent to another's address.
func (s *stack) connection() {
	asked := "auto"
	if w, at := s.winner("model.provider"); at >= 0 {
		asked, _ = w.value.(string)
	}
	for _, name := range []string{"model.base_url", "model.api_key_env", "model.command"} {
		for {
			w, at := s.winner(name)
			if at < 0 || !s.foreign(w, at, asked) {
				break
			}
			s.drop(at, name, fmt.Sprintf("that of %s is not for provider %s", w.origin, asked))
		}
	}
}

// foreign reports whether a setting is for another provider than the one that is asked.
func (s *stack) foreign(w setting, at int, asked string) bool {
	if at >= environment {
		return w.origin.Name == "OPENAI_BASE_URL" && provider.Family(asked) != "openai"
	}
	own, is := s.layers[at]["model.provider"].value.(string)
	return is && provider.Family(own) != provider.Family(asked)
}

// lowerOnly keeps a repository's limits from raising the user's own.
func (s *stack) lowerOnly() {
	for _, name := range []string{"budget.run_usd", "budget.day_usd", "budget.week_usd", "budget.run_time"} {
		theirs, at := s.winner(name)
		mine, is := s.layers[user][name]
		if at == project && is && amount(theirs.value) > amount(mine.value) {
			s.drop(project, name,
				fmt.Sprintf("%s:%d asks for more; a repository can only lower the user's limit",
					theirs.origin.File, theirs.origin.Line))
		}
	}
}

// amount makes limits comparable: 0 is no limit, which is more than any.
func amount(v any) float64 {
	n, _ := v.(float64)
	if d, is := v.(Duration); is {
		n = float64(d)
	}
	if n == 0 {
		return math.Inf(1)
	}
	return n
}

// tightenOnly keeps a repository from loosening the sandbox that the user set, and
// tells what it asks for. The network is left to it, but not in silence.
func (s *stack) tightenOnly() (warnings []string) {
	strict := map[any]int{"off": 0, "auto": 1, "require": 2}
	theirs, at := s.winner("sandbox.mode")
	mine, is := s.layers[user]["sandbox.mode"]
	if at == project && is && strict[theirs.value] < strict[mine.value] {
		note := fmt.Sprintf("%s:%d asks for %s; a repository can only tighten the user's sandbox",
			theirs.origin.File,
			theirs.origin.Line, theirs.value)
		warnings = append(warnings, fmt.Sprintf("sandbox.mode stays %s: %s", mine.value, note))
		s.drop(project, "sandbox.mode", note)
	}
	theirs, at = s.winner("sandbox.network")
	if at == project && theirs.value == true && s.layers[user]["sandbox.network"].value == false {
		warnings = append(warnings, fmt.Sprintf("%s:%d: sandbox.network true is looser than your own false",
			theirs.origin.File, theirs.origin.Line))
	}
	return warnings
}

// OnlyProjectEnv gives the variables that the repository's file alone lets
// through to the checks, and where it does.
func (l *Loaded) OnlyProjectEnv() ([]string, Origin) {
	at := l.Origins["sandbox.env"]
	if at.Source != FromProject {
		return nil, at
	}
	var names []string
	for _, n := range l.Sandbox.Env {
		if !slices.Contains(l.user.cfg.Sandbox.Env, n) {
			names = append(names, n)
		}
	}
	return names, at
}

// PricesFromProject reports whether a part of a role's prices is the word of the
// repository and not of the user.
func (l *Loaded) PricesFromProject(role string) bool {
	switch role {
	case "fix-quality":
		role = "quality"
	case RoleChallenge:
		role = "review"
	}
	return slices.ContainsFunc([]string{"roles." + role, "prices.input", "prices.output",
		"prices.cached_input",
		"prices.cache_write"}, func(name string) bool { return l.Origins["model."+name].Source == FromProject })
}
