package retrieval

// fitted is what TestFit made of the commits of clones (docs/measuring.md).
var fitted = model{
	file:  [signals]float64{2.24, -2.59, 1.9, 1.94, 1.88, 1.72, 1.26},
	place: [4]float64{0.417, 0.412, -0.444, 0.398},
	unit:  [unitSigns]float64{1.46, 1.77, 1.07, -0.555, 0.953, 1.22, -1.51, 0.997, 0.517},
}
