//go:build slow

package main

import (
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestThePicturesOfTheDemo: the README's pictures show what the program shows, in a light and
// in a dark terminal of 80 columns. -update draws them from the run:
//
//	go test -tags slow ./cmd/booty -run PicturesOfTheDemo -update
func TestThePicturesOfTheDemo(t *testing.T) {
	need(t, "tmux", "go")
	for _, c := range []struct{ picture, command, until string }{
		{"demo", "demo", "The pull request that booty would open"}, {"challenge", "demo --challenge", "Next steps:"},
	} {
		t.Run(c.picture, func(t *testing.T) {
			t.Parallel()
			isPictured(t, c.picture, "booty "+c.command, demoScreen(t, c.command, c.until))
		})
	}
}

// isPictured holds the pictures of a name against a screen.
func isPictured(t *testing.T, picture, command, screen string) {
	for name, p := range palettes() {
		file := filepath.Join("..", "..", "docs", picture+"-"+name+".svg")
		drawn := drawing(command, screen, p)
		if *update {
			if err := os.WriteFile(file, []byte(drawn), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		there, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wordsOf(string(there)), wordsOf(drawn)); diff != "" {
			t.Errorf("%s is not what the demo shows (-picture +demo); draw it with -update:\n%s", file, diff)
		}
	}
}

var (
	anyTag = regexp.MustCompile(`<[^>]*>`)
	// changing is what differs from run to run: times, commits.
	changing = regexp.MustCompile(`^(\d+m)?\d+(\.\d+)?m?s,?$|^\d+\.\d$|^\(?[0-9a-f]{10}(\.\.[0-9a-f]{10}\))?$`)
)

// wordsOf gives the words of a picture, without what changes with each run: a longer time
// may break a line elsewhere.
func wordsOf(picture string) []string {
	text := html.UnescapeString(anyTag.ReplaceAllString(strings.ReplaceAll(picture, "</tspan>", " "), ""))
	return slices.DeleteFunc(strings.Fields(text), changing.MatchString)
}

const columns = 80

// demoScreen runs a demo in a terminal and gives its last screen up to some words, with the
// terminal's own sequences for colours.
func demoScreen(t *testing.T, command, until string) string {
	t.Helper()
	booty := buildBooty(t)
	sock := filepath.Join(t.TempDir(), "tmux")
	tmux := func(args ...string) string {
		cmd := exec.Command("tmux", append([]string{"-S", sock}, args...)...)
		cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "BOOTY_") }) // CI's
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %s: %v\n%s", args[0], err, out)
		}
		return string(out)
	}
	tmux("new-session", "-d", "-x", strconv.Itoa(columns), "-y", "150", "cd / && '"+booty+"' "+command+"; echo over; sleep 60")
	defer exec.Command("tmux", "-S", sock, "kill-server").Run() // it may be gone
	for range 600 {
		if text := tmux("capture-pane", "-p"); strings.Contains(text, "\nover\n") {
			// What follows the run is for the person who sits there.
			screen, _, found := strings.Cut(tmux("capture-pane", "-e", "-p"), until)
			if !found {
				t.Fatalf("this is not the demo's screen: %s", screen)
			}
			return screen
		}
		time.Sleep(500 * time.Millisecond)
	}
	t.Fatal("the demo did not end")
	return ""
}

// palette gives the colours of a terminal: those of SGR 30 to 37, and its own.
type palette struct {
	text, back string
	colours    [8]string
}

func palettes() map[string]palette {
	return map[string]palette{
		"light": {"#1f2328", "#ffffff", [8]string{"#24292f", "#cf222e", "#116329", "#7d4e00", "#0550ae", "#8250df", "#1b7c83", "#6e7781"}},
		"dark":  {"#e6edf3", "#0d1117", [8]string{"#484f58", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4"}},
	}
}

var (
	sgr      = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	machines = regexp.MustCompile(`/tmp/[\w./-]*booty-demo-\d+`)
)

// style is what stands before a piece of text.
type style struct {
	bold, dim bool
	colour    int // of palette.colours, -1 for the terminal's own
}

func (s *style) take(codes string) {
	for _, code := range strings.Split(codes, ";") {
		n, _ := strconv.Atoi(code)
		switch {
		case n == 0:
			*s = style{colour: -1}
		case n == 1:
			s.bold = true
		case n == 2:
			s.dim = true
		case n == 22:
			s.bold, s.dim = false, false
		case n >= 30 && n <= 37:
			s.colour = n - 30
		case n >= 90 && n <= 97:
			s.colour = n - 90
		case n == 39:
			s.colour = -1
		}
	}
}

func drawing(command, screen string, p palette) string {
	const line, char, margin = 18, 8.0, 14
	rows := strings.Split(strings.TrimSpace(machines.ReplaceAllString(screen, "/tmp/booty-demo")), "\n")
	height := 2*margin + line*(len(rows)+1)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s in a terminal">`+"\n",
		int(columns*char)+2*margin, height, command)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s" stroke="#8884"/>`+"\n", p.back)
	fmt.Fprintf(&b, `<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="13" fill="%s">`+"\n", p.text)
	fmt.Fprintf(&b, `<text x="%d" y="%d"><tspan fill-opacity=".6">$</tspan> %s</text>`+"\n", margin, margin+line-5, command)
	at := style{colour: -1}
	for i, row := range rows {
		fmt.Fprintf(&b, `<text x="%d" y="%d">%s</text>`+"\n", margin, margin+line*(i+2)-5, spans(row, &at, p, char, margin))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// spans draws a row; each piece has its own place, whatever font is at hand.
func spans(row string, at *style, p palette, char float64, margin int) string {
	var b strings.Builder
	column := 0
	piece := func(text string) {
		if text == "" {
			return
		}
		attributes := ""
		if at.colour >= 0 {
			attributes += fmt.Sprintf(` fill="%s"`, p.colours[at.colour])
		}
		if at.bold {
			attributes += ` font-weight="bold"`
		}
		if at.dim {
			attributes += ` fill-opacity=".65"`
		}
		n := utf8.RuneCountInString(text)
		if strings.TrimSpace(text) != "" {
			fmt.Fprintf(&b, `<tspan x="%g" textLength="%g"%s>%s</tspan>`,
				float64(margin)+float64(column)*char, float64(n)*char, attributes, html.EscapeString(strings.ReplaceAll(text, " ", "\u00a0")))
		}
		column += n
	}
	for {
		where := sgr.FindStringSubmatchIndex(row)
		if where == nil {
			piece(row)
			return b.String()
		}
		piece(row[:where[0]])
		at.take(row[where[2]:where[3]])
		row = row[where[1]:]
	}
}
