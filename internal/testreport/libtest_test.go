package testreport

import (
	"strings"
	"testing"
)

func TestListsAndSumsOfRust(t *testing.T) {
	got := Libtest("ok tests::a\nfailed tests::b\nignored tests::c\nother words\n", "shop")
	if want := "failed tests::b; passed tests::a; skipped tests::c"; inWords(got) != want || got[0].Program != "shop" {
		t.Errorf("got %s of %q, want %s", inWords(got), got[0].Program, want)
	}
	log := "test result: ok. 3 passed; 0 failed; 1 ignored\n" + strings.Repeat("x", 200_000) + "\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n"
	if passed, failed := LibtestSums(strings.NewReader(log)); passed != 4 || failed != 2 {
		t.Errorf("got %d passed, %d failed, want 4, 2", passed, failed)
	}
}
