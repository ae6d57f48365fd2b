package kiln

func Heat(m int) int { return m * 9 }
