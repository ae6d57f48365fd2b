package sandbox

import (
	"fmt"
	"slices"
)

// Checkout is what commands find where the user's checkout is ([Config.Denied]), and so
// what their result is about.
type Checkout int

const (
	// Reachable means that nothing keeps commands away from it: a test that knows its path
	// may have judged the checkout's code and not the root's.
	Reachable Checkout = iota
	// Denied means that it cannot be read or written: a test that reaches into it fails.
	Denied
	// Replaced means that commands see the root there.
	Replaced
)

// Checkout reports what commands find at the places of [Config.Denied] and at
// [Config.View]. Where neither was asked for, nothing is known to be out of reach.
func (p *Plan) Checkout() Checkout {
	switch {
	case p == nil:
		return Reachable
	case p.c.View != p.c.Root && p.view == p.c.View && p.shows(p.c.Denied):
		return Replaced
	case p.Active && len(p.c.Denied) > 0:
		return Denied
	}
	return Reachable
}

// shows reports whether the view takes the place of all of these.
func (p *Plan) shows(places []string) bool {
	return !slices.ContainsFunc(places, func(d string) bool { return !inside(resolve(d), p.view) })
}

// denied lists the places of [Config.Denied] that must be kept from commands.
func (p *Plan) denied() (list []string) {
	for _, place := range p.c.Denied {
		if place = resolve(place); !p.canMount || p.view == p.c.Root || !inside(place, p.view) {
			list = append(list, place)
		}
	}
	return list
}

// explainDenied says that a path is in a place that commands are denied, and why.
func (p *Plan) explainDenied(path string) string {
	for _, place := range p.denied() {
		if inside(path, place) &&
			!slices.ContainsFunc(p.c.Read, func(r string) bool { return inside(path, p.writePlace(r)) }) {
			return fmt.Sprintf("the commands reach into %s by its absolute path, where the work tree cannot be shown to them "+
				"on this system; they are denied it, since they would judge the code there and not the change", p.shown(place))
		}
	}
	return ""
}
