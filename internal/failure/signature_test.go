package failure

import "testing"

func TestASignatureTellsTheSameFailureFromAnother(t *testing.T) {
	for _, c := range []struct {
		name             string
		was, again, now  string
		same             bool
		expected, actual string
	}{
		{name: "the same words", was: "got 99, want 100", now: "got 99, want 100", same: true},
		{name: "another number", was: "got 99, want 100", now: "got 91001, want 100"},
		{name: "a number that varies by itself", was: "after 17 tries: got 99", again: "after 23 tries: got 99",
			now: "after 5 tries: got 99", same: true},
		{name: "a number beside one that varies", was: "after 17 tries: got 99", again: "after 23 tries: got 99",
			now: "after 5 tries: got 98"},
		{name: "words that vary altogether", was: "leaked a", again: "leaked a, b", now: "leaked x y z", same: true},
		{name: "an address", was: "<Foo object at 0x7f12ab> is not None", now: "<Foo object at 0x7f99cd> is not None", same: true},
		{name: "a time", was: "2024-01-02T03:04:05.678Z: lost", now: "2025-11-12T13:14:15Z: lost", same: true},
		{name: "a duration", was: "took 1.203s, at most 100ms", now: "took 2.71s, at most 100ms", same: true},
		{name: "a temporary path", was: "open /tmp/TestA123/001/x: no such file", now: "open /tmp/TestA99/002/x: no such file",
			same: true},
		{name: "a line that moved", was: "store.go:12: no entry", now: "store.go:19: no entry", same: true},
		{name: "a port", was: "dial 127.0.0.1:40111: refused", now: "dial 127.0.0.1:3999: refused", same: true},
		{name: "another word", was: "want sorted", now: "want shuffled"},
		{name: "another sign", was: "got -1", now: "got 1"},
		{name: "what was got", was: "not equal", now: "not equal", actual: "2"},
	} {
		before := Failure{Test: "TestA", Check: "test", Message: c.was}
		after := Failure{Test: "TestA", Check: "test", Message: c.now, Expected: c.expected, Actual: c.actual}
		var again []Failure
		if c.again != "" {
			again = []Failure{{Test: "TestA", Check: "test", Message: c.again}}
		}
		if got := SignatureOf(after).Known(Signatures([]Failure{before}, again)); got != c.same {
			t.Errorf("%s: got %t, want %t", c.name, got, c.same)
		}
	}
}

func TestASignatureIsOfItsTestAndCheck(t *testing.T) {
	known := Signatures([]Failure{{Test: "TestA", Check: "unit", Message: "m"}, {File: "a.go", Message: "no test"}}, nil)
	if len(known) != 1 {
		t.Fatalf("got %d signatures, want that of the test alone", len(known))
	}
	for _, f := range []Failure{{Test: "TestB", Check: "unit", Message: "m"}, {Test: "TestA", Check: "other", Message: "m"}} {
		if SignatureOf(f).Known(known) {
			t.Errorf("%+v is taken for TestA of unit", f)
		}
	}
}
