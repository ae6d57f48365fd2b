package report

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/lipgloss/table"
	"github.com/charmbracelet/x/ansi"
)

// column is a column of a table. One that goes is left out where the terminal is too
// narrow: what it says is elsewhere, too.
type column struct {
	head  string
	goes  bool
	cells []string
}

// columnsOf turns rows into columns.
func columnsOf(headers []string, rows [][]string) []column {
	var cols []column
	for i, name := range headers {
		c := column{head: name}
		for _, row := range rows {
			c.cells = append(c.cells, row[i])
		}
		cols = append(cols, c)
	}
	return cols
}

// wide is the width of a column in cells of the terminal: some signs take two.
func (c column) wide() int {
	w := lipgloss.Width(c.head)
	for _, s := range c.cells {
		w = max(w, lipgloss.Width(s))
	}
	return w
}

// narrowed leaves out what goes, the rightmost first, until there is room for a readable
// part of the last column, words of people, and cuts that one.
func narrowed(cols []column, width int) []column {
	const readable, least = 25, 10
	last := len(cols) - 1
	room, give := width, -1
	for i, c := range cols[:last] {
		room -= c.wide() + gap
		if c.goes {
			give = i
		}
	}
	if room < min(cols[last].wide(), readable) && give >= 0 {
		return narrowed(slices.Delete(slices.Clone(cols), give, give+1), width)
	}
	cut := column{head: cols[last].head}
	for _, s := range cols[last].cells {
		cut.cells = append(cut.cells, ansi.Truncate(s, max(room, least), "…"))
	}
	return append(slices.Clone(cols[:last]), cut)
}

// gap is what is left between columns.
const gap = 2

// table writes columns; colored is the head of the one whose words have a meaning.
func (p *paint) table(cols []column, colored string) {
	if p.width > 0 {
		cols = narrowed(cols, p.width)
	}
	t := table.New().BorderTop(false).BorderBottom(false).BorderLeft(false).BorderRight(false).BorderColumn(false).
		BorderHeader(false).Wrap(false)
	rows, heads := make([][]string, len(cols[0].cells)), []string{}
	for _, c := range cols {
		heads = append(heads, c.head)
		for k, s := range c.cells {
			rows[k] = append(rows[k], s)
		}
	}
	if strings.Join(heads, "") != "" {
		t.Headers(heads...)
	}
	t.Rows(rows...).StyleFunc(func(row, col int) lipgloss.Style {
		style := lipgloss.NewStyle()
		if p.r != nil && row == table.HeaderRow {
			style = styled(p.r.NewStyle(), gray)
		} else if p.r != nil && cols[col].head == colored && colored != "" {
			style = styled(p.r.NewStyle(), meaning(rows[row][col]))
		}
		if col < len(cols)-1 {
			style = style.PaddingRight(gap)
		}
		return style
	})
	for line := range strings.SplitSeq(t.String(), "\n") {
		p.line(line)
	}
}

// Table writes rows in columns, plainly.
func Table(w io.Writer, rows [][]string) error {
	if len(rows) == 0 {
		return nil
	}
	p := &paint{w: w}
	p.table(columnsOf(make([]string, len(rows[0])), rows), "")
	return p.err
}
