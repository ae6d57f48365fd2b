package config

import (
	"fmt"
	"math"
	"slices"
)

// lowerOnly keeps a repository's limits from raising the user's own.
func (l *Loaded) lowerOnly() {
	if l.user == nil || l.project == nil {
		return
	}
	table := keyIndex()
	for _, name := range []string{"budget.run_usd", "budget.day_usd", "budget.week_usd", "budget.run_time"} {
		if l.Origins[name].Source != FromProject || !l.user.has(name) {
			continue
		}
		f := table[name].field
		mine, theirs := amount(f(&l.user.cfg)), amount(f(&l.project.cfg))
		if theirs <= mine {
			continue
		}
		at := l.Origins[name]
		l.Origins[name] = Origin{
			Source: FromUser, File: l.user.path, Line: l.user.lines[name],
			Note: fmt.Sprintf("%s:%d asks for more; a repository can only lower the user's limit", at.File, at.Line),
		}
		assign(f(&l.Config), deref(f(&l.user.cfg)))
	}
}

// tightenOnly keeps a repository from loosening the sandbox that the user set;
// what it asks for is told. The network is left to it, but not in silence.
func (l *Loaded) tightenOnly() {
	if l.user == nil || l.project == nil {
		return
	}
	strict := map[string]int{"off": 0, "auto": 1, "require": 2}
	mine := l.user.cfg.Sandbox
	if o := l.Origins["sandbox.mode"]; o.Source == FromProject && l.user.has("sandbox.mode") &&
		strict[l.Config.Sandbox.Mode] < strict[mine.Mode] {
		note := fmt.Sprintf("%s:%d asks for %s; a repository can only tighten the user's sandbox", o.File, o.Line,
			l.Config.Sandbox.Mode)
		l.Warnings = append(l.Warnings, fmt.Sprintf("sandbox.mode stays %s: %s", mine.Mode, note))
		l.Origins["sandbox.mode"] = Origin{Source: FromUser, File: l.user.path,
			Line: l.user.lines["sandbox.mode"], Note: note}
		l.Config.Sandbox.Mode = mine.Mode
	}
	if o := l.Origins["sandbox.network"]; o.Source == FromProject && l.user.has("sandbox.network") &&
		l.Config.Sandbox.Network && !mine.Network {
		l.Warnings = append(l.Warnings, fmt.Sprintf("%s:%d: sandbox.network true is looser than your own false",
			o.File, o.Line))
	}
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
		if l.user == nil || !slices.Contains(l.user.cfg.Sandbox.Env, n) {
			names = append(names, n)
		}
	}
	return names, at
}

// PricesFromProject reports whether a part of a role's prices is the word of the
// repository and not of the user.
func (l *Loaded) PricesFromProject(role string) bool {
	if role == "fix-quality" {
		role = "quality"
	}
	if l.Origins["model.roles."+role].Source == FromProject {
		return true
	}
	for _, part := range []string{"input", "output", "cached_input", "cache_write", "call"} {
		if l.Origins["model.prices."+part].Source == FromProject {
			return true
		}
	}
	return false
}

// amount makes limits comparable: 0 is no limit, which is more than any.
func amount(p any) float64 {
	v := 0.0
	switch p := p.(type) {
	case *float64:
		v = *p
	case *Duration:
		v = float64(*p)
	}
	if v == 0 {
		return math.Inf(1)
	}
	return v
}
