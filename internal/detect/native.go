package detect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

var ctestWord = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?im)^\s*(enable_testing|add_test|include\s*\(\s*CTest|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)`)
})

func lookC(d *dir) *Project {
	switch {
	case d.has("CMakeLists.txt") != "":
		return lookCMake(d)
	case d.has("meson.build") != "":
		// The build folder is made once; meson rebuilds what changed.
		return &Project{Why: "meson.build",
			Test: "{ test -f build/build.ninja || meson setup build; } && meson test -C build --print-errorlogs", whole: true, covers: everything}
	case d.has("configure.ac") != "":
		return &Project{Why: "configure.ac", Setup: "autoreconf -i && ./configure",
			Test: "make check", whole: true, covers: everything}
	}
	return nil
}

func lookCMake(d *dir) *Project {
	p := &Project{Language: "c++", Why: "CMakeLists.txt", whole: true, covers: everything}
	if !contains(strings.ToUpper(d.text("CMakeLists.txt")), "CXX") &&
		d.find(func(n string) bool { return contains(path.Ext(n), ".cpp", ".cc", ".cxx") }) == "" {
		p.Language = "c"
	}
	if d.findText(func(p string) bool { return path.Base(p) == "CMakeLists.txt" || path.Ext(p) == ".cmake" }, ctestWord()) == "" {
		p.Notes = append(p.Notes, "CMakeLists.txt registers no tests (no enable_testing or add_test)")
		return p
	}
	p.Test = "cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure --no-tests=error"
	return p
}

// flags takes over what CI turns on when it configures the build.
func (p *Project) flags(builds, setups []string) {
	var found []string
	for _, text := range append(slices.Clone(builds), setups...) {
		list := strings.Fields(core(strings.Trim(text, "()")))
		for _, w := range list[min(1, len(list)):] {
			if list[0] == "cmake" && cmakeFlag().MatchString(w) || strings.HasSuffix(list[0], "configure") && configureFlag().MatchString(w) {
				found = append(found, w)
			}
		}
	}
	if len(found) == 0 || p.flagged {
		return
	}
	p.flagged = true
	more := " " + strings.Join(unique(found), " ")
	p.Test = strings.Replace(p.Test, "cmake -S . -B build", "cmake -S . -B build"+more, 1)
	p.Setup = strings.Replace(p.Setup, "./configure", "./configure"+more, 1)
}

// Features of the project; not where it goes, what compiles it, and how fast.
var (
	cmakeFlag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^-D(?:BUILD_TESTING|[A-Z0-9_]*TESTS?[A-Z0-9_]*|[A-Z0-9]+_(?:ENABLE|WITH|BUILD|USE)_?[A-Z0-9_]*|(?:ENABLE|WITH|USE|BUILD)_[A-Z0-9_]+)=\w+$`)
	})
	configureFlag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^--(?:enable|disable|with|without)-[\w-]+(?:=[\w,.-]+)?$`)
	})
)
