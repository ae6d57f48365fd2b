//go:build unix

package guard

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/pkg/edit"
)

// bigFiles are files of 150 kB in the ways of a language, with 200 lines to add.
func bigFiles() map[string]edit.Change {
	repeat := func(unit string, from, size int) string {
		var b strings.Builder
		for i := from; b.Len() < size; i++ {
			b.WriteString(strings.ReplaceAll(unit, "§", fmt.Sprint(i)))
		}
		return b.String()
	}
	units := map[string]string{
		"calc.go": "// Sum§ adds up, see https://example.com/§.\n" +
			"func Sum§(list []int) (total int, err error) {\n" +
			"\tfor i, x := range list {\n" +
			"\t\tif x < 0 {\n" +
			"\t\t\treturn 0, fmt.Errorf(\"element %d of %q is negative\", i, \"list §\")\n" +
			"\t\t}\n" +
			"\t\ttotal += x\n" +
			"\t}\n" +
			"\treturn total, nil\n" +
			"}\n" +
			"\n",
		"calc_test.go": "func TestSum§(t *testing.T) {\n" +
			"\tgot, err := Sum§([]int{1, 2, §})\n" +
			"\tif err != nil {\n" +
			"\t\tt.Fatal(err)\n" +
			"\t}\n" +
			"\tif want := 3 + §; got != want {\n" +
			"\t\tt.Errorf(\"got %d, want %d\", got, want)\n" +
			"\t}\n" +
			"}\n" +
			"\n",
		"calc.py": "def total_§(items, *, start=§):\n" +
			"    \"\"\"Add up the items.\"\"\"\n" +
			"    result = start\n" +
			"    for item in items:\n" +
			"        if item is None:  § absent\n" +
			"            continue\n" +
			"        result += item['amount']\n" +
			"    return result\n" +
			"\n" +
			"\n",
		"tests/test_c.py": "def test_total_§():\n" +
			"    items = [{'amount': 1}, {'amount': §}]\n" +
			"    result = total_§(items, start=2)\n" +
			"    assert result == 3 + §\n" +
			"    assert items[0]['amount'] == 1\n" +
			"\n" +
			"\n",
		"src/calc.ts": "export function total§(items: Item[], start = §): number {\n" +
			"  // absent ones do not count\n" +
			"  let result = start\n" +
			"  for (const item of items) {\n" +
			"    if (!item) continue\n" +
			"    result += item.amount ?? Number(`${item.text}`)\n" +
			"  }\n" +
			"  return result\n" +
			"}\n" +
			"\n",
		"src/calc.test.ts": "  it('adds up §', () => {\n" +
			"    const items = [{ amount: 1 }, { amount: § }]\n" +
			"    const result = total§(items, 2)\n" +
			"    expect(result).toBe(3 + §)\n" +
			"    expect(items[0].amount).toBe(1)\n" +
			"  })\n" +
			"\n",
		"src/calc.rs": "/// Adds up.\n" +
			"pub fn total_§(items: &[Item], start: i64) -> Result<i64, Error> {\n" +
			"    let mut result = start;\n" +
			"    for item in items {\n" +
			"        if item.absent { continue; }\n" +
			"        result += item.amount.checked_add(§).ok_or(Error::Overflow(\"§\"))?;\n" +
			"    }\n" +
			"    Ok(result)\n" +
			"}\n" +
			"\n",
		"tests/calc.rs": "#[test]\n" +
			"fn adds_up_§() {\n" +
			"    let items = vec![Item::new(1), Item::new(§)];\n" +
			"    let result = total_§(&items, 2).unwrap();\n" +
			"    assert_eq!(result, 3 + §);\n" +
			"    assert_eq!(items[0].amount, 1, \"the first of {:?}\", items);\n" +
			"}\n" +
			"\n",
		"spec/calc_spec.rb": "  it 'adds up §' do\n" +
			"    items = [{ amount: 1 }, { amount: § }]\n" +
			"    result = total_§(items, start: 2)\n" +
			"    expect(result).to eq(3 + §)\n" +
			"    expect(items.first[:amount]).to eq 1\n" +
			"  end\n" +
			"\n",
		"src/test/java/CalcTest.java": "    @Test\n" +
			"    void addsUp§() {\n" +
			"        List<Item> items = List.of(new Item(1), new Item(§));\n" +
			"        long result = Calc.total§(items, 2);\n" +
			"        assertEquals(3 + §, result, \"of § items\");\n" +
			"        assertEquals(1, items.get(0).amount());\n" +
			"    }\n" +
			"\n",
		"src/test/kotlin/CalcTest.kt": "    @Test\n" +
			"    fun `adds up §`() {\n" +
			"        val items = listOf(Item(1), Item(§))\n" +
			"        val result = total§(items, 2)\n" +
			"        assertEquals(3 + §, result, \"of ${items.size} items\")\n" +
			"        assertEquals(1, items[0].amount)\n" +
			"    }\n" +
			"\n",
		"Calc.Tests/CalcTests.cs": "    [Fact]\n" +
			"    public void AddsUp§()\n" +
			"    {\n" +
			"        var items = new[] { new Item(1), new Item(§) };\n" +
			"        var result = Calc.Total§(items, 2);\n" +
			"        Assert.Equal(3 + §, result);\n" +
			"        Assert.Equal(1, items[0].Amount);\n" +
			"    }\n" +
			"\n",
		"tests/CalcTest.php": "    public function testAddsUp§(): void\n" +
			"    {\n" +
			"        $items = [new Item(1), new Item(§)];\n" +
			"        $result = total§($items, 2);\n" +
			"        $this->assertSame(3 + §, $result, \"of § items\");\n" +
			"        $this->assertSame(1, $items[0]->amount);\n" +
			"    }\n" +
			"\n",
		"test/calc_test.exs": "  test \"adds up §\" do\n" +
			"    items = [%{amount: 1}, %{amount: §}]\n" +
			"    result = Calc.total_§(items, 2)\n" +
			"    assert result == 3 + §\n" +
			"    assert hd(items).amount == 1\n" +
			"  end\n" +
			"\n",
		"tests/test_calc.c": "static void test_adds_up_§(void)\n" +
			"{\n" +
			"    int items[] = {1, 2, §};\n" +
			"    long result = total_§(items, 3, 2);\n" +
			"    assert(result == 5 + §); /* the sum of § */\n" +
			"    assert(items[0] == 1);\n" +
			"}\n" +
			"\n",
		"Tests/CalcTests.swift": "    func testAddsUp§() throws {\n" +
			"        let items = [Item(1), Item(§)]\n" +
			"        let result = try total§(items, start: 2)\n" +
			"        XCTAssertEqual(result, 3 + §, \"of \\(items.count) items\")\n" +
			"        XCTAssertEqual(items[0].amount, 1)\n" +
			"    }\n" +
			"\n",
		"test/calc.bats": "@test \"adds up §\" {\n" +
			"  run calc 1 2 §\n" +
			"  [ \"$status\" -eq 0 ]\n" +
			"  [ \"$output\" = \"$((3 + §))\" ]\n" +
			"  echo \"§ done\" | grep -q done\n" +
			"}\n" +
			"\n",
		"test/calc_test.dart": "  test('adds up §', () {\n" +
			"    final items = [Item(1), Item(§)];\n" +
			"    final result = total§(items, 2);\n" +
			"    expect(result, equals(3 + §));\n" +
			"    expect(items[0].amount, 1, reason: 'of ${items.length}');\n" +
			"  });\n" +
			"\n",
		"t/calc.t": "subtest 'adds up §' => sub {\n" +
			"  my $items = [{amount => 1}, {amount => §}];\n" +
			"  my $result = total_§($items, 2);\n" +
			"  is $result, 3 + §, 'right sum';\n" +
			"  is $items->[0]{amount}, 1, 'right amount';\n" +
			"};\n" +
			"\n",
		"spec/calc_spec.lua": "  it('adds up §', function()\n" +
			"    local items = { { amount = 1 }, { amount = § } }\n" +
			"    local result = calc.total_§(items, 2)\n" +
			"    assert.are.equal(3 + §, result)\n" +
			"    assert.are.equal(1, items[1].amount)\n" +
			"  end)\n" +
			"\n",
		"tests/calc.tcl": "    test {adds up §} {\n" +
			"        r del key\n" +
			"        r incrby key §\n" +
			"        assert_equal § [r get key]\n" +
			"        assert_match {*§*} [r info]\n" +
			"    }\n" +
			"\n",
	}
	out := map[string]edit.Change{}
	for p, unit := range units {
		old := repeat(unit, 1000, 150_000)
		lines := strings.Count(unit, "\n")
		added := strings.Join(strings.SplitAfter(repeat(unit, 9000, 40_000), "\n")[:200/lines*lines], "")
		at := strings.Index(old[70_000:], unit[:strings.Index(unit, "§")]) + 70_000
		out[p] = edit.Change{Op: edit.Modify, Path: p, Old: []byte(old), New: []byte(old[:at] + added + old[at:])}
	}
	return out
}

