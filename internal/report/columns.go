package report

import (
	"slices"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
)

// column is a column of a table that has to fit a terminal.
type column struct {
	head  string
	cells []string
	// brief is the column that stands in for a narrow terminal; goes says that it
	// may be left out where that does not do. What goes is told elsewhere.
	brief *column
	goes  bool
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

func (c column) empty() bool {
	for _, s := range c.cells {
		if s != "" {
			return false
		}
	}
	return true
}

// cut shortens the cells to w.
func (c column) cut(w int) column {
	cells := make([]string, len(c.cells))
	for i, s := range c.cells {
		cells[i] = ansi.Truncate(s, w, "…")
	}
	c.cells = cells
	return c
}

// fit makes the columns as narrow as width asks for, 0 for no bound. The last
// one, words of people, is cut down to a readable rest; then columns say less or
// go, the rightmost first; then the last is cut for good.
func fit(cols []column, width int) []column {
	const readable, least = 30, 10
	if width <= 0 || len(cols) == 0 {
		return cols
	}
	for {
		over := -width - 2
		for _, c := range cols {
			over += c.wide() + 2
		}
		last := len(cols) - 1
		room := cols[last].wide() - over
		switch give := giving(cols[:last]); {
		case over <= 0:
			return cols
		case room >= readable || give < 0:
			cols[last] = cols[last].cut(max(room, least))
			return cols
		case cols[give].brief != nil && !cols[give].brief.empty():
			cols[give] = *cols[give].brief
		default:
			cols = slices.Delete(cols, give, give+1)
		}
	}
}

// giving is the rightmost column that can say less, or else go.
func giving(cols []column) int {
	for i := len(cols) - 1; i >= 0; i-- {
		if cols[i].brief != nil {
			return i
		}
	}
	for i := len(cols) - 1; i >= 0; i-- {
		if cols[i].goes {
			return i
		}
	}
	return -1
}

// table writes columns; colored is the head of the one whose words have a meaning.
func (p *paint) table(cols []column, colored string) {
	if len(cols) == 0 {
		return
	}
	headers, at := []string{}, -1
	rows := make([][]string, len(cols[0].cells))
	for i, c := range cols {
		headers = append(headers, c.head)
		if c.head == colored {
			at = i
		}
		for k, s := range c.cells {
			rows[k] = append(rows[k], s)
		}
	}
	p.rows(headers, rows, at)
}
