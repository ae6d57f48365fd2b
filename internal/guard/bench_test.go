package guard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// bigFiles are files of 150 kB in the ways of a language, with 200 lines to add.
func bigFiles() map[string]edit.Change {
	repeat := func(unit string, from, size int) string {
		var b strings.Builder
		for i := from; b.Len() < size; i++ {
			b.WriteString(strings.ReplaceAll(unit, "#", fmt.Sprint(i)))
		}
		return b.String()
	}
	units := map[string]string{
		"calc.go":           "// Sum# adds up, see https://example.com/#.\nfunc Sum#(list []int) (total int, err error) {\n\tfor i, x := range list {\n\t\tif x < 0 {\n\t\t\treturn 0, fmt.Errorf(\"element %d of %q is negative\", i, \"list #\")\n\t\t}\n\t\ttotal += x\n\t}\n\treturn total, nil\n}\n\n",
		"calc_test.go":      "func TestSum#(t *testing.T) {\n\tgot, err := Sum#([]int{1, 2, #})\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif want := 3 + #; got != want {\n\t\tt.Errorf(\"got %d, want %d\", got, want)\n\t}\n}\n\n",
		"calc.py":           "def total_#(items, *, start=#):\n    \"\"\"Add up the items.\"\"\"\n    result = start\n    for item in items:\n        if item is None:  # absent\n            continue\n        result += item['amount']\n    return result\n\n\n",
		"tests/test_c.py":   "def test_total_#():\n    items = [{'amount': 1}, {'amount': #}]\n    result = total_#(items, start=2)\n    assert result == 3 + #\n    assert items[0]['amount'] == 1\n\n\n",
		"src/calc.ts":       "export function total#(items: Item[], start = #): number {\n  // absent ones do not count\n  let result = start\n  for (const item of items) {\n    if (!item) continue\n    result += item.amount ?? Number(`${item.text}`)\n  }\n  return result\n}\n\n",
		"src/calc.test.ts":  "  it('adds up #', () => {\n    const items = [{ amount: 1 }, { amount: # }]\n    const result = total#(items, 2)\n    expect(result).toBe(3 + #)\n    expect(items[0].amount).toBe(1)\n  })\n\n",
		"src/calc.rs":       "/// Adds up.\npub fn total_#(items: &[Item], start: i64) -> Result<i64, Error> {\n    let mut result = start;\n    for item in items {\n        if item.absent { continue; }\n        result += item.amount.checked_add(#).ok_or(Error::Overflow(\"#\"))?;\n    }\n    Ok(result)\n}\n\n",
		"spec/calc_spec.rb": "  it 'adds up #' do\n    items = [{ amount: 1 }, { amount: # }]\n    result = total_#(items, start: 2)\n    expect(result).to eq(3 + #)\n    expect(items.first[:amount]).to eq 1\n  end\n\n",
	}
	out := map[string]edit.Change{}
	for p, unit := range units {
		old := repeat(unit, 1000, 150_000)
		added := strings.Join(strings.SplitAfter(repeat(unit, 9000, 20_000), "\n")[:200/strings.Count(unit, "\n")*strings.Count(unit, "\n")], "")
		at := strings.Index(old[70_000:], unit[:strings.Index(unit, "#")]) + 70_000
		out[p] = edit.Change{Op: edit.Modify, Path: p, Old: []byte(old), New: []byte(old[:at] + added + old[at:])}
	}
	return out
}

// BenchmarkReview judges a proposal that adds 200 lines to a file of 150 kB, and,
// with the same in other places, one that changes every tenth old line besides.
func BenchmarkReview(b *testing.B) {
	for p, c := range bigFiles() {
		scattered := c
		lines := strings.SplitAfter(string(c.New), "\n")
		for i := 0; i < len(lines); i += len(lines) / 40 {
			lines[i] = strings.Replace(lines[i], "(", "( ", 1)
			lines[i] = strings.Replace(lines[i], "1", "7", 1)
		}
		scattered.New = []byte(strings.Join(lines, ""))
		for name, c := range map[string]edit.Change{"adds": c, "changes": scattered} {
			b.Run(strings.ReplaceAll(p, "/", "_")+"/"+name, func(b *testing.B) {
				g, err := New(Policy{Base: func(string) ([]byte, bool) { return c.Old, true }}, mapTree{p: string(c.Old)})
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					v, err := g.Review([]edit.Change{c})
					if err != nil || len(v.Kept)+len(v.SetAside) == 0 || len(v.Refused) > 0 {
						b.Fatalf("%q %v", told(v), v.Refused)
					}
				}
			})
		}
	}
}
