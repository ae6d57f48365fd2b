package locate

// fitted is what TestFit made of the commits of clones (docs/benchmarks.md).
var fitted = model{
	file:  [signals]float64{1.52, -1.69, 1.48, 1.62, 2.05, 0.379, 0.969, 2.01, 0.919, 1.11, 0.369, 0.4, 0, 0},
	again: [signals]float64{1.13, -1.28, 1.26, 1.54, 1.54, 0.364, 0.983, 1.97, 0.954, 0.742, 0.204, 0.301, 0.804, 0.75},
	place: [4]float64{0.527, 0.414, -0.544, 0.342},
	unit:  [unitSigns]float64{1.41, 1.44, 0.737, 0.579, 0.709, 0.71, 0.835, -1.55, 0.64, 0.45},
}
