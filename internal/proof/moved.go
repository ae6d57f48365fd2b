package proof

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// moved returns the tests that ran before and run now under another name: their file was renamed,
// their text is in another test file now, or their assertions are in a new test.
func (s Subject) moved(before, after Result, renamed renames) (names []string) {
	was, is := slices.Concat(before.Passing, before.Failing), slices.Concat(after.Passing, after.Failing)
	fresh := except(is, was)
	for _, name := range except(was, is) {
		found := func(now string) bool {
			return localName(now) == localName(name) && (s.renamed(name, now) || s.textMoved(localName(name)))
		}
		if i := slices.IndexFunc(fresh, found); i >= 0 {
			names, fresh = append(names, name), slices.Delete(fresh, i, i+1)
		} else if renamed.kept(name) {
			names = append(names, name)
		}
	}
	return names
}

// localName is a test's name within its file or class.
func localName(name string) string {
	name = failure.FunctionOf(name)
	return strings.TrimRight(name[strings.LastIndexAny(name, ":./ >")+1:], "()")
}

// renamed reports whether two names differ by those of a file that was renamed.
func (s Subject) renamed(name, now string) bool {
	for from, to := range s.Renames {
		for i, form := range placesOf(from) {
			if strings.Contains(name, form) && strings.Replace(name, form, placesOf(to)[i], 1) == now {
				return true
			}
		}
	}
	return false
}

// placesOf are the forms in which runners name a file: its path, its module, its folder.
func placesOf(file string) []string {
	plain := strings.TrimSuffix(file, path.Ext(file))
	return []string{file, plain, strings.ReplaceAll(plain, "/", "."), path.Base(plain), path.Dir(file)}
}

// textMoved reports whether the text of a test, from the line that names it to the next of its
// depth, was in one test file and is in another now.
func (s Subject) textMoved(name string) bool {
	for _, from := range s.Old.Tests {
		block := blockOf(string(from.New), name)
		if len(block) < 2 || blockOf(string(from.Old), name) != nil {
			continue
		}
		for _, to := range s.Old.Tests {
			if to.Path != from.Path && slices.Equal(block, blockOf(string(to.Old), name)) {
				return true
			}
		}
	}
	return false
}

// blockOf are the lines of a text that belong to a name, without their indentation.
func blockOf(text, name string) []string {
	return blockFrom(text, func(line string) bool { return slices.Contains(word().FindAllString(line, -1), name) })
}

// blockFrom are those from the line that begins them to the next one of its depth.
func blockFrom(text string, begins func(line string) bool) (block []string) {
	depth := -1
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		in := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case depth < 0 && begins(bare):
			depth = in
		case depth < 0 || bare == "":
			continue
		case in <= depth:
			return block
		}
		block = append(block, bare)
	}
	return block
}

// OnlyAdds reports whether a test file only got new cases. Changed imports do not count.
func OnlyAdds(old, now []byte) bool {
	left := slices.DeleteFunc(lines(old), imports)
	for _, l := range slices.DeleteFunc(lines(now), imports) {
		if len(left) > 0 && left[0] == l {
			left = left[1:]
		}
	}
	return len(left) == 0
}

func imports(line string) bool {
	for _, w := range []string{"import ", "from ", "use ", "using ", "require", "include ", "package "} {
		if strings.HasPrefix(strings.TrimSpace(line), w) {
			return true
		}
	}
	return false
}

// renamedOnOld returns changes that put the old version of each renamed module at its new path, for
// new tests that load it by its new name.
func (s Subject) renamedOnOld() (out []edit.Change) {
	for _, f := range s.Sources {
		if s.renamedFrom(f.Path) != "" && LoadsByPath(f.Path) && f.Old != nil {
			out = append(out, edit.Change{Op: edit.Create, Path: f.Path, New: f.Old, Mode: f.Mode})
		}
	}
	return out
}

func (s Subject) renamedFrom(now string) string {
	for from, to := range s.Renames {
		if to == now {
			return from
		}
	}
	return ""
}

// LoadsByPath reports whether code is loaded by the name of its file.
func LoadsByPath(file string) bool {
	return slices.Contains([]string{".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".tsx", ".rb",
		".php", ".lua"}, path.Ext(file))
}
