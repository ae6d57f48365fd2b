package locate

// fitted is what TestFit made of the commits of clones (docs/benchmarks.md).
var fitted = model{
	file:  [signals]float64{1.52, -1.7, 1.51, 1.49, 1.99, 0.603, 0.926, 2.05, 1.25, 0.611, 0.336},
	place: [4]float64{0.371, 0.386, -0.475, 0.354},
	unit:  [1 + unitSigns]float64{-0.581, 1.17, 0.126, 1.35, 0.855, 1.15, 0.36, -0.371},
}
