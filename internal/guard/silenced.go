package guard

import (
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// silencer is a comment or an attribute by which a linter or a type checker is told
// to say nothing.
var silencer = pattern.Lazy(`\bnoqa\b|\btype:\s*ignore|\bpyright:\s*ignore|\bpylint:\s*disable|` +
	`@ts-(ignore|nocheck|expect-error)|\b(eslint|stylelint|biome|oxlint|deno-lint|prettier)-(disable|` +
	`ignore)|\bnolint\b|` +
	`\brubocop:(disable|todo)|@SuppressWarnings|@phpstan-ignore|@psalm-suppress|` +
	`phpcs:(ignore|disable)|\bNOLINT|\bNOSONAR\b|\bnosec\b|shellcheck disable|credo:disable|` +
	`swiftlint:disable|#!?\[\s*allow\(|@Suppress\(|ReSharper disable|#pragma warning disable|` +
	`luacheck: ignore`)

// Silenced counts how many complaints a change to a file silences that were not
// silenced before; 0 for what is no source.
func Silenced(path string, before, after []byte) int {
	if lexer.Of(path) == nil {
		return 0
	}
	count := func(text []byte) (n int) {
		for line := range strings.Lines(string(text)) {
			if silencer().MatchString(line) {
				n++
			}
		}
		return n
	}
	return max(count(after)-count(before), 0)
}
