package retrieval

// wordCounts counts the words of a text. A pass counts those of one file after the other in the same
// memory. The zero value is empty.
type wordCounts struct {
	table []wordCount // a power of two long
	used  []uint32    // the occupied slots
}

type wordCount struct {
	word term
	n    uint32 // 0 is a free slot
}

func (c *wordCounts) place(t term) uint32 {
	mask := uint32(len(c.table) - 1)
	at := uint32(t^t>>32) & mask
	for c.table[at].n > 0 && c.table[at].word != t {
		at = (at + 1) & mask
	}
	return at
}

func (c *wordCounts) add(t term) {
	if 2*len(c.used) >= len(c.table) {
		c.grow()
	}
	at := c.place(t)
	e := &c.table[at]
	if e.n == 0 {
		e.word = t
		c.used = append(c.used, at)
	}
	e.n++
}

func (c *wordCounts) grow() {
	old := c.table
	c.table = make([]wordCount, max(2*len(old), 256))
	for k, from := range c.used {
		at := c.place(old[from].word)
		c.table[at] = old[from]
		c.used[k] = at
	}
}

// of returns how often a word occurs.
func (c *wordCounts) of(t term) uint32 {
	if len(c.table) == 0 {
		return 0
	}
	return c.table[c.place(t)].n
}

// each calls f for each word, in order of the first occurrence.
func (c *wordCounts) each(f func(t term, n uint32)) {
	for _, at := range c.used {
		f(c.table[at].word, c.table[at].n)
	}
}

// reset forgets the words.
func (c *wordCounts) reset() {
	for _, at := range c.used {
		c.table[at] = wordCount{}
	}
	c.used = c.used[:0]
}
