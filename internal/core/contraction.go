package core

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// maxBest is the number of operands up to which the best order is searched.
const maxBest = 8

// contractionOrder returns which two of a list of operands to contract next, as positions in the
// list, the first below the second: both are removed and their product is appended. Operands are
// the letters of their axes. The order takes the fewest products of elements for few operands, and
// is a greedy one for many.
func contractionOrder(terms []string, out string, sizes map[rune]int) [][2]int {
	if len(terms) <= 2 {
		return [][2]int{{0, 1}}[:len(terms)-1]
	}
	s := newLetterSets(terms, out, sizes)
	if len(terms) <= maxBest {
		return s.best()
	}
	return s.greedy()
}

// letterSets are operands as sets of letters, one bit per letter.
type letterSets struct {
	terms []bitset
	out   bitset
	logs  []float64 // of the sizes of letters
}

// bitset is a set of letters: there may be more than 64 of them.
type bitset []uint64

func (b bitset) with(c bitset) bitset {
	out := slices.Clone(b)
	for i, w := range c {
		out[i] |= w
	}
	return out
}

func (b bitset) and(c bitset) bitset {
	out := slices.Clone(b)
	for i, w := range c {
		out[i] &= w
	}
	return out
}

func (b bitset) isEmpty() bool { return !slices.ContainsFunc(b, func(w uint64) bool { return w != 0 }) }

func newLetterSets(terms []string, out string, sizes map[rune]int) *letterSets {
	s := &letterSets{}
	index := map[rune]int{}
	for _, c := range strings.Join(terms, "") {
		if _, ok := index[c]; !ok {
			index[c] = len(s.logs)
			s.logs = append(s.logs, math.Log2(float64(max(sizes[c], 1))))
		}
	}
	set := func(term string) bitset {
		b := make(bitset, len(s.logs)/64+1)
		for _, c := range term {
			b[index[c]/64] |= 1 << (index[c] % 64)
		}
		return b
	}
	for _, t := range terms {
		s.terms = append(s.terms, set(t))
	}
	s.out = set(out)
	return s
}

// size returns the number of elements of a tensor with these letters.
func (s *letterSets) size(b bitset) float64 {
	log := 0.0
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			log += s.logs[64*i+bits.TrailingZeros64(w)]
		}
	}
	return math.Exp2(log)
}

// best searches all orders, by the sets of operands that are contracted to one.
func (s *letterSets) best() [][2]int {
	n := len(s.terms)
	all := 1<<n - 1
	kept := make([]bitset, all+1) // the letters of a set's product
	for set := 1; set <= all; set++ {
		in, out := make(bitset, len(s.out)), s.out
		for i, t := range s.terms {
			if set&(1<<i) != 0 {
				in = in.with(t)
			} else {
				out = out.with(t)
			}
		}
		if kept[set] = in.and(out); set&(set-1) == 0 {
			kept[set] = in // an operand as it is
		}
	}
	cost, first := make([]float64, all+1), make([]int, all+1)
	for set := 1; set <= all; set++ {
		if set&(set-1) == 0 {
			continue
		}
		cost[set] = math.Inf(1)
		for a := (set - 1) & set; a > set^a; a = (a - 1) & set {
			b := set ^ a
			if c := cost[a] + cost[b] + s.size(kept[a].with(kept[b])); c < cost[set] || first[set] == 0 {
				cost[set], first[set] = c, a
			}
		}
	}
	list := make([]int, n) // the sets in the list of operands
	for i := range list {
		list[i] = 1 << i
	}
	var order [][2]int
	var contract func(set int)
	contract = func(set int) {
		if set&(set-1) == 0 {
			return
		}
		a, b := first[set], set^first[set]
		contract(a)
		contract(b)
		i, j := slices.Index(list, a), slices.Index(list, b)
		i, j = min(i, j), max(i, j)
		list = append(slices.Delete(slices.Delete(list, j, j+1), i, i+1), set)
		order = append(order, [2]int{i, j})
	}
	contract(all)
	return order
}

// greedy contracts the two operands whose product is the smallest relative to its operands; pairs
// that share letters come before those that do not.
func (s *letterSets) greedy() [][2]int {
	list := slices.Clone(s.terms)
	var order [][2]int
	for len(list) > 1 {
		bestShares, bestGrowth, bi, bj := false, 0.0, -1, -1
		var product bitset
		for i := range list {
			for j := i + 1; j < len(list); j++ {
				rest := s.out
				for k, t := range list {
					if k != i && k != j {
						rest = rest.with(t)
					}
				}
				p := list[i].with(list[j]).and(rest)
				shares := !list[i].and(list[j]).isEmpty()
				growth := s.size(p) - s.size(list[i]) - s.size(list[j])
				if bi < 0 || shares && !bestShares || shares == bestShares && growth < bestGrowth {
					bestShares, bestGrowth, bi, bj, product = shares, growth, i, j, p
				}
			}
		}
		list = append(slices.Delete(slices.Delete(list, bj, bj+1), bi, bi+1), product)
		order = append(order, [2]int{bi, bj})
	}
	return order
}
