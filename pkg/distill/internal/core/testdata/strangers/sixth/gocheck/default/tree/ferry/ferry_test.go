package ferry

import (
	"testing"

	. "gopkg.in/check.v1"
)

func Test(t *testing.T) { TestingT(t) }

type FerrySuite struct{ f *Ferry }

var _ = Suite(&FerrySuite{})

func (s *FerrySuite) SetUpTest(c *C) { s.f = &Ferry{Max: 1} }

func (s *FerrySuite) TestOneCar(c *C) { c.Assert(s.f.Board("a"), IsNil) }

func (s *FerrySuite) TestTwoCars(c *C) {
	c.Assert(s.f.Board("a"), IsNil)
	c.Check(s.f.Board("b"), Equals, ErrFull)
}

func (s *FerrySuite) TestCharge(c *C) {
	s.f.Charge("a", 100)
	c.Check(s.f.Extra["a"], Equals, 100)
}
