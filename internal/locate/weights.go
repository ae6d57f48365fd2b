package locate

// fitted is what TestFit made of the commits of clones (docs/measuring.md).
var fitted = model{
	file:  [signals]float64{2.32, -2.24, 1.5, 2.12, 0.102, 1.16, 2.1, 0.985, 1.23, 0.489, 0, 0},
	again: [signals]float64{1.77, -1.68, 1.43, 1.56, 0.175, 1.1, 1.96, 1.04, 0.796, 0.368, 0.982, 0.708},
	place: [4]float64{0.527, 0.418, -0.558, 0.337},
	unit:  [unitSigns]float64{1.44, 1.53, 0.852, 0.441, 1.05, 0.894, -1.65, 0.56, 0.449},
}
