package detect

import (
	"regexp"
	"slices"
	"sync"
)

// QualityGate is a check beside the tests; FixCommand may be empty.
type QualityGate struct {
	Name       string
	Command    string
	FixCommand string
}

// Project is one folder with one tool chain, and what is usual for it.
type Project struct {
	// Dir is a slash path, "." for the root.
	Dir      string
	Language string
	// Why names the file that told.
	Why   string
	Setup string
	Test  string
	Gates []QualityGate
	// Notes say what a person should know or decide.
	Notes []string

	// more are other commands of the project's that look like tests.
	more []string
	// own says that Test is a script of the repository's own.
	own bool
	// whole says that Test configures, builds and tests in one, so that CI's commands
	// are only a sign that it does so too: byCI, at the best of their ranks.
	whole, flagged bool
	byCI           bool
	rank           int
	// covers reports whether Test runs the tests of the project in a folder below too;
	// nil covers none.
	covers func(dir string) bool
}

// detectors are asked for every folder, in this order; they give no project where they
// find none.
var detectors = []struct {
	language string
	look     func(d *dir) *Project
}{
	{"go", lookGo}, {"rust", lookRust}, {"node", lookNode}, {"deno", lookDeno}, {"python", lookPython},
	{"java", lookMaven}, {"java", lookGradle}, {"ruby", lookRuby}, {"php", lookPHP}, {"elixir", lookElixir},
	{"dotnet", lookDotnet}, {"swift", lookSwift}, {"c", lookC}, {"other", lookOther}, {"shell", lookBats},
}

// conventions gives the projects of a repository, those of outer folders first.
func conventions(t *tree) []Project {
	var found []Project
	for _, d := range t.dirs {
		if testsData().MatchString(d.path) {
			continue
		}
		for _, det := range detectors {
			if covered(found, det.language, d.path) {
				continue
			}
			p := det.look(d)
			if p == nil || p.Test == "" && len(p.Gates) == 0 && len(p.Notes) == 0 {
				continue
			}
			p.Dir = d.path
			if p.Language == "" {
				p.Language = det.language
			}
			found = append(found, *p)
		}
	}
	// Without tests and gates a project is mentioned only where there is no other.
	if slices.ContainsFunc(found, func(p Project) bool { return p.Test != "" }) {
		found = slices.DeleteFunc(found, func(p Project) bool { return p.Test == "" && len(p.Gates) == 0 })
	}
	return found
}

// covered reports whether a project above runs the tests of a folder.
func covered(found []Project, language, dir string) bool {
	return slices.ContainsFunc(found, func(p Project) bool {
		return same(p.Language, language) && p.Test != "" && p.covers != nil && below(p.Dir, dir) && p.covers(dir)
	})
}

// testsData are folders below those of tests: projects there are what tests work on.
var testsData = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|/)(?:tests?|specs?)/.`) })

func everything(string) bool { return true }
