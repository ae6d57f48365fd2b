// Package manifest knows the files in which projects name their dependencies,
// the lock files that tools derive from them, and the files that name the
// toolchain: what a setup command depends on. It is plain data: paths in, words
// out; it reads no file.
package manifest

import (
	"path"
	"slices"
	"strings"
)

// kind is a row: a manifest and the lock files that follow it. Names may hold
// the globs of package path.
type kind struct {
	manifest string
	locks    []string
}

// kinds are the manifests of the package managers.
var kinds = []kind{
	{"package.json", []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml",
		"bun.lock", "bun.lockb"}},
	{"pnpm-workspace.yaml", []string{"pnpm-lock.yaml"}},
	{"deno.json", []string{"deno.lock"}},
	{"deno.jsonc", []string{"deno.lock"}},
	{"go.mod", []string{"go.sum"}},
	{"go.work", []string{"go.work.sum"}},
	{"Cargo.toml", []string{"Cargo.lock"}},
	{"pyproject.toml", []string{"poetry.lock", "uv.lock", "pdm.lock", "pylock.toml"}},
	{"Pipfile", []string{"Pipfile.lock"}},
	{"*requirements*.in", []string{"*requirements*.txt"}},
	{"*requirements*.txt", nil},
	{"setup.py", nil},
	{"setup.cfg", nil},
	{"environment.yml", nil},
	{"Gemfile", []string{"Gemfile.lock"}},
	{"gems.rb", []string{"gems.locked"}},
	{"*.gemspec", []string{"Gemfile.lock"}},
	{"composer.json", []string{"composer.lock"}},
	{"mix.exs", []string{"mix.lock"}},
	{"rebar.config", []string{"rebar.lock"}},
	{"pom.xml", nil},
	{"build.gradle", []string{"gradle.lockfile"}},
	{"build.gradle.kts", []string{"gradle.lockfile"}},
	{"settings.gradle", nil},
	{"settings.gradle.kts", nil},
	{"libs.versions.toml", nil},
	{"gradle-wrapper.properties", nil},
	{"build.sbt", nil},
	{"*.csproj", []string{"packages.lock.json"}},
	{"*.fsproj", []string{"packages.lock.json"}},
	{"Directory.Packages.props", []string{"packages.lock.json"}},
	{"Package.swift", []string{"Package.resolved"}},
	{"pubspec.yaml", []string{"pubspec.lock"}},
	{"conanfile.txt", []string{"conan.lock"}},
	{"conanfile.py", []string{"conan.lock"}},
	{"vcpkg.json", nil},
	{"flake.nix", []string{"flake.lock"}},
	{"stack.yaml", []string{"stack.yaml.lock"}},
	{"*.cabal", []string{"cabal.project.freeze"}},
}

// toolchains name what the packages are installed with.
var toolchains = []string{
	".nvmrc", ".node-version", ".npmrc", ".yarnrc", ".yarnrc.yml", ".python-version", ".ruby-version",
	".tool-versions", "mise.toml",
	"rust-toolchain", "rust-toolchain.toml", "global.json", "nuget.config", "NuGet.Config", ".java-version",
	".sdkmanrc",
}

// Is reports whether a path is a manifest, without regard to lock files.
func Is(p string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool { return is(k.manifest, p) })
}

// IsLock reports whether a path is a lock file.
func IsLock(p string) bool {
	return slices.ContainsFunc(kinds, func(k kind) bool {
		return slices.ContainsFunc(k.locks, func(l string) bool { return is(l, p) })
	})
}

// Input reports whether a setup command may depend on a path.
func Input(p string) bool {
	return Is(p) || IsLock(p) || slices.Contains(toolchains, path.Base(p))
}

// Follows reports whether lock is a lock file of the manifest: beside it, or in a
// folder above, where a workspace keeps one for all.
func Follows(lock, manifest string) bool {
	dir, at := path.Dir(lock), path.Dir(manifest)
	if dir != at && dir != "." && !strings.HasPrefix(at, dir+"/") {
		return false
	}
	return slices.ContainsFunc(kinds, func(k kind) bool {
		return is(k.manifest, manifest) &&
			slices.ContainsFunc(k.locks, func(l string) bool { return is(l, lock) })
	})
}

func is(pattern, p string) bool {
	ok, err := path.Match(pattern, path.Base(p))
	return err == nil && ok
}
