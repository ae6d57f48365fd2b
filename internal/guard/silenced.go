package guard

import (
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
)

// silencer is a comment or attribute that tells a linter or type checker to be quiet.
var silencer = pattern.Lazy(`\bnoqa\b|\btype:\s*ignore|\bpyright:\s*ignore|\bpylint:\s*disable|` +
	`@ts-(ignore|nocheck|expect-error)|\b(eslint|stylelint|biome|oxlint|deno-lint|prettier)-(disable|` +
	`ignore)|\bnolint\b|` +
	`\brubocop:(disable|todo)|@SuppressWarnings|@phpstan-ignore|@psalm-suppress|` +
	`phpcs:(ignore|disable)|\bNOLINT|\bNOSONAR\b|\bnosec\b|shellcheck disable|credo:disable|` +
	`swiftlint:disable|#!?\[\s*allow\(|@Suppress\(|ReSharper disable|#pragma warning disable|` +
	`luacheck: ignore`)

// Silenced counts the complaints that a change newly silences in a file; 0 if it is not
// source code.
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
