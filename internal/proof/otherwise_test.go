package proof

import (
	"strings"
	"testing"
)

func TestOtherwise(t *testing.T) {
	for _, c := range []struct{ lang, line, want string }{ // "" where nothing is expected
		{"python", "with pytest.raises(ValueError, match='x'):", "with pytest.raises(MemoryError, match='x'):"},
		{"python", "self.assertRaises((KeyError, a.B), f, 1)", "self.assertRaises(MemoryError, f, 1)"},
		{"python", "assert parse('') == {}", `assert parse('') == {"x": 1}`},
		{"python", "self.assertEqual(parse(''), [])", `self.assertEqual(parse(''), ["x"])`},
		{"python", "assert parse({})", ""},
		{"python", "self.assertTrue(parse(1, {}))", ""},
		{"js", "assert.throws(() => parse('x'));", "assert.doesNotThrow(() => parse('x'));"},
		{"js", "await assert.rejects(parse('x'))", "await assert.doesNotReject(parse('x'))"},
		{"js", "expect(() => parse('x')).toThrow(TypeError);", "expect(() => parse('x')).not.toThrow(TypeError);"},
		{"js", "expect(() => parse('x')).not.toThrow();", "expect(() => parse('x')).toThrow();"},
		{"js", "assert.deepEqual(parse(''), {});", `assert.deepEqual(parse(''), {"x": 1});`},
		{"js", "expect(parse('')).toEqual([]);", `expect(parse('')).toEqual(["x"]);`},
		{"js", "it('works', () => {}", ""},
		{"ruby", "assert_raises(ArgumentError) { parse }", "assert_raises(NoMemoryError) { parse }"},
		{"ruby", "expect { parse }.to raise_error(ArgumentError)", "expect { parse }.not_to raise_error(ArgumentError)"},
		{"go", "require.Error(t, err)", "require.NoError(t, err)"},
		{"go", "assert.ErrorIs(t, err, io.EOF)", "assert.NotErrorIs(t, err, io.EOF)"},
		{"go", "x := []int{}", ""},
		{"rust", "assert!(parse(\"\").is_err());", "assert!(parse(\"\").is_ok());"},
	} {
		got, n := otherwise(c.lang, []byte("a\n"+c.line+"\nb == {}\n"), map[int]bool{2: true})
		want := c.want
		if want == "" {
			want = c.line
		}
		if line := strings.Split(string(got), "\n")[1]; line != want || n > 0 != (c.want != "") {
			t.Errorf("%s: got %s, %d", c.line, line, n)
		}
	}
}