// BenchmarkReview judges a proposal that adds 200 lines to a file of 150 kB, and,
// with the same in other places, one that changes every tenth old line besides. It
// tells the time of the processor too, which other programs do not lengthen.
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
			b.Run(strings.ReplaceAll(p, "/", "_")+"/"+name, func(b *testing.B) { reviewOften(b, c, false) })
		}
	}
}

// oneFunction is a proposal of 200 lines in 100 places of one function as long as its
// file, where all bind new names, or every other one changes one in use.
func oneFunction(bad bool) edit.Change {
	var before, after strings.Builder
	before.WriteString("function program() {\n  var result\n")
	after.WriteString(before.String())
	for i := 0; before.Len() < 150_000; i++ {
		unit := fmt.Sprintf("  result = total%d(items, %d)\n  expect(result).toBe(3 + %[1]d)\n", i, i%7)
		before.WriteString(unit)
		after.WriteString(unit)
		if i%20 == 0 && i < 2000 {
			fmt.Fprintf(&after, "  var extra%d = 1\n  var other%[1]d = 1\n", i)
			if bad && i%40 == 0 {
				after.WriteString("  items = []\n")
			}
		}
	}
	return edit.Change{Op: edit.Modify, Path: "test/host.test.js",
		Old: []byte(before.String() + "}\n"), New: []byte(after.String() + "}\n")}
}

