package report

// openLines is how much of a diff is unfolded: the rest is a click away.
const openLines = 2000

// change is the diff of the run as a whole, with a switch between one column and
// two. The switch is two radio buttons that the style sheet looks at.
func (p *page) change(g Page) {
	p.raw(`<section id="change" aria-labelledby="h-change">` + "\n" + `<h2 id="h-change">The change</h2>` + "\n")
	files := []fileDiff(nil)
	text := clean(g.Diff)
	if len(text) > shownAll/4 {
		text = cutBytes(text, shownAll/4)
		p.raw(`<p class="warn">The diff is cut: booty status `).code(g.Detail.Run.ID).raw(" --show diff has all of it.</p>\n")
	}
	if text != "" {
		files = parseDiff(text)
	}
	if len(files) == 0 {
		p.raw("<p>").line(g.NoDiff).raw("</p>\n</section>\n")
		return
	}
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	p.raw("<p>").text(count(len(files), "file")).raw(", ").plusMinus(added, removed).raw("</p>\n")
	p.raw(`<fieldset class="switch"><legend>Show the diff</legend>
<input type="radio" name="view" id="unified" checked><label for="unified">unified</label>
<input type="radio" name="view" id="split"><label for="split">side by side</label>
</fieldset>
`)
	p.files(files, true)
	p.raw("</section>\n")
}

func (p *page) plusMinus(added, removed int) *page {
	return p.raw(`<span class="good">&#43;`).num(added).raw(`</span> <span class="bad">&#8722;`).num(removed).raw("</span>")
}

// files shows the files of a diff, unfolded as far as one may want to read on.
func (p *page) files(files []fileDiff, open bool) {
	shown := 0
	for _, f := range files {
		p.raw("<details class=\"file\"")
		if shown += f.lines() + len(f.Notes); open && shown <= openLines {
			p.raw(" open")
		}
		name := f.Path
		if name == "" {
			name = "(no file)"
		}
		p.raw("><summary>").code(name).raw(" ").plusMinus(f.Added, f.Removed).raw("</summary>\n")
		for _, n := range f.Notes {
			p.raw(`<p class="dim">`).line(n).raw("</p>\n")
		}
		for _, h := range f.Hunks {
			p.hunk(h)
		}
		p.raw("</details>\n")
	}
}

func (p *page) hunk(h hunkDiff) {
	p.raw(`<div class="hunk"><p class="at">`).line(h.Head).raw("</p>")
	for _, b := range h.Blocks {
		switch {
		case b.Same: // twice, for two columns; heard once
			p.raw(`<div class="b"><div class="o" aria-hidden="true">`).lines(" ",
				b.Old).raw(`</div><div class="n">`).lines(" ", b.New).raw("</div></div>")
		default:
			p.raw(`<div class="b">`)
			p.raw(`<div class="o">`)
			if len(b.Old) > 0 {
				p.raw("<del>").lines("&#8722;", b.Old).raw("</del>")
			}
			p.raw(`</div><div class="n">`)
			if len(b.New) > 0 {
				p.raw("<ins>").lines("&#43;", b.New).raw("</ins>")
			}
			p.raw("</div></div>")
		}
	}
	p.raw("</div>\n")
}

// lines writes lines of code; the number stands in an attribute that the style
// sheet shows, so that it is not copied with the code.
func (p *page) lines(sign markup, lines []lineDiff) *page {
	for _, l := range lines {
		p.raw(`<span class="l" data-n="`).num(l.N).raw(`">`).raw(sign).exact(l.Text).raw("\n</span>")
	}
	return p
}
