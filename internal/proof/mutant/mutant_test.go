package mutant

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// mutants of all lines of a text, as "line: what it became".
func became(path, text string) string {
	changed := map[int]bool{}
	for i := range strings.Count(text, "\n") + 1 {
		changed[i+1] = true
	}
	var out []string
	for _, m := range Of(path, []byte(text), changed) {
		out = append(out, fmt.Sprintf("%d %s", m.Line, m.Now))
	}
	return strings.Join(out, "\n")
}

func TestMutants(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"Go", "a.go", "package a\n\nfunc Clamp(n, hi int) int {\n\tif n > hi && hi != 0 {\n\t\treturn hi // n > hi\n\t}\n\ts.count += 2\n\tlog.Printf(\"%d\", n+1)\n\treturn n - 1\n}\n", `
4 if n > hi && hi == 0 {
4 if n >= hi && hi != 0 {
4 if n <= hi && hi != 0 {
4 if n > hi || hi != 0 {
4 if n > hi && hi != 1 {
4 if !(n > hi && hi != 0) {
7 s.count -= 2
7 s.count += 3
7 
9 return n + 1
9 return n - 0
9 return n - 2`},
		{"declarations of Go", "a.go", "package a\n\nvar (\n\tfirst = Must(2)\n\tnext = Must(3)\n\n\tlast = Must(4)\n)\n\nfunc f() {\n\tnext = Must(5)\n}\n", `
4 first = Must(3)
5 next = Must(4)
7 last = Must(5)
11 next = Must(6)
11`},
		{"Python", "a.py", "import os\ndef f(x, y=10):\n    if not x and y >= 2.5:\n        self.seen.add(x)\n        return x\n    elif x is not None:\n        y = x * 2\n    print(x + 1)\n    return \"a > b\"\n", `
2 def f(x, y=11):
3 if not x and y > 2.5:
3 if not x and y < 2.5:
3 if not x or y >= 2.5:
3 if x and y >= 2.5:
3 if not x and y >= 3.5:
3 if not (not x and y >= 2.5):
4 pass
5 return None
6 elif not (x is not None):
7 y = x / 2
7 y = x * 3
7 pass
9 return None`},
		{"JavaScript", "a.js", "export const f = (a, b) => {\n  if (a === b || !a) return `${a} + 1`;\n  total += a * 2;\n  b.push(a)\n    .then(c)\n  for (let i = 0; i < a; i++) {}\n};\n", `
2 if (a !== b || !a) return ` + "`${a} + 1`" + `;
2 if (a === b && !a) return ` + "`${a} + 1`" + `;
2 if (a === b || a) return ` + "`${a} + 1`" + `;
2 if (!(a === b || !a)) return ` + "`${a} + 1`" + `;
3 total += a / 2;
3 total -= a * 2;
3 total += a * 3;
3 
6 for (let i = 0; i <= a; i++) {}
6 for (let i = 0; i >= a; i++) {}
6 for (let i = 0; i < a; i--) {}
6 for (let i = 1; i < a; i++) {}`},
		{"TypeScript's types are left alone", "a.ts", "interface A<T> { b: 1 }\nconst m: Map<string, number> = new Map<string, number>();\n", ""},
		{"Java", "A.java", "class A {\n  int f(List<String> l) {\n    if (l.size() > 3) { count++; }\n    this.items.clear();\n    throw new Error(\"x == y\");\n    return true;\n  }\n}\n", `
3 if (l.size() >= 3) { count++; }
3 if (l.size() <= 3) { count++; }
3 if (l.size() > 3) { count--; }
3 if (l.size() > 4) { count++; }
3 if (!(l.size() > 3)) { count++; }
4 ;
6 return false;`},
		{"Kotlin", "a.kt", "fun f(a: Int) {\n    if (a == 1) items.add(a)\n    items.remove(a)\n}\n", `
2 if (a != 1) items.add(a)
2 if (a == 0) items.add(a)
2 if (a == 2) items.add(a)
2 if (!(a == 1)) items.add(a)
3 `},
		{"C#", "a.cs", "class A {\n  bool F(int a) {\n    if (a != 2 && !ok) { return true; }\n    Console.WriteLine(1);\n  }\n}\n", `
3 if (a == 2 && !ok) { return true; }
3 if (a != 2 || !ok) { return true; }
3 if (a != 2 && ok) { return true; }
3 if (a != 2 && !ok) { return false; }
3 if (a != 3 && !ok) { return true; }
3 if (!(a != 2 && !ok)) { return true; }`},
		{"Ruby", "a.rb", "def f(a)\n  return a unless a > 1\n  @seen << a\n  @n = a + 1\n  b.sort! if a and b\nend\n", `
2 return a unless a >= 1
2 return a unless a <= 1
2 return a unless a > 0
2 return a unless a > 2
2 return a unless not a > 1
2 return nil
4 @n = a - 1
4 @n = a + 0
4 @n = a + 2
4 
5 b.sort! if a or b
5 b.sort! if not a and b`},
		{"Rust", "a.rs", "use a::b;\nfn f(a: u32) -> bool {\n    if a >= 3 || b.is_none() {\n        self.list.push(a);\n        println!(\"{}\", a + 1);\n    }\n    a == 1\n}\n", `
3 if a > 3 || b.is_none() {
3 if a < 3 || b.is_none() {
3 if a >= 3 && b.is_none() {
3 if a >= 4 || b.is_none() {
3 if !(a >= 3 || b.is_none()) {
4 ;
7 a != 1
7 a == 0
7 a == 2`},
		{"PHP", "a.php", "<?php\nfunction f($a) {\n  if ($a < 5 and !$b) {\n    $this->items[] = $a;\n    return $a % 2;\n  }\n}\n", `
3 if ($a <= 5 and !$b) {
3 if ($a >= 5 and !$b) {
3 if ($a < 5 or !$b) {
3 if ($a < 5 and $b) {
3 if ($a < 6 and !$b) {
3 if (!($a < 5 and !$b)) {
4 ;
5 return $a * 2;
5 return $a % 3;
5 return null;`},
		{"C", "a.c", "#include <x.h>\n#define N 3\nint f(int *a) {\n  while (a[0] < N) { a++; }\n  buf->len = 0;\n  return -1;\n}\n", `
4 while (a[0] <= N) { a++; }
4 while (a[0] >= N) { a++; }
4 while (a[0] < N) { a--; }
4 while (a[1] < N) { a++; }
4 while (!(a[0] < N)) { a++; }
5 buf->len = 1;
5 ;
6 return -0;
6 return -2;`},
		{"C++", "a.cpp", "template <typename T> bool f(std::vector<int> v) {\n  return v.size() == 2 || false;\n}\n", `
2 return v.size() != 2 || false;
2 return v.size() == 2 && false;
2 return v.size() == 2 || true;
2 return v.size() == 3 || false;`},
		{"a text of many lines", "a.py", "def f():\n    \"\"\"\n    a == 1\n    \"\"\"\n    return 2\n", "5 return 3\n5 return None"},
		{"a language that is not known", "a.hs", "f x = x + 1\n", ""},
		{"no source", "a.json", "{\"a\": 1}\n", ""},
	} {
		if got := strings.TrimSpace(became(c.path, c.text)); got != strings.TrimSpace(c.want) {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", c.name, got, strings.TrimSpace(c.want))
		}
	}
}

