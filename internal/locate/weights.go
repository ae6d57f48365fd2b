package locate

// fitted is what TestFit made of the commits of clones (docs/benchmarks.md).
var fitted = model{
	file:  [signals]float64{1.49, -1.52, 1.52, 1.48, 2.01, 0.629, 0.909, 2.08, 1.17, 0.337, 0.315, -0.701, 1.03},
	place: [4]float64{0.381, 0.387, -0.488, 0.36},
	unit:  [1 + unitSigns]float64{-0.618, 0.945, 0.167, 1.4, 0.244, 0.0451, -0.179, 0.652, 0.341, 0.238, -0.262, 0.879, 0.9, 0.379, -0.34},
}
