// Package runner judges files of which a part configures, starts or feeds the test
// runner or the gates: manifests, build files, make files, ignore files.
package runner

import (
	"fmt"
	"path"
	"reflect"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/linkflags"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
)

// Rules judges the files that configure, start or feed the runner.
type Rules struct {
	*checkout.Files
	IsTest func(path string) bool
	Checks func() string // see checksText
}

// Judge compares the parts that concern the runner.
func (r *Rules) Judge(s checkout.Step) string {
	if IsIgnoreFile(s.Path) {
		return r.judgeIgnore(s)
	}
	if r.isTarget(s) {
		return "make would take the file for its target of tests, and run none."
	}
	if reason := judgeKept(s); reason != "" && s.Stays {
		return reason
	}
	if r.dropsAsserts(s) {
		return "A release build compiles the tests' assertions away; leave the build type as it is."
	}
	part := PartRunnerOf(s.Path)
	if part == nil && r.CaseFold() {
		part = PartRunnerOf(paths.FoldCase(s.Path))
	}
	if part == nil && r.isIncluded(s.Path) {
		part = PartRunnerOf("Makefile")
	}
	if part == nil || !s.Existed && buildForTests().MatchString(s.Path) {
		return ""
	}
	if linkflags.ReplacesSymbols(s) {
		return "An option of the linker or the preprocessor would replace what tests are made of."
	}
	if reason := r.shadowsMake(s); reason != "" {
		return reason
	}
	if !s.Existed && path.Base(s.Path) == "go.mod" && path.Dir(s.Path) != "." {
		return "A nested go.mod takes its directory out of the tests; it may not be added."
	}
	before, after := part.slice(r, s.Path, string(s.Before), string(s.After)),
		part.slice(r, s.Path, string(s.After), string(s.Before))
	general, release := r.generalManifest(s.Path, part)
	switch old, is := before.(registrations); {
	case release && !s.Existed && !general.extends(after.(registrations)): // it would be read instead
	case reflect.DeepEqual(before, after),
		is && old.extends(after.(registrations)),
		release && !s.Stays && old.extends(general): // what is read where this one is gone has the tests as well
		return ""
	}
	if old, is := before.(makeParts); is && old.extends(after.(makeParts)) {
		return ""
	}
	return fmt.Sprintf("The file also configures or starts tests; %s must stay as they are.", part.what)
}

// forRelease is a manifest of Swift's for one release of the language.
var forRelease = pattern.Lazy(`(^|/)Package@swift-[\d.]+\.swift$`)

// generalManifest gives the tests of the manifest of Swift's that is read where none of a release is;
// release is false where p is no such one, or where there is none but those.
func (r *Rules) generalManifest(p string, part *partRunner) (tests registrations, release bool) {
	if !forRelease().MatchString(p) {
		return nil, false
	}
	general := path.Join(path.Dir(p), "Package.swift")
	text, err := r.ReadFile(general)
	if err != nil || r.Own(general) { // which may lose its tests later
		return nil, false
	}
	tests, release = part.slice(r, general, string(text), string(text)).(registrations)
	return tests, release
}
