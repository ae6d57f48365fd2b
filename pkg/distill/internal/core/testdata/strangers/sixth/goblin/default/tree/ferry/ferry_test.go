package ferry

import (
	"testing"

	. "github.com/franela/goblin"
)

func Test(t *testing.T) {
	g := Goblin(t)
	g.Describe("Ferry", func() {
		g.It("takes a car", func() {
			f := &Ferry{Max: 1}
			g.Assert(f.Board("a")).IsNil()
		})
		g.Describe("when full", func() {
			g.It("sends cars away", func() {
				f := &Ferry{Max: 0}
				g.Assert(f.Board("b")).Equal(ErrFull)
			})
		})
		g.It("has dogs for free")
		g.It("costs less for three", func() {
			g.Assert(Price(1, 3)).Equal(1400)
		})
	})
}
