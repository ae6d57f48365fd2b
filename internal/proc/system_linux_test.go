package proc

import "testing"

const subreaper = true

func TestAProcessNameWithBracketsIsRead(t *testing.T) {
	p, ok := parseStat(7, []byte("7 (a) b (c)) S 3 5 5 0"))
	if !ok || p.parent != 3 || p.group != 5 || p.zombie {
		t.Errorf("got %+v, %v", p, ok)
	}
}
