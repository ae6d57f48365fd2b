package retrieval

// fitted holds the weights that TestFit computed from commits of cloned projects
// (docs/measuring.md).
var fitted = model{
	file:  [signals]float64{2.03, -1.98, 1.28, 1.5, 2.35, 1.3, 0.753},
	place: [4]float64{0.555, 0.407, -0.458, 0.401},
	again: [3]float64{-0.451, 0.93, 1.38},
	unit:  [blockFeatureCount]float64{2.47, 0.887, 0.365, 1.48, -0.744, 0.587, 0.497},
}
