package ferry

import (
	"testing"

	. "github.com/smartystreets/goconvey/convey"
)

func TestFerry(t *testing.T) {
	Convey("Given a ferry for one car", t, func() {
		f := &Ferry{Max: 1}
		Convey("When a car boards", func() {
			err := f.Board("a")
			Convey("Then it is on board", func() {
				So(err, ShouldBeNil)
				So(f.Cars, ShouldResemble, []string{"a"})
			})
			Convey("Then a second one is sent away", func() {
				So(f.Board("b"), ShouldEqual, ErrFull)
			})
		})
	})
}

func TestCharge(t *testing.T) {
	Convey("Extra luggage is charged", t, func() {
		f := &Ferry{}
		f.Charge("a", 100)
		So(f.Extra["a"], ShouldEqual, 100)
	})
}
