package runner

import (
	"maps"
	"slices"
	"testing"
)

func TestBodyOf(t *testing.T) {
	const text = "describe('a', () => {\n  it('adds', () => {\n    expect(1).toBe(1);\n\n    expect(2).toBe(2);\n  });\n  it('signs in', () => {\n    expect(3).toBe(3);\n  });\n});\n"
	for name, want := range map[string][]int{
		"adds": {2, 3, 4, 5}, "signs in": {7, 8}, "it(": nil, "nowhere": nil, "": nil,
	} {
		if got := slices.Sorted(maps.Keys(bodyOf([]byte(text), name))); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}
