package detect

import (
	"path"
	"regexp"
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
		return &Project{Tool: "meson", Why: "meson.build",
			Test: "{ test -f build/build.ninja || meson setup build; } && meson test -C build --print-errorlogs", covers: everything}
	case d.has("configure.ac") != "":
		return &Project{Tool: "autotools", Why: "configure.ac", Setup: "autoreconf -i && ./configure",
			Test: "make check", covers: everything}
	}
	return nil
}

func lookCMake(d *dir) *Project {
	p := &Project{Language: "c++", Tool: "ctest", Why: "CMakeLists.txt", covers: everything}
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

var (
	makeTarget = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^(test|check|tests|lint)[ \t]*::?([^=]|$)`)
	})
	justTarget = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^@?(test|check|tests|lint)\b[^\n:]*:([^=]|$)`)
	})
	taskTarget = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^  ['"]?(test|check|tests|lint)['"]?:`)
	})
)

// target finds the first of the wanted targets of a task runner: its command,
// and the file that names it.
func target(d *dir, wanted ...string) (runner, command, file string) {
	for _, r := range []struct {
		files   []string
		re      *regexp.Regexp
		command string
	}{
		{[]string{"GNUmakefile", "makefile", "Makefile"}, makeTarget(), "make "},
		{[]string{"justfile", "Justfile", ".justfile"}, justTarget(), "just "},
		{[]string{"Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml", "Taskfile.dist.yml"},
			taskTarget(), "task "},
	} {
		file = d.has(r.files...)
		if file == "" {
			continue
		}
		text := d.text(file)
		for _, want := range wanted {
			for _, m := range r.re.FindAllStringSubmatch(text, -1) {
				if m[1] == want {
					return strings.TrimSpace(r.command), r.command + want, file
				}
			}
		}
	}
	return "", "", ""
}

var nativeCommands = language{
	name: "c",
	sayings: []saying{
		{testRole, `ctest\b`},
		{testRole, `meson test\b`},
		{testRole, `ninja\b.* (?:test|check)\b`},
		{testRole, `cmake --build\b.*(?:--target|-t) (?:test|check)\b`},
		{buildRole, `cmake\b`}, {buildRole, `meson (?:setup|compile)\b`}, {buildRole, `ninja\b`},
		{setupRole, `autoreconf\b`},
		{setupRole, `(?:sh )?\S*/?(?:configure|autogen\.sh|bootstrap(?:\.sh)?|buildconf)\b`},
	},
	whole: true,
}

// flags takes over what CI turns on when it configures the build.
func (p *Project) flags(claims []claim) {
	for _, c := range claims {
		var found []string
		for _, b := range c.builds {
			words := strings.Fields(b.text)
			for _, w := range words[1:] {
				if strings.HasPrefix(words[0], "cmake") && cmakeFlag().MatchString(w) && p.Tool == "ctest" ||
					strings.HasSuffix(words[0], "configure") && configureFlag().MatchString(w) && p.Tool == "autotools" {
					found = append(found, w)
				}
			}
		}
		if len(found) == 0 || c.sign {
			continue
		}
		more := " " + strings.Join(unique(found), " ")
		p.Test = strings.Replace(p.Test, "cmake -S . -B build", "cmake -S . -B build"+more, 1)
		p.Setup = strings.Replace(p.Setup, "./configure", "./configure"+more, 1)
		p.Why = c.from
		return
	}
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