func TestOnlyChangedLines(t *testing.T) {
	all := Of("a.py", []byte("def f(a):\n    a = 1\n    b = 2\n\n    c = 3\n    return d\n    e = 4\n    if e > a:\n        a = 5\n"),
		map[int]bool{2: true, 3: true, 5: true, 7: true, 8: true, 9: true})
	places := map[int]int{}
	for _, m := range all {
		places[m.Line] = m.Place
	}
	if fmt.Sprint(places) != "map[2:1 3:1 5:2 7:3 8:3 9:4]" || Places(all) != 4 {
		t.Errorf("got %v", places)
	}
}

func TestChoice(t *testing.T) {
	text := "def f(a):\n    x = a > 1 and a < 9\n    y = a > 2 and a < 8\n\n    z = a == 4\n"
	all := Of("a.py", []byte(text), map[int]bool{2: true, 3: true, 5: true})
	lines := func(seed string, n int) string {
		var out []string
		for _, m := range Choose(all, n, seed) {
			out = append(out, fmt.Sprint(m.Line))
		}
		return strings.Join(out, " ")
	}
	for _, seed := range []string{"a", "b", "c", "d"} {
		first := strings.Fields(lines(seed, 3))
		places := map[string]bool{}
		for _, l := range first[:2] {
			places[map[string]string{"2": "1", "3": "1", "5": "2"}[l]] = true
		}
		if len(places) != 2 {
			t.Errorf("seed %s: the first two are of one place: %v", seed, first)
		}
		if got := lines(seed, 3); got != lines(seed, 3) {
			t.Errorf("seed %s: %s is not the same again", seed, got)
		}
	}
	if got := len(Choose(all, 1000, "a")); got != len(all) {
		t.Errorf("got %d of %d", got, len(all))
	}
}

// TestManyMutants: those of a large change must not hold the file once each.
func TestManyMutants(t *testing.T) {
	var text strings.Builder
	changed := map[int]bool{}
	for i := range 1000 {
		fmt.Fprintf(&text, "\tif a > %d && b != %d {\n", i, i)
		changed[i+1] = true
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	all := Of("a.go", []byte(text.String()), changed)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; len(all) < 1000 || took > uint64(len(all)*4096) {
		t.Errorf("%d mutants of %d bytes took %d", len(all), text.Len(), took)
	}
}

func FuzzOf(f *testing.F) {
	f.Add("a.go", "if a > 1 && !b {\n\treturn \"x\"\n}\n")
	f.Add("a.py", "if a:\n  b(1)\n")
	f.Add("a.rb", "x = %w(a b) if y\n")
	f.Fuzz(func(t *testing.T, path, text string) {
		changed := map[int]bool{1: true, 2: true, 3: true}
		for _, m := range Of(path, []byte(text), changed) {
			if string(m.Text()) == text || strings.Count(string(m.Text()), "\n") != strings.Count(text, "\n") || m.Place == 0 {
				t.Errorf("%q: %q", text, m.Text())
			}
		}
	})
}
