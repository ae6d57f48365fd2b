package main

func total(cents []int, n []int) (t int) {
	for _, c := range cents {
		t += c
	}
	return t
}

func label(names []string) string { return names[0] }
