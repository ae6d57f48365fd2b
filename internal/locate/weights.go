package locate

// fitted is what TestFit made of the commits of clones (docs/benchmarks.md).
var fitted = model{
	file:  [signals]float64{1.52, -1.68, 1.48, 1.62, 2.05, 0.381, 0.974, 2, 0.914, 1.16, 0.364, 0.363, 0, 0},
	again: [signals]float64{1.12, -1.28, 1.26, 1.54, 1.54, 0.365, 0.987, 1.97, 0.951, 0.78, 0.195, 0.261, 0.808, 0.759},
	place: [4]float64{0.527, 0.415, -0.54, 0.343},
	unit:  [unitSigns]float64{1.41, 1.44, 0.744, 0.576, 0.708, 0.712, 0.835, -1.56, 0.64, 0.45},
}
