package retrieval

// slots lead from words to values: a table for keys that are hashes already, which
// is most of the time that a pass takes. The zero value is empty.
type slots[V any] struct {
	table []slot[V] // a power of two long
	used  []uint32  // the places that are taken, in the order of their words
}

type slot[V any] struct {
	key   term
	taken bool
	value V
}

// place finds where a word is, or belongs.
func (s *slots[V]) place(t term) uint32 {
	mask := uint32(len(s.table) - 1)
	at := uint32(t^t>>32) & mask
	for s.table[at].taken && s.table[at].key != t {
		at = (at + 1) & mask
	}
	return at
}

// at gives the value of a word, which is made where there is none. It is good until
// the next word.
func (s *slots[V]) at(t term) *V {
	if 2*len(s.used) >= len(s.table) {
		s.grow()
	}
	at := s.place(t)
	e := &s.table[at]
	if !e.taken {
		e.key, e.taken = t, true
		s.used = append(s.used, at)
	}
	return &e.value
}

// of gives the value of a word, nothing where there is none.
func (s *slots[V]) of(t term) (v V) {
	if len(s.table) > 0 {
		v = s.table[s.place(t)].value
	}
	return v
}

func (s *slots[V]) grow() {
	old := s.table
	s.table = make([]slot[V], max(2*len(old), 256))
	for k, from := range s.used {
		at := s.place(old[from].key)
		s.table[at] = old[from]
		s.used[k] = at
	}
}

// clear forgets all words, and keeps the room for them.
func (s *slots[V]) clear() {
	for _, at := range s.used {
		s.table[at] = slot[V]{}
	}
	s.used = s.used[:0]
}

// each yields all words with their values, in the order in which they came.
func (s *slots[V]) each(yield func(term, V) bool) {
	for _, at := range s.used {
		if e := &s.table[at]; !yield(e.key, e.value) {
			return
		}
	}
}
