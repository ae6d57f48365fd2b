package retrieval

const (
	// namedUnit bounds a function or type that is shown whole because the task names it,
	// restOfUnit what is missing of one of which a part was chosen, in bytes.
	namedUnit, restOfUnit = 8 << 10, 4 << 10
	// codeName is how much a word of the task must look like a name of code, sameNamed how many
	// declarations of a file may have the name.
	codeName, sameNamed = 0.9, 3
)

// complete takes the rest of functions and types of the chosen files, as long as there is room:
// of those of which a part was chosen, and of those that the task names. It returns what they cost.
func (r *ranking) complete(cs []*candidate, budget int) int {
	spent := 0
	take := func(c *candidate, from, to, most int) {
		cost := 0
		for b := from; b < to; b++ {
			if !c.taken[b] {
				cost += c.blocks[b].bytes
			}
		}
		if cost > min(most, budget-spent) {
			return
		}
		for b := from; b < to; b++ {
			c.taken[b] = true
		}
		c.bytes, spent = c.bytes+cost, spent+cost
	}
	for _, c := range cs {
		if c.whole || c.bytes == 0 || !c.lang.code() || c.i == r.toExtend {
			continue
		}
		count := map[string]int{}
		for b, block := range c.blocks {
			if b == 0 || c.blocks[b-1].name != block.name {
				count[block.name]++
			}
		}
		for b := 0; b < len(c.blocks); {
			name, end := c.blocks[b].name, c.samePart(b)
			if name != "" && r.task.names[name] >= codeName && count[name] <= sameNamed {
				take(c, b, max(end, c.endOf(b)), namedUnit)
			}
			if name != "" && c.anyTaken(b, end) {
				take(c, b, end, restOfUnit)
			}
			b = end
		}
	}
	return spent
}

// samePart returns the block behind those into which a long declaration was cut.
func (c *candidate) samePart(b int) int {
	end := b + 1
	for end < len(c.blocks) && c.blocks[end].name == c.blocks[b].name &&
		c.blocks[end].head(c.lang, c.lines) < 0 {
		end++
	}
	return end
}

func (c *candidate) anyTaken(from, to int) bool {
	for b := from; b < to; b++ {
		if c.taken[b] {
			return true
		}
	}
	return false
}
