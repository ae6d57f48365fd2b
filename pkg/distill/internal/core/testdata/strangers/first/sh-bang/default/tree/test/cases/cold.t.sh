[ "$(sh tools/kiln 0)" = 0 ]
