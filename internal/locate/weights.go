package locate

// fitted is what TestFit made of the commits of clones (docs/benchmarks.md).
var fitted = model{
	file:  [signals]float64{1.52, -1.56, 1.53, 1.45, 2.03, 0.598, 0.909, 2.1, 1.27, 0.499, 0.15},
	place: [4]float64{0.379, 0.387, -0.485, 0.36},
	unit:  [1 + unitSigns]float64{-0.581, 1.2, 0.158, 1.48, 0.829, 1.13, 0.362, -0.367},
}
