package retrieval

// term is a word: the hash of its stem in lower case. Hashes keep the index of a large
// repository small. A collision costs only a little ranking.
type term uint64

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
	// maxWord bounds a word, in bytes; longer ones are data, not names.
	maxWord = 40
)

func hash(b []byte) term {
	h := uint64(fnvOffset)
	for _, c := range b {
		h = (h ^ uint64(c)) * fnvPrime
	}
	return term(h)
}

// symbolOf hashes a name exactly as written.
func symbolOf(name string) term {
	h := uint64(fnvOffset)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * fnvPrime
	}
	return term(h)
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

func identByte(c byte) bool { return letter(c) || digit(c) || c == '_' || c == '$' }

// eachTerm calls f for every word of at least min bytes in s. Identifiers are split at
// underscores, digits and changes of case, and also count as a whole, so that fooBar,
// foo_bar and FOO_BAR are the same.
func eachTerm(s string, min int, f func(term)) {
	for i := 0; i < len(s); {
		if !letter(s[i]) {
			i++
			continue
		}
		j := i + 1
		for j < len(s) && (letter(s[j]) || digit(s[j]) || s[j] == '_') {
			j++
		}
		identTerms(s[i:j], min, f)
		i = j
	}
}

// eachHyphened calls f for every hyphenated pair of words as one word: code writes v-for as
// vFor, and content-type as contentType.
func eachHyphened(s string, f func(term)) {
	for i := 1; i+1 < len(s); i++ {
		if s[i] != '-' || !letter(s[i-1]) || !letter(s[i+1]) {
			continue
		}
		from, to := i-1, i+1
		for from > 0 && letter(s[from-1]) {
			from--
		}
		for to < len(s) && letter(s[to]) {
			to++
		}
		if from > 0 && s[from-1] == '-' || to < len(s) && s[to] == '-' || to-from > maxWord {
			continue
		}
		word := append([]byte(s[from:i]), s[i+1:to]...)
		for k, c := range word {
			if upper(c) {
				word[k] = c + 'a' - 'A'
			}
		}
		f(hash(stem(word)))
	}
}

// eachName calls f with the start and end of each name in a line.
func eachName(line string, f func(from, to int)) {
	for i := 0; i < len(line); {
		if !letter(line[i]) && line[i] != '_' {
			i++
			continue
		}
		j := i + 1
		for j < len(line) && identByte(line[j]) {
			j++
		}
		f(i, j)
		i = j
	}
}

// identTerms calls f for the parts of an identifier and for the whole.
func identTerms(id string, min int, f func(term)) {
	var part, whole [maxWord]byte
	n, w, parts := 0, 0, 0
	flush := func() {
		if n == 0 {
			return
		}
		if parts++; n >= min && n < maxWord {
			f(hash(stem(part[:n])))
		}
		n = 0
	}
	for i := 0; i < len(id); i++ {
		c := id[i]
		if !letter(c) {
			flush()
			continue
		}
		if upper(c) {
			prevLower := i > 0 && letter(id[i-1]) && !upper(id[i-1])
			nextLower := i+1 < len(id) && i > 0 && upper(id[i-1]) && letter(id[i+1]) && !upper(id[i+1])
			if prevLower || nextLower {
				flush()
			}
			c += 'a' - 'A'
		}
		if n < maxWord {
			part[n] = c
			n++
		}
		if w < maxWord {
			whole[w] = c
			w++
		}
	}
	flush()
	if parts > 1 && w >= min && w < maxWord {
		f(hash(stem(whole[:w])))
	}
}

// stem removes common English endings, so that "parsing" matches parse and Parser. It
// changes b.
func stem(b []byte) []byte {
	ends := func(s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }
	switch {
	case len(b) > 4 && ends("ies"):
		b = append(b[:len(b)-3], 'y')
	case len(b) > 3 && ends("s") && !ends("ss") && !ends("us") && !ends("is"):
		b = b[:len(b)-1]
	}
	cut := false
	if len(b) > 5 && ends("ing") {
		b, cut = b[:len(b)-3], true
	} else if len(b) > 4 && ends("ed") {
		b, cut = b[:len(b)-2], true
	}
	if n := len(b); cut && n > 3 && b[n-1] == b[n-2] && b[n-1] != 'l' && b[n-1] != 's' {
		b = b[:n-1]
	}
	if len(b) > 5 && ends("er") {
		b = b[:len(b)-2]
	}
	if len(b) > 3 && ends("e") {
		b = b[:len(b)-1]
	}
	return b
}

// stopWords are words of tasks and failures that carry no information about the place.
const stopWords = `a an and are as at be been but by can cannot could did do does each for from get gets had has have how
if in into is it its let make may me more most must my need needs new no not now of on one only or other our out please
should so some such than that the their them then there these they this those to too two use used uses using very was we
were when where which while who why will with without would you your add adds added change changes file files line lines
code function class method test tests testing fail fails failed failure failing error errors expected actual got want
return returns value values true false null none nil self def func const var let import string int bool assert equal
pass passed run runs traceback recent call last exit status home dev usr lib`

func stopTerms() map[term]bool {
	out := make(map[term]bool, 200)
	eachTerm(stopWords, 1, func(t term) { out[t] = true })
	return out
}
