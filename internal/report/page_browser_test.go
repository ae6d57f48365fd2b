//go:build slow

package report

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// browser finds a Chromium, and skips where there is none.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no chromium on this machine")
	return ""
}

// axe reads axe-core, an accessibility checker: BOOTY_AXE names the axe.min.js of
// npm's axe-core.
func axe(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BOOTY_AXE")
	if path == "" {
		t.Skip("BOOTY_AXE does not name axe-core's axe.min.js")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var policy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// seen is what a browser says of a page.
type seen struct {
	Violations []struct {
		ID    string `json:"id"`
		Help  string `json:"help"`
		Nodes []struct {
			HTML    string `json:"html"`
			Summary string `json:"failureSummary"`
		} `json:"nodes"`
	} `json:"violations"`
	// Wide is how far the page reaches beyond its window.
	Wide int `json:"wide"`
	// DiffTop is where the diff begins.
	DiffTop int `json:"diff_top"`
	Shown   int `json:"width"`
}

// look opens a page in a browser together with a script that looks at it. The
// page's own policy allows no script: here alone it is taken away.
func look(t *testing.T, page string, width int, dark bool, script string) seen {
	t.Helper()
	chromium := browser(t)
	dir := t.TempDir()
	page = policy.ReplaceAllString(page, "") + "<script>" + script + `</script><script>
addEventListener("load", async () => {
  const found = typeof axe === "undefined" ? {violations: []} : await axe.run(document, {resultTypes: ["violations"]});
  const told = {violations: found.violations, wide: document.documentElement.scrollWidth - innerWidth, width: innerWidth,
    diff_top: Math.round(document.querySelector("#change").getBoundingClientRect().top)};
  parent.postMessage(JSON.stringify(told), "*");
});
</script>`
	// A frame has any width; a window is never narrower than 500.
	frame := fmt.Sprintf(`<!DOCTYPE html><script>
addEventListener("message", e => {
  const pre = document.createElement("pre");
  pre.id = "told";
  pre.textContent = e.data;
  document.body.appendChild(pre);
});
</script><body style="margin:0"><iframe src="page.html" style="border:0;width:%dpx;height:900px"></iframe>`, width)
	for name, text := range map[string]string{"page.html": page, "frame.html": frame} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + filepath.Join(dir, "profile"),
		"--window-size=1500,1000", "--virtual-time-budget=60000", "--dump-dom",
	}
	if dark {
		args = append(args, "--blink-settings=preferredColorScheme=0")
	}
	out, err := exec.CommandContext(t.Context(), chromium, append(args, "file://"+filepath.Join(dir, "frame.html"))...).Output()
	if err != nil {
		t.Fatalf("%s: %v", chromium, err)
	}
	_, told, ok := strings.Cut(string(out), `<pre id="told">`)
	told, _, closed := strings.Cut(told, "</pre>")
	if !ok || !closed {
		t.Fatalf("the browser says nothing of the page (%d bytes)", len(out))
	}
	var s seen
	if err := json.Unmarshal([]byte(html.UnescapeString(told)), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestThePageInABrowser(t *testing.T) {
	script := axe(t)
	page := written(t, shownRun())
	for _, c := range []struct {
		name  string
		width int
		dark  bool
	}{
		{"a telephone", 400, true},
		{"a small window", 900, true},
		{"a large window", 1400, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := look(t, page, c.width, c.dark, script)
			for _, v := range s.Violations {
				for _, n := range v.Nodes {
					t.Errorf("%s (%s): %s\n%s", v.ID, v.Help, n.HTML, n.Summary)
				}
			}
			if s.Wide > 0 {
				t.Errorf("the page is %d pixels too wide for %d", s.Wide, s.Shown)
			}
			if s.Shown != c.width {
				t.Errorf("the window has %d pixels, want %d", s.Shown, c.width)
			}
			if c.width >= 1400 && s.DiffTop > 600 {
				t.Errorf("the diff begins at %d, below the first screen", s.DiffTop)
			}
		})
	}
}

func TestAHostileRunInABrowser(t *testing.T) {
	s := look(t, written(t, hostileRun()), 900, false, `window.alert = () => document.body.remove();`)
	if s.Wide > 0 {
		t.Errorf("the page is %d pixels too wide", s.Wide)
	}
}
