package prompt

import (
	"strings"
	"testing"
)

func challengeOf() Challenge {
	return Challenge{
		Repo: "shop", Nonce: "k7Qz", Task: "Accept an empty list in parse().",
		Was: "FAILED test_parse.py::test_empty", Old: "test_net.py::test_slow",
		Code:  []File{{Path: "parse.py", Content: "def parse(s):\n    \"\"\"Split s at blanks.\"\"\"\n    return s.split()\n", Part: "full"}},
		Names: "parse.py: def strict(s):\n", Form: &File{Path: "test_parse.py", Content: "def test_one():\n    assert parse('a') == ['a']\n", Part: "excerpt"},
		Path: "test_more_1a2b3c.py", Command: "pytest -q",
	}
}

func TestGoldenChallenge(t *testing.T) {
	first, again, own := challengeOf(), challengeOf(), challengeOf()
	again.Last, again.Wrong = "TEST test_a: \"x\"\n", "ImportError: no module named pars"
	own.Form, own.Own, own.Import, own.Package = nil, "cart/more1a2b3c/more_test.go", "example.com/shop/cart", "cart"
	own.Path, own.Command, own.OwnCommand = "cart/more_1a2b3c_test.go", "go test ./cart", "go test ./cart/more1a2b3c"
	for name, c := range map[string]Challenge{"challenge": first, "challenge-again": again, "challenge-go": own} {
		p, err := AssembleChallenge(c)
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, p)
	}
}

func TestAChallengeStaysWithinItsBudget(t *testing.T) {
	c := challengeOf()
	long := strings.Repeat("Words of a long text, k7Qz and others.\n", 3000)
	c.Task, c.Was, c.Names, c.Old, c.Wrong, c.Form.Content = long, long, long, long, long, long
	for range 5 {
		c.Code = append(c.Code, File{Path: "big.py", Content: long[:9000]})
	}
	p, err := AssembleChallenge(c)
	if err != nil {
		t.Fatal(err)
	}
	if p.Tokens > MaxChallenge || p.Tokens < MaxChallenge*3/4 {
		t.Errorf("got %d tokens, want nearly %d", p.Tokens, MaxChallenge)
	}
	if strings.Count(p.User, "k7Qz") != 2*strings.Count(p.User, "[[begin ") {
		t.Errorf("the nonce stands in foreign text:\n%s", p.User)
	}
	if !strings.HasSuffix(p.User, "pytest -q") || !strings.Contains(p.User, "def parse(s)") {
		t.Errorf("what is asked, or the code, is missing:\n%s", p.User)
	}
}

func TestGoldenDispute(t *testing.T) {
	p, err := AssembleDispute(Dispute{Repo: "shop", Nonce: "k7Qz", Task: "Accept an empty list.", Docs: "def parse(s): pass\n",
		Tests: "Test test_a, which rests on: an empty list k7Qz\nThe author of the change says that it is wrong: no\n"})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "dispute", p)
}
