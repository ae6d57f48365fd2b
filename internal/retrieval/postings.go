package retrieval

// postings maps words to lists of numbers that grow one by one. Many words have one number,
// some have thousands, and together they are most of what a pass holds. It uses no
// pointers, so that the garbage collector has nothing to follow. The zero value is empty.
type postings struct {
	table []posting // a power of two long
	used  []uint32  // the occupied slots, in the order of their words
	// pool is cut into blocks. The last number of a full block is the position of the next.
	pool [][]uint32
	free uint32
}

// posting is a word and its list. The first number is stored here, the others in blocks.
type posting struct {
	key   term
	first uint32
	// start is the position of the first block, at that of the next number.
	start, at uint32
	// left is the free room in the last block, length the length of the list: 1 without
	// blocks, 0 without a word.
	left, length uint16
}

const (
	// chunk is the number of pool entries allocated at a time.
	chunk = 1 << 14
	// firstBlock and lastBlock are block lengths. Each block is twice as long as the one
	// before.
	firstBlock, lastBlock = 4, 1 << 8
)

func (p *postings) place(t term) uint32 {
	mask := uint32(len(p.table) - 1)
	at := uint32(t^t>>32) & mask
	for p.table[at].length > 0 && p.table[at].key != t {
		at = (at + 1) & mask
	}
	return at
}

// add appends a number to the list of a word.
func (p *postings) add(t term, n uint32) {
	if 2*len(p.used) >= len(p.table) {
		p.grow()
	}
	at := p.place(t)
	e := &p.table[at]
	if e.length == 0 {
		*e = posting{key: t, first: n, length: 1}
		p.used = append(p.used, at)
		return
	}
	if e.left == 0 {
		p.lengthen(e)
	}
	*p.word(e.at) = n
	e.at++
	e.left--
}

// lengthen adds a block to a list.
func (p *postings) lengthen(e *posting) {
	full := e.length > 1
	e.length = min(max(2*e.length, firstBlock), lastBlock)
	if made := uint32(len(p.pool)) * chunk; p.free+uint32(e.length) > made {
		p.free = made
		p.pool = append(p.pool, make([]uint32, chunk))
	}
	if full {
		*p.word(e.at) = p.free
	} else {
		e.start = p.free
	}
	e.at, e.left = p.free, e.length-1
	p.free += uint32(e.length)
}

func (p *postings) word(at uint32) *uint32 { return &p.pool[at/chunk][at%chunk] }

func (p *postings) grow() {
	old := p.table
	p.table = make([]posting, max(2*len(old), 256))
	for k, from := range p.used {
		at := p.place(old[from].key)
		p.table[at] = old[from]
		p.used[k] = at
	}
}

// of yields the numbers of a word in insertion order.
func (p *postings) of(t term) func(yield func(uint32) bool) {
	return func(yield func(uint32) bool) {
		if len(p.table) == 0 {
			return
		}
		e := &p.table[p.place(t)]
		if e.length == 0 || !yield(e.first) || e.length == 1 {
			return
		}
		length := uint32(firstBlock)
		for at := e.start; ; length = min(2*length, lastBlock) {
			for last := at + length - 1; at < last; at++ {
				if at == e.at || !yield(*p.word(at)) {
					return
				}
			}
			if at == e.at {
				return
			}
			at = *p.word(at)
		}
	}
}
