package pullrequest

import "testing"

func TestVisible(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"text", " a\r\nb ", "a\nb"},
		{"a comment", "a<!-- hidden\n-->b", "ab"},
		{"an unclosed comment hides the rest", "a<!-- b\nc", "a"},
		{"a comment in a code block is shown", "a\n```html\n<!-- b -->\n```\nc<!-- d -->", "a\n```html\n<!-- b -->\n```\nc"},
		{"a fence in a comment opens no block", "a<!--\n```\n--> b", "a b"},
		{"hidden elements", `a<span hidden>b</span><div style="display: none">c</div>d`, "ad"},
		{"shown elements", `a<span class="hidden-not">b</span>`, `a<span class="hidden-not">b</span>`},
		{"link definitions as comments", "a\n[//]: # (b)\n[x]: <> \"c\"\nd", "a\nd"},
		{"a link definition", "[x]: https://example.com", "[x]: https://example.com"},
		{"invisible characters", "a\u200bb\u202ec\ufe0fd\U000e0101e\x07f\tg", "abcdef\tg"},
		{"invalid text", "a\xffb", "a\uFFFDb"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := visible(tt.text); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
