package guard

import (
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/testfile"
)

// role is what a file is to the tests.
type role int

const (
	roleProduct role = iota
	// roleTest holds cases or their helpers.
	roleTest
	// roleFeed is data that tests read.
	roleFeed
	// roleRunner configures or starts the runner as a whole.
	roleRunner
	// roleShadow stands where the runner, its library or its command is looked up.
	roleShadow
)

func (g *Guard) roleOf(p string) role {
	if g.named.Has(g.key(p)) && !checkout.IsTestName(p) {
		return roleRunner
	}
	r := classify(p)
	if r == roleShadow && g.isProductLibrary(p) {
		r = roleByName(p)
	}
	if r == roleProduct && g.fold {
		r = classify(paths.FoldCase(p)) // another spelling may be the same file
	}
	if r == roleProduct && g.matching(g.policy.TestPaths, p) != "" {
		return roleTest
	}
	return r
}

// classify goes by the name alone.
func classify(p string) role {
	if shadow.Is(p) {
		return roleShadow
	}
	return roleByName(p)
}

func roleByName(p string) role {
	switch testfile.Of(p) {
	case testfile.Runner:
		return roleRunner
	case testfile.Data:
		return roleFeed
	case testfile.Case:
		return roleTest
	}
	return roleProduct
}