func BenchmarkReviewOneFunction(b *testing.B) {
	b.Run("good", func(b *testing.B) { reviewOften(b, oneFunction(false), false) })
	b.Run("half bad", func(b *testing.B) { reviewOften(b, oneFunction(true), true) })
}

// Of more bad lines than are looked for none is kept.
func TestManyBadHunks(t *testing.T) {
	c := oneFunction(true)
	g, err := New(Policy{Base: func(string) ([]byte, bool) { return c.Old, true }}, mapTree{c.Path: string(c.Old)})
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Review([]edit.Change{c})
	if err != nil || len(v.Refused) == 0 {
		t.Fatal(v.Refused, err)
	}
	for _, k := range v.Kept {
		if strings.Contains(string(k.New), "items = []") {
			t.Error("a bad line is kept")
		}
	}
	if len(v.Kept) == 0 {
		t.Error("no good line is kept")
	}
}

func reviewOften(b *testing.B, c edit.Change, refuses bool) {
	g, err := New(Policy{Base: func(string) ([]byte, bool) { return c.Old, true }}, mapTree{c.Path: string(c.Old)})
	if err != nil {
		b.Fatal(err)
	}
	begin := processorTime()
	for b.Loop() {
		v, err := g.Review([]edit.Change{c})
		if err != nil || len(v.Kept)+len(v.SetAside) == 0 || len(v.Refused) > 0 && !refuses {
			b.Fatalf("%q %v", told(v), v.Refused)
		}
	}
	b.ReportMetric(float64((processorTime()-begin).Milliseconds())/float64(b.N), "cpu-ms/op")
}

// processorTime is what this process has computed.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
