package detect

import (
	"regexp"
	"strings"
	"sync"
)

func lookElixir(d *dir) *Project {
	if d.has("mix.exs") == "" {
		return nil
	}
	p := &Project{Why: "mix.exs", Test: "mix test"}
	mix := d.text("mix.exs")
	if strings.Contains(mix, "apps_path") {
		p.covers = everything // an umbrella
	}
	if d.has("mix.lock") != "" || mixDeps().MatchString(mix) {
		p.Setup = "mix deps.get"
	}
	if d.has(".formatter.exs") != "" {
		p.Gates = append(p.Gates, QualityGate{"format", "mix format --check-formatted", "mix format"})
	}
	if d.has(".credo.exs") != "" {
		p.Gates = append(p.Gates, QualityGate{"lint", "mix credo", ""})
	}
	return p
}

var mixDeps = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*\{:[a-z_]+,\s*["'~>a-z]`)
})
