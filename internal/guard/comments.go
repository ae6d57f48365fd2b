package guard

import (
	"fmt"
	"strings"
)

var (
	goBuild   = lazy(`^\s*//\s*(go:build|go:linkname|\+build|go:debug|go:embed)`)
	pragma    = lazy(`@(jest|vitest)-|bats (file_tags|test_tags)=|bats:focus|@ts-nocheck|doctest:\s*\+SKIP|flake8: noqa`)
	phpunit   = lazy(`@(group|requires|doesNotPerformAssertions|depends|dataProvider|before\w*|after\w*|runInSeparateProcess|large|medium|small)\b`)
	goExample = lazy(`^func Example`)
)

// checkComments refuses comments that mean something to a runner.
func (r *reading) checkComments(h hunk) string {
	for i := h.from; i < h.to; i++ {
		line := r.new.lines[i]
		bad := r.lang.name == "go" && goBuild().MatchString(line) || pragma().MatchString(line)
		if r.lang.name == "php" && r.new.blank(i) && phpunit().MatchString(line) {
			if _, next := r.new.around(i, i); next >= h.to {
				bad = true
			}
		}
		if b := r.new.outline.at[i]; r.lang.name == "go" && b != nil && b.line < h.from && goExample().MatchString(b.header) {
			bad = bad || r.new.blank(i) && strings.TrimSpace(line) != "" || r.afterOutput(b, i)
		}
		if bad {
			return fmt.Sprintf("The added comment %q tells the runner to treat the test differently.", shorten(line))
		}
	}
	return ""
}

var goOutput = lazy(`(?i)^\s*//\s*(unordered )?output:`)

// afterOutput tells a line of an example that stands below what it must print:
// there it would make a mere remark of that.
func (r *reading) afterOutput(example *block, i int) bool {
	for k := example.line + 1; k < i; k++ {
		if goOutput().MatchString(r.new.lines[k]) {
			return strings.TrimSpace(r.new.lines[i]) != ""
		}
	}
	return false
}

// command is a comment that tells a tool what to do.
var command = lazy(`(?i)@ts-|@flow\b|\b(eslint|tslint|jshint|jslint|standard|biome|oxlint|deno-lint|prettier|stylelint)-|\b(istanbul|c8|v8|coverage):?\s+ignore|\bnoqa\b|\btype:\s*ignore|\bpragma\b|` +
	`\b(pylint|mypy|ruff|flake8|isort|fmt|yapf|black|nosec|pyright|pytype|lint|nolint|rubocop|standardrb|steep|credo|dialyzer|shellcheck|swiftlint|swift-format|ktlint|detekt|golangci)\b\s*[:=]|\bnolint\b|` +
	`\bgo:\w+|^//\s*\+build|^//line |\bexport \w+$|\bcgo\b|frozen_string_literal|-\*-|\bcoding[:=]|:nocov:|\bdoctest:|` +
	`@(phpstan|psalm|phpcs|phan|codeCoverageIgnore|test\b|group|requires|doesNotPerform|depends|dataProvider|testWith|covers|before|after|runInSeparate|runTestsIn|large\b|medium\b|small\b|backupGlobals|expectedException|preserveGlobalState|SuppressWarnings)|` +
	`@(jest|vitest|vite|jsx|jsxImportSource|formatter:)|\bbats (file_tags|test_tags)=|bats:focus|NOLINT|clang-(format|tidy)\s|NOSONAR|noinspection|CHECKSTYLE|coverity\[|cppcheck-suppress|IWYU|` +
	`\bwebpack[A-Z]\w+:|[#@]__(PURE|NO_SIDE_EFFECTS)__|sourceMappingURL|ReSharper (disable|restore)|\bspell-?check|\bcspell:|^#!`)

func commandsTool(comment string) bool { return command().MatchString(comment) }

// silencer is a comment or an attribute by which a linter or a type checker is told
// to say nothing.
var silencer = lazy(`\bnoqa\b|\btype:\s*ignore|\bpyright:\s*ignore|\bpylint:\s*disable|@ts-(ignore|nocheck|expect-error)|\b(eslint|stylelint|biome|oxlint|deno-lint|prettier)-(disable|ignore)|\bnolint\b|` +
	`\brubocop:(disable|todo)|@SuppressWarnings|@phpstan-ignore|@psalm-suppress|phpcs:(ignore|disable)|\bNOLINT|\bNOSONAR\b|\bnosec\b|shellcheck disable|credo:disable|swiftlint:disable|#!?\[\s*allow\(|@Suppress\(|ReSharper disable|#pragma warning disable|luacheck: ignore`)

// silenced counts by how many such a change leaves more than there were.
func silenced(before, after []byte) int {
	count := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			if silencer().MatchString(line) {
				n++
			}
		}
		return n
	}
	return count(after) - count(before)
}
